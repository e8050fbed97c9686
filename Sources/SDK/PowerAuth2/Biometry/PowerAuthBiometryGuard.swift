// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseTransport

/// What guards the key of the biometric factor: the keychain on Apple's systems, which gives it out only to a person
/// whom it recognises (powerauth.md §3.5, §9). None of it but `unlock` may call the SDK, which waits meanwhile.
public struct PowerAuthBiometryGuard: Sendable {
  /// Whether the device can recognise people.
  public enum Availability: Sendable {
    case available, notAvailable, notEnrolled, lockedOut
  }

  /// What came of asking for a key.
  public enum Answer: Sendable, Equatable {
    /// 16 bytes.
    case key(Data)
    /// The user dismissed the dialog.
    case cancelled
    /// The user wants another way.
    case fallback
    /// Too many did not look or feel right: the guard gives nothing out until the device is unlocked by other means.
    case lockedOut
    /// There is no key under the name, or it became useless.
    case failed
    /// No biometry on this device, or none set up.
    case notAvailable
  }

  /// Whether the device can recognise people now.
  public var availability: @Sendable () -> Availability
  /// Whether there is a key under the name; the user is not asked.
  public var hasKey: @Sendable (_ name: String) -> Bool
  /// Keeps a key under the name, in place of an earlier one.
  public var keep: @Sendable (_ key: Data, _ name: String) throws(SecureStoreError) -> Void
  /// Forgets the key under the name.
  public var forget: @Sendable (_ name: String) throws(SecureStoreError) -> Void
  /// Asks the user to show who they are, and waits for it: not to be called on the main thread.
  public var unlock: @Sendable (_ name: String, _ prompt: String?) -> Answer

  public init(
    availability: @escaping @Sendable () -> Availability,
    hasKey: @escaping @Sendable (_ name: String) -> Bool,
    keep: @escaping @Sendable (_ key: Data, _ name: String) throws(SecureStoreError) -> Void,
    forget: @escaping @Sendable (_ name: String) throws(SecureStoreError) -> Void,
    unlock: @escaping @Sendable (_ name: String, _ prompt: String?) -> Answer
  ) {
    self.availability = availability
    self.hasKey = hasKey
    self.keep = keep
    self.forget = forget
    self.unlock = unlock
  }

  /// A device without biometry.
  public static let unavailable = PowerAuthBiometryGuard(
    availability: { .notAvailable }, hasKey: { _ in false },
    keep: { (_, _) throws(SecureStoreError) in throw SecureStoreError(.unavailable) },
    forget: { (_) throws(SecureStoreError) in }, unlock: { _, _ in .notAvailable })
}
