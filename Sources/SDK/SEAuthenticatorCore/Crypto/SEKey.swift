// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(Security)
  internal import SaltEdgeCore
  public import Security

  /// An RSA key, public or private.
  public typealias SEKey = SecKey

  extension SEKey {
    /// - Throws: `couldNotObtainKey` when the system does not take the key.
    static func make(_ key: RSAPublicKey, _ tag: String) throws -> SEKey {
      try make(key.pkcs1DER, kSecAttrKeyClassPublic, tag)
    }

    /// - Throws: `couldNotObtainKey` when the system does not take the key.
    static func make(_ key: RSAPrivateKey, _ tag: String) throws -> SEKey {
      try make(PEM(text: key.pkcs1PEM).der, kSecAttrKeyClassPrivate, tag)
    }

    private static func make(_ der: Data, _ keyClass: CFString, _ tag: String) throws -> SEKey {
      let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: keyClass]
      guard let key = SecKeyCreateWithData(der as CFData, attributes as CFDictionary, nil) else {
        throw SESecKeyHelperError.couldNotObtainKey(for: tag)
      }
      return key
    }
  }
#else
  public import SaltEdgeCore

  /// An RSA key, public or private: what the published surface has `SecKey` for.
  public enum SEKey: Sendable, Redacted {
    case publicKey(RSAPublicKey)
    case privateKey(RSAPrivateKey)

    static func make(_ key: RSAPublicKey, _ tag: String) throws -> SEKey { .publicKey(key) }

    static func make(_ key: RSAPrivateKey, _ tag: String) throws -> SEKey { .privateKey(key) }
  }
#endif
