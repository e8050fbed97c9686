// SPDX-License-Identifier: Apache-2.0

#if canImport(Security) && canImport(LocalAuthentication)
  internal import CryptoKit
  internal import Foundation
  internal import GatehouseTransport
  internal import LocalAuthentication
  internal import Security
  internal import Locks

  extension KeyProtection {
    /// The device's owner. The app's Info.plist needs `NSFaceIDUsageDescription`.
    public static var device: KeyProtection? { device(tag: "com.saltedge.authenticator") }

    /// - Parameter tag: names what seals the keys. The service of the `KeychainStore`: then it is wiped with it.
    public static func device(tag: String) -> KeyProtection {
      let key = WrappingKey(tag: Data(tag.utf8))
      return KeyProtection(
        seal: { (secret) throws(SecureStoreError) in try key.seal(secret) },
        ask: { question, reason in
          let user = DeviceUser(reason: reason)
          return await user.ask(question, reason) ?? .permitted(key.permit(by: user))
        }, askLater: { reason in key.permit(by: DeviceUser(reason: reason)) })
    }
  }

  extension Biometrics {
    /// The device's face or finger. The app's Info.plist needs `NSFaceIDUsageDescription`.
    public static let device = Biometrics(
      isAvailable: {
        LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) && DeviceUser.mayBeAsked
      },
      evaluate: { reason in
        switch await DeviceUser(reason: reason).ask(.biometrics, reason) {
        case nil: .recognised
        case .lockedOut: .lockedOut
        case .permitted, .refused: .refused
        }
      })
  }

  /// A key of P-256 that the Secure Enclave holds, and uses only for its user. Where there is no Secure Enclave it is
  /// an item of the Keychain with the same access control: the enrolled faces and fingers, or the device's passcode.
  ///
  /// What it seals is the digest of its public key and an ECIES ciphertext. The public key lies beside it, so that
  /// sealing does not ask the user. Both go when the device's passcode is turned off.
  private struct WrappingKey: Sendable {
    private static let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

    let tag: Data

    func seal(_ secret: Data) throws(SecureStoreError) -> Data {
      let key = if let known = try find(kSecAttrKeyClassPublic) { known } else { try create() }
      guard let sealed = SecKeyCreateEncryptedData(key, Self.algorithm, secret as CFData, nil) else {
        throw SecureStoreError(.unavailable)
      }
      return try Self.digest(of: key) + (sealed as Data)
    }

    func permit(by user: DeviceUser) -> KeyProtection.Permit {
      KeyProtection.Permit(
        open: { (sealed) throws(SecureStoreError) in
          try user.use { (context) throws(SecureStoreError) in try open(sealed, context) }
        }, end: { user.leave() })
    }

    private func open(_ sealed: Data, _ context: LAContext) throws(SecureStoreError) -> Data {
      guard let key = try find(kSecAttrKeyClassPrivate, context), let publicKey = SecKeyCopyPublicKey(key),
        try Self.digest(of: publicKey) == sealed.prefix(SHA256.Digest.byteCount)
      else { throw SecureStoreError(.keyMissing) }
      var failure: Unmanaged<CFError>?
      let plain = SecKeyCreateDecryptedData(
        key, Self.algorithm, Data(sealed.dropFirst(SHA256.Digest.byteCount)) as CFData, &failure)
      if let plain { return plain as Data }
      let error = failure?.takeRetainedValue() as (any Error)?
      let (domain, code) = error.map { (($0 as NSError).domain, ($0 as NSError).code) } ?? ("", 0)
      let absences = [errSecUserCanceled, errSecAuthFailed, errSecInteractionNotAllowed].map(Int.init)
      let isAbsent = domain == LAError.errorDomain || (domain == NSOSStatusErrorDomain && absences.contains(code))
      throw SecureStoreError(isAbsent ? .userAbsent : .tampered, status: Int32(truncatingIfNeeded: code))
    }

    /// - Parameter context: of the user, for a private key.
    /// - Returns: nil when it is absent.
    private func find(_ keyClass: CFString, _ context: LAContext? = nil) throws(SecureStoreError) -> SecKey? {
      var query = item(keyClass)
      query[kSecReturnRef as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      if let context { query[kSecUseAuthenticationContext as String] = context }
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      switch status {
      case errSecSuccess: break
      case errSecItemNotFound: return nil
      // Without a Secure Enclave the item itself asks.
      case errSecUserCanceled, errSecAuthFailed: throw SecureStoreError(.userAbsent, status: status)
      case errSecInteractionNotAllowed:
        throw SecureStoreError(context == nil ? .locked : .userAbsent, status: status)
      default: throw SecureStoreError(.unavailable, status: status)
      }
      guard let found, CFGetTypeID(found) == SecKeyGetTypeID() else { throw SecureStoreError(.unavailable) }
      // Of this class, as its type says: a conditional cast of a CF type always succeeds.
      return unsafeDowncast(found, to: SecKey.self)
    }

    /// The public key is kept last: one that stands there has its private key.
    private func create() throws(SecureStoreError) -> SecKey {
      for keyClass in [kSecAttrKeyClassPrivate, kSecAttrKeyClassPublic] {
        let status = SecItemDelete(item(keyClass) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
          throw SecureStoreError(.unavailable, status: status)
        }
      }
      // A device whose owner has set up no face or finger refuses a key that is bound to them.
      let hasBiometry = LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
      var flags: SecAccessControlCreateFlags =
        hasBiometry ? [.biometryCurrentSet, .or, .devicePasscode] : .devicePasscode
      if SecureEnclave.isAvailable { flags.insert(.privateKeyUsage) }
      guard
        let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, nil)
      else { throw SecureStoreError(.unavailable) }
      let privateAttributes: [String: Any] = [
        kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag,
        kSecAttrAccessControl as String: access,
      ]
      var attributes: [String: Any] = [
        kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
        kSecUseDataProtectionKeychain as String: true, kSecPrivateKeyAttrs as String: privateAttributes,
      ]
      if SecureEnclave.isAvailable { attributes[kSecAttrTokenID as String] = kSecAttrTokenIDSecureEnclave }
      guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil), let publicKey = SecKeyCopyPublicKey(key)
      else { throw SecureStoreError(.unavailable) }
      var kept = item(kSecAttrKeyClassPublic)
      kept[kSecValueRef as String] = publicKey
      kept[kSecAttrAccessible as String] = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      let status = SecItemAdd(kept as CFDictionary, nil)
      guard status == errSecSuccess else { throw SecureStoreError(.unavailable, status: status) }
      return publicKey
    }

    private func item(_ keyClass: CFString) -> [String: Any] {
      [
        kSecClass as String: kSecClassKey, kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeyClass as String: keyClass, kSecAttrApplicationTag as String: tag,
        kSecUseDataProtectionKeychain as String: true,
      ]
    }

    private static func digest(of publicKey: SecKey) throws(SecureStoreError) -> Data {
      guard let bytes = SecKeyCopyExternalRepresentation(publicKey, nil) else { throw SecureStoreError(.unavailable) }
      return Data(SHA256.hash(data: bytes as Data))
    }
  }

  /// The holder of the device, from when they were asked until they leave.
  private final class DeviceUser: Sendable {
    private let context: Guarded<LAContext>
    private let hasLeft = Guarded(false)

    init(reason: String) {
      let context = LAContext()
      context.localizedReason = reason
      self.context = Guarded(context)
    }

    /// Whether asking does not end the app: where it would be for a face, its Info.plist has to say why.
    static var mayBeAsked: Bool {
      let context = LAContext()
      // The kind is known once it was asked for.
      _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
      return context.biometryType != .faceID || FaceIDUsage.isDescribed
    }

    /// - Returns: nil when it is the owner.
    func ask(_ question: KeyProtection.Question, _ reason: String) async -> KeyProtection.Answer? {
      let policy: LAPolicy =
        question == .biometrics ? .deviceOwnerAuthenticationWithBiometrics : .deviceOwnerAuthentication
      guard Self.mayBeAsked else { return .refused }
      return await withCheckedContinuation { done in
        context.withLock { context in
          context.evaluatePolicy(policy, localizedReason: reason) { isOwner, error in
            let isLockedOut = (error as? LAError)?.code == .biometryLockout
            done.resume(returning: isOwner ? nil : isLockedOut ? .lockedOut : .refused)
          }
        }
      }
    }

    func use(_ body: (LAContext) throws(SecureStoreError) -> Data) throws(SecureStoreError) -> Data {
      guard !hasLeft.withLock({ $0 }), Self.mayBeAsked else { throw SecureStoreError(.userAbsent) }
      return try context.withLock { (context) throws(SecureStoreError) in try body(context) }
    }

    /// Does not wait for a question that the user is looking at.
    func leave() {
      hasLeft.withLock { $0 = true }
      _ = context.withLockIfAvailable { $0.invalidate() }
    }
  }
#endif
