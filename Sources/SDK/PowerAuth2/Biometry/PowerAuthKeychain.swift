// SPDX-License-Identifier: Apache-2.0

/// What kind of biometry a device has (powerauth.md §10).
public enum PowerAuthBiometricAuthenticationType: Int, Sendable {
  /// Also a kind that this version does not know.
  case none
  case touchID
  case faceID
}

/// Whether a device's biometry can be used now.
public enum PowerAuthBiometricAuthenticationStatus: Int, Sendable {
  /// The device has none.
  case notSupported
  /// It has, and this app cannot use it.
  case notAvailable
  /// It has, and no finger or face is set up.
  case notEnrolled
  /// Too many did not feel or look right: the device asks for its passcode first.
  case lockout
  case available
}

/// Kind and state of a device's biometry.
public struct PowerAuthBiometricAuthenticationInfo: Sendable, Equatable {
  /// Whether it can be used now.
  public let currentStatus: PowerAuthBiometricAuthenticationStatus
  /// What kind it is, also while it cannot be used.
  public let biometryType: PowerAuthBiometricAuthenticationType
}

/// What an app may ask about the device's biometry before it offers the factor. Systems that have no biometry answer
/// `notSupported`.
public enum PowerAuthKeychain {
  /// Whether biometry can be used now.
  public static var canUseBiometricAuthentication: Bool { biometricAuthenticationInfo.currentStatus == .available }

  /// The kind of biometry that can be used now; none also while it is locked or not set up.
  public static var supportedBiometricAuthentication: PowerAuthBiometricAuthenticationType {
    let info = biometricAuthenticationInfo
    return info.currentStatus == .available ? info.biometryType : .none
  }

  /// Kind and state of the biometry, also while it cannot be used.
  public static var biometricAuthenticationInfo: PowerAuthBiometricAuthenticationInfo {
    #if canImport(Security) && canImport(LocalAuthentication)
      PowerAuthBiometryGuard.deviceInfo
    #else
      PowerAuthBiometricAuthenticationInfo(currentStatus: .notSupported, biometryType: .none)
    #endif
  }
}
