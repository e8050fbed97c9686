#if canImport(Security)
  public import Foundation
  internal import Security

  /// Secrets in the Keychain: this device only, readable after the first unlock, in no backup and not synchronised.
  public struct KeychainStore: DirectSecureStore {
    private let service: String
    private let accessGroup: String?

    /// - Parameters:
    ///   - service: Sets this app's secrets apart, such as its bundle identifier.
    ///   - accessGroup: To share with the app's extensions.
    public init(service: String, accessGroup: String? = nil) {
      self.service = service
      self.accessGroup = accessGroup
    }

    /// - Returns: nil when nothing is kept under the name.
    public func read(_ name: String) throws(SecureStoreError) -> Data? {
      var query = item(name)
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      try check(status)
      guard let data = found as? Data else { throw SecureStoreError(.tampered) }
      return data
    }

    /// Keeps the secret under the name, in place of an earlier one.
    public func write(_ secret: Data, as name: String) throws(SecureStoreError) {
      let content: [String: Any] = [
        kSecValueData as String: secret,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      let status = SecItemUpdate(item(name) as CFDictionary, content as CFDictionary)
      guard status == errSecItemNotFound else { return try check(status) }
      try check(SecItemAdd(item(name).merging(content) { _, new in new } as CFDictionary, nil))
    }

    /// Forgets what is kept under the name.
    public func remove(_ name: String) throws(SecureStoreError) {
      let status = SecItemDelete(item(name) as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
    }

    private func item(_ name: String) -> [String: Any] {
      var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: name,
        kSecAttrSynchronizable as String: false,
        kSecUseDataProtectionKeychain as String: true,
      ]
      if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
      return item
    }

    private func check(_ status: OSStatus) throws(SecureStoreError) {
      switch status {
      case errSecSuccess: return
      case errSecInteractionNotAllowed: throw SecureStoreError(.locked, status: status)
      default: throw SecureStoreError(.unavailable, status: status)
      }
    }
  }
#endif
