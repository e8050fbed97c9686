// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  public import Foundation
  internal import Security

  /// Secrets in the Keychain: this device only, readable after the first unlock, in no backup and not synchronised.
  ///
  /// The Keychain outlives the app. What an earlier installation left under the service is wiped before the first use
  /// in this one (docs/decisions/0066).
  public struct KeychainStore: DirectSecureStore {
    private let store: InstallationStore

    /// - Parameters:
    ///   - service: Sets this app's secrets apart, such as its bundle identifier.
    ///   - accessGroup: To share with the app's extensions. What is shared may be another app's, so it is not wiped.
    ///   - companions: services whose items are wiped together with these.
    public init(service: String, accessGroup: String? = nil, companions: [String] = []) {
      self.init(
        service: service, accessGroup: accessGroup, installation: accessGroup == nil ? .current : nil,
        companions: companions)
    }

    /// - Parameter installation: whose secrets they are. Nil for secrets that the next installation shall find:
    ///   nothing is ever wiped then.
    public init(
      service: String, accessGroup: String? = nil, installation: AppInstallation?, companions: [String] = []
    ) {
      store = InstallationStore(
        KeychainItems(service: service, accessGroup: accessGroup, companions: companions), of: installation)
    }

    /// The access group and the service.
    public var place: String { store.place }

    /// - Returns: nil when nothing is kept under the name.
    public func read(_ name: String) throws(SecureStoreError) -> Data? { try store.read(name) }

    /// Keeps the secret under the name, in place of an earlier one.
    public func write(_ secret: Data, as name: String) throws(SecureStoreError) { try store.write(secret, as: name) }

    /// Forgets what is kept under the name.
    public func remove(_ name: String) throws(SecureStoreError) { try store.remove(name) }
  }

  extension AppInstallation {
    /// Of the apps of a group together: the folder that they share goes with the last of them. Nil in an extension, and
    /// when the app does not belong to the group.
    public static func group(_ identifier: String) -> AppInstallation? {
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
      guard Bundle.main.bundleURL.pathExtension != "appex", let folder else { return nil }
      return AppInstallation(folder: folder.appendingPathComponent("gatehouse"), data: folder, isGroup: true)
    }
  }

  /// The items themselves: generic passwords of one service. A key whose application tag is the service belongs to
  /// them.
  private struct KeychainItems: PersistentSecureStore {
    let service: String
    let accessGroup: String?
    let companions: [String]

    var place: String { "keychain \(accessGroup ?? "") \(service)" }

    func read(_ name: String) throws(SecureStoreError) -> Data? {
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

    func write(_ secret: Data, as name: String) throws(SecureStoreError) {
      let content: [String: Any] = [
        kSecValueData as String: secret,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      let status = SecItemUpdate(item(name) as CFDictionary, content as CFDictionary)
      guard status == errSecItemNotFound else { return try check(status) }
      try check(SecItemAdd(item(name).merging(content) { _, new in new } as CFDictionary, nil))
    }

    func remove(_ name: String) throws(SecureStoreError) { try delete(item(name)) }

    func lastChange() throws(SecureStoreError) -> Date? {
      try all().compactMap { $0[kSecAttrModificationDate as String] as? Date }.max()
    }

    /// An app's own access group ends with its bundle identifier. The system puts items without a group into the first
    /// one that the app is entitled to, which may be another app's, too.
    func mayBeShared() throws(SecureStoreError) -> Bool {
      let own = Bundle.main.bundleIdentifier.map { ".\($0)" } ?? ""
      return try !all().allSatisfy { item in
        (item[kSecAttrAccessGroup as String] as? String)?.hasSuffix(own) == true && !own.isEmpty
      }
    }

    /// What signs goes first.
    func removeAll(except name: String) throws(SecureStoreError) {
      try delete(
        query([kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data(service.utf8)]))
      for companion in companions { try delete(passwords(of: companion)) }
      for account in try all().compactMap({ $0[kSecAttrAccount as String] as? String }) where account != name {
        try remove(account)
      }
    }

    /// What the system tells about each item, without the secret.
    private func all() throws(SecureStoreError) -> [[String: Any]] {
      var query = passwords(of: service)
      query[kSecReturnAttributes as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitAll
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return [] }
      try check(status)
      guard let items = found as? [[String: Any]] else { throw SecureStoreError(.unavailable) }
      return items
    }

    private func item(_ name: String) -> [String: Any] {
      var item = passwords(of: service)
      item[kSecAttrAccount as String] = name
      return item
    }

    private func passwords(of service: String) -> [String: Any] {
      query([
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        kSecAttrSynchronizable as String: false,
      ])
    }

    private func query(_ members: [String: Any]) -> [String: Any] {
      var query = members
      query[kSecUseDataProtectionKeychain as String] = true
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    private func delete(_ query: [String: Any]) throws(SecureStoreError) {
      let status = SecItemDelete(query as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
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
