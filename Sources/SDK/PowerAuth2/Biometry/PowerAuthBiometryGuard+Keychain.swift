// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  extension PowerAuthBiometryGuard {
    /// Of the items of the biometric factor.
    static func service(of configuration: PowerAuthKeychainConfiguration) -> String {
      "\(configuration.keychainInstanceName).biometry"
    }
  }
#endif

#if canImport(Security) && canImport(LocalAuthentication)
  internal import Foundation
  internal import GatehouseTransport
  internal import LocalAuthentication
  internal import Security

  extension PowerAuthBiometryGuard {
    /// What the device has, whatever the app may use of it.
    static var deviceInfo: PowerAuthBiometricAuthenticationInfo {
      let item = BiometricKeychainItem(
        service: "", accessGroup: nil, isBoundToCurrentSet: true, allowsPasscode: false)
      let context = LAContext()
      // The kind is known once the policy was looked at.
      _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
      let kind: PowerAuthBiometricAuthenticationType =
        switch context.biometryType {
        case .touchID: .touchID
        case .faceID: .faceID
        default: .none
        }
      let status: PowerAuthBiometricAuthenticationStatus =
        switch item.availability {
        case .available: .available
        case .lockedOut: .lockout
        case .notEnrolled: .notEnrolled
        case .notAvailable: kind == .none ? .notSupported : .notAvailable
        }
      return PowerAuthBiometricAuthenticationInfo(currentStatus: status, biometryType: kind)
    }

    /// Keys in the keychain behind an access control: this device only, only while it has a passcode, and only for a
    /// finger or face that it knows.
    static func keychain(_ configuration: PowerAuthKeychainConfiguration) -> PowerAuthBiometryGuard {
      let item = BiometricKeychainItem(
        service: service(of: configuration), accessGroup: configuration.keychainAttribute_AccessGroup,
        isBoundToCurrentSet: configuration.linkBiometricItemsToCurrentSet,
        allowsPasscode: configuration.allowBiometricAuthenticationFallbackToDevicePasscode)
      return PowerAuthBiometryGuard(
        availability: { item.availability }, hasKey: { item.exists($0) },
        keep: { (key, name) throws(SecureStoreError) in try item.keep(key, as: name) },
        forget: { (name) throws(SecureStoreError) in try item.forget(name) },
        unlock: { name, prompt in item.unlock(name, prompt: prompt) })
    }
  }

  private struct BiometricKeychainItem: Sendable {
    let service: String
    let accessGroup: String?
    let isBoundToCurrentSet: Bool
    let allowsPasscode: Bool

    private var policy: LAPolicy {
      allowsPasscode ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
    }

    var availability: PowerAuthBiometryGuard.Availability {
      var error: NSError?
      let context = LAContext()
      if context.canEvaluatePolicy(policy, error: &error) {
        return context.biometryType != .faceID || FaceIDUsage.isDescribed ? .available : .notAvailable
      }
      switch error.map({ LAError.Code(rawValue: $0.code) }) {
      case .biometryLockout: return .lockedOut
      case .biometryNotEnrolled: return .notEnrolled
      default: return .notAvailable
      }
    }

    func exists(_ name: String) -> Bool {
      let context = LAContext()
      context.interactionNotAllowed = true
      var query = query(name)
      query[kSecUseAuthenticationContext as String] = context
      let status = SecItemCopyMatching(query as CFDictionary, nil)
      return status == errSecSuccess || status == errSecInteractionNotAllowed
    }

    func keep(_ key: Data, as name: String) throws(SecureStoreError) {
      let flags: SecAccessControlCreateFlags =
        allowsPasscode ? .userPresence : isBoundToCurrentSet ? .biometryCurrentSet : .biometryAny
      guard
        let access = SecAccessControlCreateWithFlags(
          nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, nil)
      else { throw SecureStoreError(.unavailable) }
      // An item's access control cannot be changed: make it anew.
      try forget(name)
      var item = query(name)
      item[kSecValueData as String] = key
      item[kSecAttrAccessControl as String] = access
      let status = SecItemAdd(item as CFDictionary, nil)
      guard status == errSecSuccess else { throw SecureStoreError(.unavailable, status: status) }
    }

    func forget(_ name: String) throws(SecureStoreError) {
      let status = SecItemDelete(query(name) as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw SecureStoreError(.unavailable, status: status)
      }
    }

    func unlock(_ name: String, prompt: String?) -> PowerAuthBiometryGuard.Answer {
      switch availability {
      case .available: break
      case .lockedOut: return .lockedOut
      case .notAvailable, .notEnrolled: return .notAvailable
      }
      let context = LAContext()
      if let prompt { context.localizedReason = prompt }
      var query = query(name)
      query[kSecUseAuthenticationContext as String] = context
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      switch SecItemCopyMatching(query as CFDictionary, &found) {
      case errSecSuccess: return (found as? Data).map { .key($0) } ?? .failed
      case errSecUserCanceled: return .cancelled
      // The keychain's answer when no user was recognised; by then the device may have locked biometry.
      case errSecAuthFailed: return availability == .lockedOut ? .lockedOut : .failed
      default: return .failed
      }
    }

    private func query(_ name: String) -> [String: Any] {
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: name,
        kSecAttrSynchronizable as String: false,
        kSecUseDataProtectionKeychain as String: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }
  }
#elseif canImport(Security)
  extension PowerAuthBiometryGuard {
    /// This system has a keychain and no biometry.
    static func keychain(_ configuration: PowerAuthKeychainConfiguration) -> PowerAuthBiometryGuard { .unavailable }
  }
#endif
