// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeAuthenticator
internal import SaltEdgeCore
internal import SaltEdgeWire

/// Keys of connections, and what is encrypted for them (saltedge-authenticator §4.10, §10.2). Keys are kept in the
/// platform's store; bytes of keys are PKCS #1, as an iOS key chain gives them, PEM of public keys is
/// SubjectPublicKeyInfo.
public struct SECryptoHelper {
  private static var keys: ConnectionKeys { SEAuthenticatorPlatform.current.keys }

  // MARK: Keys

  /// Draws a pair of RSA-2048 and keeps it in place of an earlier one. Takes a good part of a second.
  /// - Returns: nil when it could not be kept.
  @discardableResult
  public static func createKeyPair(with tag: KeyTag) -> KeyPair? {
    guard let key = try? keys.createPair(tag), let publicKey = try? SEKey.make(key.publicKey, tag),
      let privateKey = try? SEKey.make(key, tag)
    else { return nil }
    return (publicKey, privateKey)
  }

  /// Keeps a key that came from elsewhere, in place of an earlier one: a bank's, or a pair by its private key.
  /// - Returns: nil when the text is no such key, or when it could not be kept.
  @discardableResult
  public static func createKey(from pem: String, isPublic: Bool, tag: String) -> SEKey? {
    do {
      if isPublic {
        let key = try RSAPublicKey(pem: pem)
        try keys.keep(key, as: tag)
        return try SEKey.make(key, tag)
      }
      let key = try RSAPrivateKey(pem: pem)
      try keys.keep(key, as: tag)
      return try SEKey.make(key, tag)
    } catch {
      return nil
    }
  }

  /// Forgets both halves.
  /// - Returns: false when the store refused. There need not have been any.
  @discardableResult
  public static func deleteKeyPair(with tag: KeyTag) -> Bool { (try? keys.remove(tag)) != nil }

  /// - Returns: nil when there is no such key.
  public static func privateKeyToPem(tag: String) -> String? { (try? storedPrivateKey(tag))?.pkcs1PEM }

  /// - Returns: nil when there is no such key.
  public static func publicKeyToPem(tag: String) -> String? { (try? storedPublicKey(tag))?.pem }

  /// - Throws: `SESecKeyHelperError`.
  public static func publicKeyData(for tag: String) throws -> Data { try storedPublicKey(tag).pkcs1DER }

  /// - Throws: `SESecKeyHelperError`.
  public static func privateKeyData(for tag: String) throws -> Data {
    let key = try storedPrivateKey(tag)
    guard let pem = try? PEM(text: key.pkcs1PEM) else { throw SESecKeyHelperError.couldNotObtainKeyData(for: tag) }
    return pem.der
  }

  /// - Throws: `SESecKeyHelperError`.
  public static func publicKey(for tag: String) throws -> SEKey { try SEKey.make(storedPublicKey(tag), tag) }

  /// - Throws: `SESecKeyHelperError`.
  public static func privateKey(for tag: String) throws -> SEKey { try SEKey.make(storedPrivateKey(tag), tag) }

  // MARK: Encryption

  /// Encrypts for the owner of the key under the tag.
  /// - Throws: `SESecKeyHelperError`, or `couldNotEncryptChunk` for more than a megabyte.
  public static func encrypt(_ message: String, tag: String) throws -> SEEncryptedData {
    let key = try storedPublicKey(tag)
    do {
      return SEEncryptedData(
        try SaltEdge.Ciphertext(
          encrypting: Data(message.utf8), for: key, randomness: SEAuthenticatorPlatform.current.randomness))
    } catch {
      throw SECryptoHelperError.couldNotEncryptChunk(at: 0)
    }
  }

  /// Decrypts an authorization or a consent.
  /// - Throws: `SESecKeyHelperError`; `noKeyProvided` or `noIvProvided` when there is nothing to decrypt;
  ///   `couldNotDecryptChunk` for everything else.
  public static func decrypt(_ encryptedData: any SEBaseEncryptedAuthorizationData, tag: String) throws -> String {
    let key = try storedPrivateKey(tag)
    guard !encryptedData.key.isEmpty else { throw SEAesCipherError.noKeyProvided }
    guard !encryptedData.iv.isEmpty else { throw SEAesCipherError.noIvProvided }
    let ciphertext = SaltEdge.Ciphertext(key: encryptedData.key, iv: encryptedData.iv, data: encryptedData.data)
    guard let text = ciphertext.text(with: key) else { throw SECryptoHelperError.couldNotDecryptChunk(at: 0) }
    return text
  }

  /// Decrypts what fits into one block, as the access token of v2 does: gives the text that was encrypted, which is
  /// `{"access_token": "…"}` there.
  /// - Parameter key: Base64; line ends and the alphabet of base64url are tolerated.
  /// - Throws: `SESecKeyHelperError`, `errorCreatingData` for what is no Base64, else `couldNotDecryptChunk`.
  public static func decrypt(key: String, tag: String) throws -> String {
    let privateKey = try storedPrivateKey(tag)
    guard let ciphertext = Base64Text.decode(key.utf8, .any) else {
      throw SECryptoHelperError.errorCreatingData(fromBase64: key)
    }
    guard let bytes = try? privateKey.decrypt(ciphertext), let text = String(validUTF8: bytes) else {
      throw SECryptoHelperError.couldNotDecryptChunk(at: 0)
    }
    return text
  }

  /// - Throws: `errorGeneratingRandomBytes` for less than none.
  public static func generateRandomBytes(count: Int) throws -> Data {
    guard count >= 0 else { throw SECryptoHelperError.errorGeneratingRandomBytes }
    return Data(SEAuthenticatorPlatform.current.randomness.bytes(count))
  }

  private static func storedPublicKey(_ tag: String) throws -> RSAPublicKey {
    guard let key = try? keys.publicKey(tag) else { throw SESecKeyHelperError.couldNotObtainKey(for: tag) }
    return key
  }

  private static func storedPrivateKey(_ tag: String) throws -> RSAPrivateKey {
    guard let key = try? SEAuthenticatorPlatform.current.key(tag).opened() else {
      throw SESecKeyHelperError.couldNotObtainKey(for: tag)
    }
    return key
  }
}
