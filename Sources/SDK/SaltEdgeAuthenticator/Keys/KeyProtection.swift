// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseTransport

/// Binds the private keys of connections to the device's user. A store holds them sealed; they are opened by a permit,
/// which the device gives after its user has shown to be there, for one signature or one answer at a time.
///
/// `device` is the live one on Apple's systems. Where it is nil, keys are as safe as the store that they lie in.
public struct KeyProtection: Sendable {
  /// How the device is to ask.
  public enum Question: Sendable {
    /// For face or finger alone.
    case biometrics
    /// For face, finger or the device's own passcode.
    case owner
  }

  /// The result of asking the device to open keys.
  public enum Answer: Sendable {
    case permitted(Permit)
    /// Not recognised, or put off; or the device has no passcode, and so no owner that it knows.
    case refused
    /// The device takes no more biometrics until it is unlocked by other means.
    case lockedOut
  }

  /// What opens keys until it ends.
  public struct Permit: Sendable {
    package let open: @Sendable (_ sealed: Data) throws(SecureStoreError) -> Data
    package let end: @Sendable () -> Void

    /// - Parameters:
    ///   - open: gives back what was sealed. Throws `userAbsent` after the end, and when the user does not show to be
    ///     there; `keyMissing` when what sealed it is gone, so that nothing will ever open it.
    ///   - end: nothing is opened any more.
    public init(
      open: @escaping @Sendable (_ sealed: Data) throws(SecureStoreError) -> Data, end: @escaping @Sendable () -> Void
    ) {
      (self.open, self.end) = (open, end)
    }
  }

  let seal: @Sendable (_ key: Data) throws(SecureStoreError) -> Data
  package let ask: @Sendable (_ question: Question, _ reason: String) async -> Answer
  package let askLater: @Sendable (_ reason: String) -> Permit

  /// - Parameters:
  ///   - seal: needs no user.
  ///   - ask: asks the user now; the reason is for the user to read.
  ///   - askLater: gives a permit that asks by itself when something is opened for the first time, on that thread.
  public init(
    seal: @escaping @Sendable (_ key: Data) throws(SecureStoreError) -> Data,
    ask: @escaping @Sendable (_ question: Question, _ reason: String) async -> Answer,
    askLater: @escaping @Sendable (_ reason: String) -> Permit
  ) {
    (self.seal, self.ask, self.askLater) = (seal, ask, askLater)
  }

  #if !(canImport(Security) && canImport(LocalAuthentication))
    /// None: this system knows no owner of the device.
    public static var device: KeyProtection? { nil }
  #endif
}

extension SecureStoreError.Code {
  /// The holder of the device did not show to be its user.
  public static let userAbsent = SecureStoreError.Code(rawValue: "user-absent")
}
