// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import SaltEdgeCore
internal import SaltEdgeWire

/// What came of setting a passcode.
public enum PasscodeOutcome: Sendable, Equatable {
  case set
  /// Not as many decimal digits as there have to be.
  case malformed
  /// The two are not the same.
  case different
  /// The current one was not right: what `unlock` says.
  case refused(LockOutcome)
}

extension Authenticator {
  /// Sets the first passcode and opens the app (specification §10.4: four digits, asked twice). When the device's own
  /// question is put off the passcode is set, and the app locked.
  /// - Throws: `outOfOrder` when there is one.
  public func createPasscode(
    _ passcode: String, again: String
  ) async throws(AuthenticatorError) -> PasscodeOutcome {
    guard try lockRecords.load() == nil else { throw AuthenticatorError(.outOfOrder, .appLocked) }
    if let refusal = refusal(passcode, again) { return refusal }
    // Connections without a lock are left by a wipe that was interrupted.
    let left = try records.connectionsWithKeys()
    for guid in left { try forgetKeys(of: guid) }
    if !left.isEmpty { try records.forget() }
    try lockRecords.save(LockRecord(passcode: try digest(passcode)))
    blockedUntil = nil
    _ = try await open(by: .passcode)
    return .set
  }

  /// Changes the passcode. A wrong current one counts as everywhere.
  public func changePasscode(
    current: String, to passcode: String, again: String
  ) async throws(AuthenticatorError) -> PasscodeOutcome {
    try requireUnlocked()
    if let refusal = refusal(passcode, again) { return refusal }
    let outcome = try await unlock(with: .passcode(current))
    guard case .passed = outcome, var record = try lockRecords.load() else { return .refused(outcome) }
    record.passcode = try digest(passcode)
    try lockRecords.save(record)
    return .set
  }

  /// Lets biometrics open the app, or not any more.
  public func useBiometrics(_ uses: Bool) throws(AuthenticatorError) {
    try requireUnlocked()
    guard var record = try lockRecords.load() else { return }
    record.usesBiometrics = uses
    try lockRecords.save(record)
  }

  /// Forgets everything: connections, keys and passcode are gone when this returns, and services were told as far as
  /// they could be reached. For "forgot passcode", too: it needs no unlocking.
  ///
  /// What goes first is what signs; the list of connections goes last, so that an interrupted wipe can be repeated.
  /// - Returns: how many services have heard that their connection is revoked.
  @discardableResult
  public func wipe() async throws(AuthenticatorError) -> Int {
    // What signs the farewells, while the app is open still.
    let permit = permit
    defer { permit?.end() }
    unlocked = nil
    // First of all: whatever the store says, the app is not open any more, and no enrolment under way is kept.
    lock()
    wipes += 1
    let connections: [Connection]
    // A store that cannot be read any more is emptied all the same.
    do throws(AuthenticatorError) { connections = try records.load().connections } catch {
      guard error.isUnreadableStore else { throw error }
      connections = []
    }
    let farewells = connections.compactMap { farewell($0, by: permit) }
    for guid in try records.connectionsWithKeys() { try forgetKeys(of: guid) }
    try lockRecords.forget()
    try records.forget()
    blockedUntil = nil
    list = AuthorizationList(finalsShown: setup.policy.finalsShown)
    return await Self.take(leave: farewells, over: client)
  }

  func tryPasscode(_ passcode: String, _ before: LockRecord) async throws(AuthenticatorError) -> LockOutcome {
    var record = before
    record.wrongPasscodes += 1
    let consequence = setup.policy.lockRules.consequence(ofWrong: record.wrongPasscodes)
    let block: Duration? = if case .block(let duration) = consequence { duration } else { nil }
    record.block = block.map { LockRecord.Block(milliseconds: $0.milliseconds, since: now, boot: clock.boot()) }
    try lockRecords.save(record)
    if try isRight(passcode, record) {
      try forgive(&record)
      return try await open(by: .passcode)
    }
    blockedUntil = block.map { clock.uptime() + $0 }
    switch consequence {
    case .again(let attemptsLeft): return .wrong(attemptsLeft: attemptsLeft)
    case .block(let duration):
      lock()
      return .blocked(for: duration)
    case .wipe:
      try await wipe()
      return .wiped
    }
  }

  /// The count begins anew.
  func forgive(_ record: inout LockRecord) throws(AuthenticatorError) {
    (record.wrongPasscodes, record.block, blockedUntil) = (0, nil, nil)
    try lockRecords.save(record)
  }

  private func refusal(_ passcode: String, _ again: String) -> PasscodeOutcome? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard passcode.utf8.count == setup.policy.passcodeDigits, passcode.utf8.allSatisfy(digits.contains) else {
      return .malformed
    }
    return passcode == again ? nil : .different
  }

  private func digest(_ passcode: String) throws(AuthenticatorError) -> PasscodeDigest {
    do throws(SaltEdgeError) {
      return try PasscodeDigest(
        of: passcode, salt: Data(randomness.bytes(PasscodeDigest.saltBytes)), rounds: setup.policy.passcodeRounds)
    } catch { throw AuthenticatorError(SecureStoreError(.unavailable)) }
  }

  private func isRight(_ passcode: String, _ record: LockRecord) throws(AuthenticatorError) -> Bool {
    do throws(SaltEdgeError) { return try record.passcode.matches(passcode) } catch {
      throw AuthenticatorError(SecureStoreError(.tampered))
    }
  }
}
