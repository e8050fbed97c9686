// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Identity
import Kit
import Storage

/// Checks the second factor of a user whose password was right (finaptic §8.1).
///
/// 1. A confirmed authenticator app is asked for its code; else a confirmed telephone number gets one by SMS; else a
///    verified e-mail address gets one by mail. Who has none of them cannot sign in where a factor is asked for.
/// 2. Without a code the answer says which is needed, and sends it where it has to be sent.
/// 3. A code counts once, for 5 minutes, and 5 wrong tries end it.
struct SecondFactors: Sendable {
  static let topic = "finaptic.sendCode"
  static let signIn = "finaptic-sign-in"
  static let enrolment = "finaptic-enrol"
  /// Wrong codes of an authenticator app in a row: so many lock it for minutes, so many for a day (NIST SP 800-63B-4
  /// §3.2.2).
  static let wrongMax = 5
  static let wrongInARowMax = 100

  let core: CoreDependencies
  let passcodes: Passcodes
  let messenger: Messenger
  let texts: MessageTexts

  private enum Channel {
    case totp(Data, lastStep: Int64?)
    case message(PasscodeChannel, to: String)
  }

  /// How a user proves the second factor now, as the audit names it; nil for one who has none.
  func method(of user: FinapticUser, in tx: any SQLTransaction) throws -> String? {
    switch try channel(of: user, in: tx) {
    case nil: nil
    case .totp: "totp"
    case .message(let channel, _): channel.rawValue
    }
  }

  /// Why the second factor is not shown; nil when it is. Commit whatever the outcome is.
  func problem(_ code: String?, of user: FinapticUser, in tx: any SQLTransaction) throws -> Problem? {
    switch try channel(of: user, in: tx) {
    case nil:
      return .mfa("A second factor is required and you have none: confirm your e-mail address first.")
    case .totp(let secret, let lastStep):
      guard let code else { return .mfa("The code of your authenticator app is needed.") }
      return try check(code, secret, lastStep: lastStep, of: user, in: tx)
    case .message(let channel, let destination):
      let binding = PasscodeBinding(channel, to: destination, subject: user.id.rawValue, purpose: Self.signIn)
      guard let code else { return try send(binding, in: tx) }
      return Self.problem(try passcodes.check(code, for: binding, in: tx))
    }
  }

  private func channel(of user: FinapticUser, in tx: any SQLTransaction) throws -> Channel? {
    let store = SecondFactorStore(tx)
    if let factor = try store.find(.totp, of: user.id), let sealed = factor.sealed {
      return .totp(try open(sealed, .totp, of: user.id, in: tx), lastStep: factor.lastStep)
    }
    if let sealed = try store.find(.sms, of: user.id)?.sealed {
      return .message(.sms, to: String(decoding: try open(sealed, .sms, of: user.id, in: tx), as: UTF8.self))
    }
    return user.emailVerifiedAt == nil ? nil : .message(.email, to: user.profile.email)
  }

  private func check(
    _ code: String, _ secret: Data, lastStep: Int64?, of user: FinapticUser, in tx: any SQLTransaction
  ) throws -> Problem? {
    let (store, now) = (GuardStore(tx), core.world.now())
    let (account, row) = ("totp \(user.id)", "totp-row \(user.id)")
    let counted = try store.count(account, max: Self.wrongMax, lock: .minutes(5), at: now)
    if case .locked = counted { return .mfa("Too many wrong codes: wait five minutes.") }
    let countedInARow = try store.count(row, max: Self.wrongInARowMax, lock: .hours(24), at: now)
    if case .locked = countedInARow { return .mfaLocked }
    let wall = core.world.wall()
    guard let step = TimeCode.match(code, secret, at: wall, after: lastStep),
      try SecondFactorStore(tx).useStep(step, of: user.id)
    else {
      // A right one that was used, or is older than the one that was used last (RFC 6238 §5.2), is no guess.
      if TimeCode.match(code, secret, at: wall, after: nil) != nil {
        try store.takeBack(counted, of: account)
        try store.takeBack(countedInARow, of: row)
      }
      return .mfa("The code is wrong, or it was used before.")
    }
    try store.forgive(account)
    try store.forgive(row)
    return nil
  }

