// SPDX-License-Identifier: Apache-2.0

/// The device's face or finger, as the app can ask for it. Where keys are bound to the device's user, opening them asks
/// already: `evaluate` is not called then, and `isAvailable` tells whether the app wants biometrics.
public struct Biometrics: Sendable {
  /// The result of asking the user for biometrics.
  public enum Outcome: Sendable {
    case recognised
    /// Not recognised, or put off by the user.
    case refused
    /// The device takes none until it is unlocked by other means.
    case lockedOut
  }

  let evaluate: @Sendable (_ reason: String) async -> Outcome
  let isAvailable: @Sendable () -> Bool

  /// - Parameters:
  ///   - isAvailable: whether the device has any, and its owner set them up.
  ///   - evaluate: asks the user; the reason is for the user to read.
  public init(
    isAvailable: @escaping @Sendable () -> Bool, evaluate: @escaping @Sendable (_ reason: String) async -> Outcome
  ) {
    (self.isAvailable, self.evaluate) = (isAvailable, evaluate)
  }

  /// A device without.
  public static let none = Biometrics(isAvailable: { false }, evaluate: { _ in .refused })

  #if !(canImport(Security) && canImport(LocalAuthentication))
    /// None: this system knows no owner of the device.
    public static var device: Biometrics { .none }
  #endif
}
