// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// One-time codes that show that a customer reads a phone number or an e-mail address (Rubix §6.10 and §8.2).
///
/// A code is asked for in the flow's transaction (`request`), made when its message is about to leave (`issue`), and
/// tried in the flow's next transaction (`check`). Only an HMAC of it is stored, under a key that is not in the database.
package struct Passcodes: Sendable {
  let vault: Vault
  let world: World
  let policy: PasscodePolicy

  package init(vault: Vault, world: World, policy: PasscodePolicy = .standard) {
    self.vault = vault
    self.world = world
    self.policy = policy
  }

  /// Promises a code and voids the older one at once.
  /// - Throws: `Problem` `otp-locked` (423) or `rate-limited` (429), each with `retryAfterSeconds`.
  package func request(_ binding: PasscodeBinding, in tx: any SQLTransaction) throws -> PasscodeRequest {
    let store = PasscodeStore(tx)
    let now = world.now()
    if let lockedUntil = try store.hold(guessing(binding), now: now) {
      throw Self.locked(retryAfter: lockedUntil - now)
    }
    let destination = digest(of: binding)
    let sending = "send \(binding.channel.rawValue) \(destination)"
    // Holding the guard row makes racing requests for one destination wait for each other on every engine.
    _ = try store.hold(sending, now: now)
    let sends = try store.events(of: sending, after: now - .hours(24))
    let allowance = policy.allowance(after: sends, now: now)
    guard allowance.nextAt <= now else {
      throw Problem.rateLimited(retryAfterSeconds: Self.secondsUp(allowance.nextAt - now))
    }
    try store.record(sending, at: now, id: world.uuid())
    try store.void(binding.channel, subject: binding.subject, purpose: binding.purpose)
    let passcode = Passcode(
      id: .init(world), channel: binding.channel, destinationDigest: destination, subject: binding.subject,
      purpose: binding.purpose, state: .requested, tries: 0, requestedAt: now, expiresAt: nil)
    try store.insert(passcode)
    let next = policy.allowance(after: sends + [now], now: now)
    return PasscodeRequest(
      id: passcode.id, expiresIn: policy.lifetime(binding.channel), resendIn: next.nextAt - now,
      sendsLeft: next.sendsLeft, codeLength: policy.codeLength)
  }

  /// Makes the code of a request, for the message that leaves now. A repetition gets the same code with a new life, so
  /// that the outbox may repeat; the tries spent so far stay spent.
  /// - Parameter destination: where the message is about to go.
  /// - Returns: nil when the message must not be sent any more: the request was replaced, used, waited too long, or
  ///   was for another destination.
  package func issue(
    _ id: Passcode.ID, to destination: String, in tx: any SQLTransaction
  ) throws -> IssuedPasscode? {
    let store = PasscodeStore(tx)
    let now = world.now()
    guard let passcode = try store.find(id), now < passcode.requestedAt + policy.requestLifetime,
      passcode.destinationDigest == digest(of: destination, channel: passcode.channel)
    else { return nil }
    let code = code(of: id)
    let expiresAt = now + policy.lifetime(passcode.channel)
    guard try store.issue(id, codeDigest: digest(of: code, for: id), at: now, expiresAt: expiresAt) else { return nil }
    return IssuedPasscode(code: code, expiresAt: expiresAt)
  }

  /// Tries a code. Commit whatever the outcome is: a rolled-back try would not count.
  package func check(
    _ text: String, for binding: PasscodeBinding, in tx: any SQLTransaction
  ) throws -> PasscodeOutcome {
    guard let code = normalized(text) else { return .malformed }
    let store = PasscodeStore(tx)
    let now = world.now()
    if let lockedUntil = try store.hold(guessing(binding), now: now) { return .locked(retryAfter: lockedUntil - now) }
    guard
      let passcode = try store.waiting(binding.channel, subject: binding.subject, purpose: binding.purpose),
      passcode.destinationDigest == digest(of: binding)
    else { return .none }
    guard let expiresAt = passcode.expiresAt, now < expiresAt else { return .expired }
    // Counted before it is compared: a crash or a race between the two costs the guesser, not us.
    guard let attempt = try store.countTry(passcode.id, now: now, triesMax: policy.triesMax) else { return .none }
    let expected = Data(attempt.codeDigest.utf8)
    if expected.isEqualInConstantTime(to: Data(digest(of: code, for: passcode.id).utf8)) {
      return try store.use(passcode.id) ? .accepted : .none
    }
    return try refuse(passcode, attempt: attempt, guess: guessing(binding), in: store)
  }

  /// How often the code that was promised last may still be tried, also while its message has not left. 0 when it was
  /// used, is void or has expired: another has to be asked for.
  package func attemptsLeft(for binding: PasscodeBinding, in tx: any SQLTransaction) throws -> Int {
    guard
      let passcode = try PasscodeStore(tx).promised(
        binding.channel, subject: binding.subject, purpose: binding.purpose),
      passcode.destinationDigest == digest(of: binding),
      world.now() < passcode.expiresAt ?? passcode.requestedAt + policy.requestLifetime
    else { return 0 }
    return max(0, policy.triesMax - passcode.tries)
  }

  /// Forgets what waits for this subject, because its destination changed (Rubix §6.3).
  package func void(
    _ channel: PasscodeChannel, subject: String, purpose: String, in tx: any SQLTransaction
  ) throws {
    try PasscodeStore(tx).void(channel, subject: subject, purpose: purpose)
  }

  /// Every code that was promised to a subject lately, oldest first, without the codes.
  package func records(of subject: String, in tx: any SQLTransaction) throws -> [PasscodeRecord] {
    try PasscodeStore(tx).records(of: subject)
  }

  /// Forgets a subject, for an erasure. How often a destination was written to stays counted for its day, under a
  /// keyed digest: erasing oneself is no way to have a stranger's phone flooded.
  package func forget(_ subject: String, in tx: any SQLTransaction) throws {
    try PasscodeStore(tx).deleteAll(
      of: subject, guards: PasscodeChannel.allCases.map { guessing($0, subject) })
  }

  /// Deletes up to `limit` rows of each kind that no rule looks at any more.
  @discardableResult
  package func sweep(limit: Int = 1000, in tx: any SQLTransaction) throws -> Int {
    let now = world.now()
    return try PasscodeStore(tx).sweep(before: now - max(.hours(24), policy.wrongWindow), now: now, limit: limit)
  }

  private func refuse(
    _ passcode: Passcode, attempt: PasscodeStore.Attempt, guess: String, in store: PasscodeStore
  ) throws -> PasscodeOutcome {
    let now = world.now()
    try store.record(guess, at: now, id: world.uuid())
    if try store.events(of: guess, after: now - policy.wrongWindow).count >= policy.wrongMax {
      try store.lock(guess, until: now + policy.lockLifetime)
      try store.voidAll(passcode.channel, subject: passcode.subject)
      return .locked(retryAfter: policy.lockLifetime)
    }
    if attempt.tries >= policy.triesMax { try store.void(passcode.id) }
    return .refused(attemptsLeft: max(0, policy.triesMax - attempt.tries))
  }

  /// The code of a request: derived under the vault's key, so that a message that is sent twice says the same twice and
  /// the code is still nowhere in clear. 64 bits cut to 20 leave no bias that anybody could use.
  private func code(of id: Passcode.ID) -> String {
    let bound = (0..<policy.codeLength).reduce(UInt64(1)) { bound, _ in bound * 10 }
    let number = UInt64(vault.digest(id.rawValue, for: "passcode code").prefix(16), radix: 16) ?? 0
    let digits = String(number % bound)
    return String(repeating: "0", count: policy.codeLength - digits.count) + digits
  }

  /// The ASCII digits of what was typed, whose keyboard may write others (Arabic-Indic, full-width); spaces dropped.
  /// Nil when it cannot be a code.
  private func normalized(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    var digits = ""
    for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
      guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
      digits += String(Int(value))
    }
    return digits.count == policy.codeLength ? digits : nil
  }

  private func guessing(_ binding: PasscodeBinding) -> String {
    guessing(binding.channel, binding.subject)
  }

  private func guessing(_ channel: PasscodeChannel, _ subject: String) -> String {
    "guess \(channel.rawValue) \(subject)"
  }

  private func digest(of code: String, for id: Passcode.ID) -> String {
    vault.digest("\(id.rawValue) \(code)", for: "passcode")
  }

  private func digest(of binding: PasscodeBinding) -> String {
    digest(of: binding.destination, channel: binding.channel)
  }

  /// Addresses that differ in case only reach, in practice, the same mailbox.
  private func digest(of destination: String, channel: PasscodeChannel) -> String {
    vault.digest(destination.lowercased(), for: "passcode destination \(channel.rawValue)")
  }

  private static func locked(retryAfter: Duration) -> Problem {
    Problem(.locked, "otp-locked", "Too many wrong codes; try again later.")
      .with { $0.retryAfterSeconds = secondsUp(retryAfter) }
  }

  private static func secondsUp(_ duration: Duration) -> Int { Int((duration.milliseconds + 999) / 1000) }
}