  /// Requests a code, unless one was sent a moment ago that is still valid.
  private func send(_ binding: PasscodeBinding, in tx: any SQLTransaction) throws -> Problem {
    let place = binding.channel == .sms ? "by SMS" : "by e-mail"
    do { try request(binding, in: tx) } catch let problem as Problem where problem.category == .rateLimited {
      return .mfa("A code is needed. One was sent \(place); ask again in \(problem.retryAfterSeconds ?? 0) s.")
    } catch let problem as Problem where problem.category == .locked {
      return .mfaLocked
    }
    return .mfa("A code is needed: it was sent \(place).")
  }

  func request(_ binding: PasscodeBinding, in tx: any SQLTransaction) throws {
    let request = try passcodes.request(binding, in: tx)
    try core.outbox.enqueue(
      Self.topic, subject: binding.subject,
      payload: "\(request.id) \(binding.channel.rawValue) \(binding.purpose)", in: tx)
  }

  static func problem(_ outcome: PasscodeOutcome) -> Problem? {
    switch outcome {
    case .accepted: nil
    case .refused(let left):
      .mfa(left > 0 ? "The code is wrong; tries left: \(left)." : "The code is wrong. Sign in again for another one.")
    case .malformed: .mfa("A code has six digits.")
    case .expired: .mfa("The code has expired. Sign in again for another one.")
    case .none: .mfa("No code is waiting. Sign in without a code to get one.")
    case .locked: .mfaLocked
    }
  }

  /// Sends a code that was requested. It is made now; a repetition sends the same one.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ").map(String.init)
    guard words.count == 3, let channel = PasscodeChannel(rawValue: words[1]) else { return }
    let (id, purpose) = (Passcode.ID(rawValue: words[0]), words[2])
    let due = try await core.database.write(retrying: .outdated) { tx -> Message? in
      guard let user = try FinapticUserStore(tx, vault: core.vault).find(.init(rawValue: item.subject))?.user,
        let destination = try destination(channel, purpose: purpose, of: user, in: tx),
        let issued = try passcodes.issue(id, to: destination, in: tx),
        let tenant = try TenantStore(tx).find(user.tenant)
      else { return nil }
      var message = try texts.of(tenant: user.tenant).message(
        .signInCode(code: issued.code, minutes: 5), by: channel == .sms ? .sms : .email, to: destination,
        from: tenant.name, locale: try ClientProfileStore(tx, vault: core.vault).locale(of: user.customer))
      message.tenant = TenantID("finaptic", "\(user.tenant)")
      return message
    }
    guard var message = due else { return }
    (message.id, message.about) = (id.rawValue, item.subject)
    try await messenger.send(message)
  }

  /// Where a code goes by now; another place is not one that it was made for.
  private func destination(
    _ channel: PasscodeChannel, purpose: String, of user: FinapticUser, in tx: any SQLTransaction
  ) throws -> String? {
    guard channel == .sms else { return user.profile.email }
    let factor = try SecondFactorStore(tx).find(.sms, of: user.id)
    guard let sealed = purpose == Self.enrolment ? factor?.pending : factor?.sealed else { return nil }
    return String(decoding: try open(sealed, .sms, of: user.id, in: tx), as: UTF8.self)
  }

  func open(
    _ sealed: Data, _ kind: SecondFactorStore.Kind, of user: FinapticUser.ID, in tx: any SQLTransaction
  ) throws -> Data {
    try core.vault.open(sealed, context: Self.context(kind, user), in: tx)
  }

  func seal(
    _ bytes: Data, _ kind: SecondFactorStore.Kind, of user: FinapticUser.ID, in tx: any SQLTransaction
  ) throws -> Data {
    try core.vault.seal(bytes, context: Self.context(kind, user), of: KeySubject(user), in: tx)
  }

  private static func context(_ kind: SecondFactorStore.Kind, _ user: FinapticUser.ID) -> String {
    "finaptic_factor.sealed:\(user):\(kind.rawValue)"
  }
}
