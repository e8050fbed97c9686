// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// How the user showed to be there; what services are told as the authorization type (specification §4.4, §5.7).
public enum PresenceMethod: String, Sendable {
  case passcode, biometrics
}

/// Proves that the user is there. Only the lock makes one, and it is good for a minute and for one confirmation.
public struct UserPresence: Sendable, Equatable {
  /// How.
  public let method: PresenceMethod
  let id: UUID
}

/// What the user offers.
public enum PresenceProof: Sendable {
  case passcode(String)
  case biometrics
}

/// What came of it.
public enum LockOutcome: Sendable, Equatable {
  /// The app is unlocked.
  case passed(UserPresence)
  /// The passcode was wrong; so many more may be without a consequence.
  case wrong(attemptsLeft: Int)
  /// Nothing was tried, or the passcode was wrong: nothing can be tried for so long. Show whole minutes, rounded up.
  case blocked(for: Duration)
  /// The passcode was wrong once too often: connections, keys and passcode are gone.
  case wiped
  /// Biometrics were not recognised or put off; the passcode remains.
  case biometricsRefused
  /// The device takes no more biometrics until it is unlocked by other means; the passcode remains.
  case biometricsLockedOut
  /// The passcode was right, but the device's own question was put off, or it has no passcode: keys stay closed, and so
  /// does the app.
  case deviceRefused
  /// There is nothing to unlock with: create a passcode.
  case noPasscode
}

/// Where the lock stands.
public enum LockState: Sendable, Equatable {
  case noPasscode, locked, unlocked
  case blocked(for: Duration)
}

extension LockState {
  /// In whole minutes, rounded up, as blocks are shown (§10.4).
  public static func minutes(_ block: Duration) -> Int {
    let seconds = Int(block.components.seconds) + (block.components.attoseconds > 0 ? 1 : 0)
    return (seconds + 59) / 60
  }
}

/// Since when the app is open, and by what.
struct Unlocked: Sendable {
  var lastTouch: Duration
  let method: PresenceMethod
  /// Opens the keys of connections; nil where they are not protected.
  let permit: KeyProtection.Permit?
}
