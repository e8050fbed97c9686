// SPDX-License-Identifier: Apache-2.0

/// Where an instance keeps its state on Apple's systems (powerauth.md §3.5, §10).
public final class PowerAuthKeychainConfiguration {
  /// The keychain's service; elsewhere the name of a folder.
  public var keychainInstanceName = "PowerAuth2"
  /// To share with the app's extensions, or other apps.
  public var keychainAttribute_AccessGroup: String?
  /// The app group of those who share. With an access group and without this, what an earlier installation left is not
  /// wiped: it may be another app's.
  public var keychainAttribute_UserDefaultsSuiteName: String?
  /// Whether a new finger or face makes the biometric factor useless.
  public var linkBiometricItemsToCurrentSet = true
  /// Whether the device's passcode may stand in for biometry.
  public var allowBiometricAuthenticationFallbackToDevicePasscode = false

  public init() {}
}
