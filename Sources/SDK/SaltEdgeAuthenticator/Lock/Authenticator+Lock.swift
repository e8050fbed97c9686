// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeWire

extension Authenticator {
  /// Where the lock stands. The app is locked when it starts, when it goes to the background, and after a minute
  /// without
  /// a touch (specification §10.4).
  public func lockState() throws(AuthenticatorError) -> LockState {
    guard var record = try lockRecords.load() else { return .noPasscode }
    if let rest = try blockLeft(&record) { return .blocked(for: rest) }
    return isUnlocked() ? .unlocked : .locked
  }

  /// Whether a button for biometrics is to be shown: the user wants them, the device has them, nothing is blocked.
  public func offersBiometrics() throws(AuthenticatorError) -> Bool {
    guard var record = try lockRecords.load(), record.usesBiometrics, setup.biometrics.isAvailable() else {
      return false
    }
    return try blockLeft(&record) == nil
  }

  /// Whether the device has biometrics that its owner set up, so that the user can be asked whether to use them.
  public nonisolated func hasBiometrics() -> Bool { setup.biometrics.isAvailable() }

  /// Opens the app, and proves that the user is there for one confirmation.
  ///
  /// A wrong passcode is counted before it is known to be wrong, so that stopping the app makes no further try.
  public func unlock(with proof: PresenceProof) async throws(AuthenticatorError) -> LockOutcome {
    guard var record = try lockRecords.load() else { return .noPasscode }
    if setup.policy.lockRules.consequence(ofWrong: record.wrongPasscodes) == .wipe {
      // The app was stopped before it had erased everything.
      try await wipe()
      return .wiped
    }
    if let rest = try blockLeft(&record) { return .blocked(for: rest) }
    switch proof {
    case .passcode(let passcode): return try await tryPasscode(passcode, record)
    case .biometrics: return try await tryBiometrics(record)
    }
  }

  /// Locks at once: the app goes to the background, or the user wants it.
  public func lock() {
    unlocked?.permit?.end()
    unlocked = nil
    presence = nil
    list.clear()
  }

  /// The user does something: the minute begins anew.
  public func touch() {
    guard isUnlocked() else { return }
    unlocked?.lastTouch = clock.uptime()
  }

  /// How long the app stays open from now on without a touch; nil while it is locked.
  public func idleLeft() -> Duration? {
    guard isUnlocked(), let unlocked else { return nil }
    return unlocked.lastTouch + setup.policy.idleMax - clock.uptime()
  }

  /// - Throws: `outOfOrder` while the app is locked.
  func requireUnlocked() throws(AuthenticatorError) {
    guard isUnlocked() else { throw AuthenticatorError(.outOfOrder, .appLocked) }
  }

  /// What opens the keys of connections; nil while the app is locked, and where keys are not protected.
  var permit: KeyProtection.Permit? { isUnlocked() ? unlocked?.permit : nil }

  private func isUnlocked() -> Bool {
    guard let unlocked else { return false }
    if clock.uptime() - unlocked.lastTouch < setup.policy.idleMax { return true }
    lock()
    return false
  }

  /// Opens the app. Where keys are protected the device asks its user first.
  func open(by method: PresenceMethod) async throws(AuthenticatorError) -> LockOutcome {
    var permit: KeyProtection.Permit?
    if let protection = setup.keyProtection {
      switch await protection.ask(method == .biometrics ? .biometrics : .owner, unlockReason) {
      case .permitted(let given): permit = given
      case .refused: return method == .biometrics ? .biometricsRefused : .deviceRefused
      case .lockedOut: return .biometricsLockedOut
      }
    }
    // While the user was asked a block may have begun, or everything may have gone.
    guard var current = try lockRecords.load() else { return .noPasscode }
    if let rest = try blockLeft(&current) { return .blocked(for: rest) }
    try forgive(&current)
    let (proof, now) = (UserPresence(method: method, id: randomness.uuid()), clock.uptime())
    unlocked = Unlocked(lastTouch: now, method: method, permit: permit)
    presence = (proof, now + setup.policy.presenceLifetime)
    return .passed(proof)
  }

  private var unlockReason: String { AuthenticatorTexts(language: setup.language)[.unlockReason] }

  /// Uses a proof up.
  /// - Throws: `outOfOrder` for one that is old, used, or was overtaken by another.
  func spend(_ proof: UserPresence) throws(AuthenticatorError) {
    guard let valid = presence, valid.proof == proof, clock.uptime() < valid.until else {
      throw AuthenticatorError(.outOfOrder, .userPresenceMissing)
    }
    presence = nil
  }

  /// How long nothing may be tried still; nil when something may.
  ///
  /// A process that has seen the block begin goes by the clock that cannot be set, and another one by how long the
  /// device has been running. Where that is not known it goes by the calendar, and begins the block anew when that was
  /// turned back.
  func blockLeft(_ record: inout LockRecord) throws(AuthenticatorError) -> Duration? {
    guard let block = record.block else { return nil }
    let end: Duration
    if let blockedUntil {
      end = blockedUntil
    } else {
      let certain = block.passed(by: clock.boot())
      let passed = certain ?? now.millisecondsSince1970 - block.since.millisecondsSince1970
      if passed < 0 {
        record.block?.since = now
        try lockRecords.save(record)
      }
      end = clock.uptime() + .milliseconds(block.milliseconds - max(passed, 0))
      blockedUntil = end
    }
    let rest = end - clock.uptime()
    return rest > .zero ? rest : nil
  }

  private func tryBiometrics(_ record: LockRecord) async throws(AuthenticatorError) -> LockOutcome {
    guard record.usesBiometrics, setup.biometrics.isAvailable() else { return .biometricsRefused }
    guard setup.keyProtection == nil else { return try await open(by: .biometrics) }
    switch await setup.biometrics.evaluate(unlockReason) {
    case .refused: return .biometricsRefused
    case .lockedOut: return .biometricsLockedOut
    case .recognised: return try await open(by: .biometrics)
    }
  }
}
