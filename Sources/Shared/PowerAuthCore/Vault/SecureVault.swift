// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// What `KEY_ENCRYPTION_VAULT` protects, and how it reaches a device that proved its factors (powerauth.md §8, §3.5).
public enum SecureVault {
  /// Bytes of the encrypted key: one block and its padding.
  public static let encryptedKeyBytes = 32

  /// `encryptedVaultEncryptionKey`, on the server.
  public static func encrypted(_ vaultKey: SecretKey, transportKey: TransportKey) -> Data {
    AES128CBC.encrypt(vaultKey.bytes, key: transportKey.key, padding: .pkcs7)
  }

  /// The vault's key out of a server's answer, on the device.
  /// - Throws: `malformed` for another length; `notAuthentic` when it does not decrypt to a key. Nothing but the
  ///   envelope that it comes in authenticates it.
  public static func decrypted(_ encryptedKey: Data, transportKey: TransportKey) throws(PowerAuthError) -> SecretKey {
    guard encryptedKey.count == encryptedKeyBytes else { throw .malformed(.vault) }
    let bytes = try AES128CBC.decrypt(encryptedKey, key: transportKey.key, padding: .pkcs7)
    guard bytes.count == SecretKey.byteCount else { throw .notAuthentic }
    return try SecretKey(bytes)
  }

  /// A key for an app's own data.
  public static func applicationKey(_ vaultKey: SecretKey, index: UInt64) -> SecretKey {
    vaultKey.derived(index: index)
  }

  /// Bytes of the largest text that a device keeps in its vault.
  public static let contentBytesMax = 1024

  /// A short secret of the activation, such as its recovery code, as the device keeps it.
  /// - Throws: `tooLong`.
  public static func encrypted(_ content: Data, vaultKey: SecretKey) throws(PowerAuthError) -> Data {
    guard content.count <= contentBytesMax else { throw .tooLong(.vault) }
    return AES128CBC.encrypt(content, key: vaultKey, padding: .pkcs7)
  }

  /// - Throws: `tooLong`; `notAuthentic` with a wrong key, unless it happens to give padding: nothing authenticates
  ///   the content, whose reader checks its form.
  public static func decrypted(_ encrypted: Data, vaultKey: SecretKey) throws(PowerAuthError) -> Data {
    guard encrypted.count <= contentBytesMax + AES128CBC.blockBytes else { throw .tooLong(.vault) }
    return try AES128CBC.decrypt(encrypted, key: vaultKey, padding: .pkcs7)
  }

  /// `C_KEY_DEVICE_PRIVATE`: the device's private key as the device keeps it.
  public static func encrypted(_ devicePrivateKey: ECPrivateKey, vaultKey: SecretKey) -> Data {
    AES128CBC.encrypt(devicePrivateKey.scalar, key: vaultKey, padding: .pkcs7)
  }

  /// - Throws: `notAuthentic` or `invalidKey` with a wrong key.
  /// - Parameter publicKey: what the private key must belong to: a wrong key may decrypt to some number.
  public static func devicePrivateKey(
    _ encryptedKey: Data, vaultKey: SecretKey, publicKey: ECPublicKey
  ) throws(PowerAuthError) -> ECPrivateKey {
    guard encryptedKey.count <= 3 * AES128CBC.blockBytes else { throw .malformed(.vault) }
    let key = try ECPrivateKey(AES128CBC.decrypt(encryptedKey, key: vaultKey, padding: .pkcs7))
    guard key.publicKey == publicKey else { throw .notAuthentic }
    return key
  }
}

/// Why a device asks for the vault's key.
public enum VaultUnlockReason: String, CaseIterable, Codable, Hashable, Sendable {
  case addBiometry = "ADD_BIOMETRY"
  case fetchEncryptionKey = "FETCH_ENCRYPTION_KEY"
  case signWithDevicePrivateKey = "SIGN_WITH_DEVICE_PRIVATE_KEY"
  case recoveryCode = "RECOVERY_CODE"
  case notSpecified = "NOT_SPECIFIED"
}
