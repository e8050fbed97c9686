internal import Foundation
public import GatehouseTransport
public import SaltEdgeCore

/// The keys of connections, each under a tag, sealed at rest by the store: `KeychainStore` on Apple platforms,
/// `SealedFileStore` elsewhere, or an app's own (specification §10.2).
///
/// A pair is one entry, so that it is whole or absent: the private key under the tag and `.private`. A public key that
/// stands alone, a bank's, lies under its tag.
public struct ConnectionKeys: Sendable {
  private let store: any DirectSecureStore

  /// - Parameter store: seals what it keeps.
  public init(_ store: any DirectSecureStore) { self.store = store }

  /// Draws a pair of RSA-2048 and keeps it in place of an earlier one. Takes a good part of a second.
  @discardableResult
  public func createPair(_ tag: String) throws(AuthenticatorError) -> RSAPrivateKey {
    let key: RSAPrivateKey
    do throws(SaltEdgeError) { key = try RSAPrivateKey.generate() } catch {
      throw AuthenticatorError(.notSent, .apiRequest)
    }
    try keep(key, as: tag)
    return key
  }

  /// Keeps a pair that was drawn elsewhere, in place of an earlier one.
  public func keep(_ key: RSAPrivateKey, as tag: String) throws(AuthenticatorError) {
    try keeping { () throws(SecureStoreError) in
      // First, or for an instant an older public key would stand beside the new private one.
      try store.remove(tag)
      try store.write(Data(key.pkcs8PEM.utf8), as: Self.privateName(tag))
    }
  }

  /// Keeps a public key that stands alone.
  public func keep(_ key: RSAPublicKey, as tag: String) throws(AuthenticatorError) {
    try keeping { () throws(SecureStoreError) in try store.write(Data(key.pem.utf8), as: tag) }
  }

  /// - Returns: nil when it is absent.
  /// - Throws: `store`, also for an entry that is no key.
  public func privateKey(_ tag: String) throws(AuthenticatorError) -> RSAPrivateKey? {
    guard let pem = try pem(Self.privateName(tag)) else { return nil }
    do throws(SaltEdgeError) { return try RSAPrivateKey(pem: pem) } catch {
      throw AuthenticatorError(SecureStoreError(.tampered))
    }
  }

  /// The one that stands alone, or the pair's.
  /// - Returns: nil when it is absent.
  public func publicKey(_ tag: String) throws(AuthenticatorError) -> RSAPublicKey? {
    guard let pem = try pem(tag) else { return try privateKey(tag)?.publicKey }
    do throws(SaltEdgeError) { return try RSAPublicKey(pem: pem) } catch {
      throw AuthenticatorError(SecureStoreError(.tampered))
    }
  }

  /// Forgets pair and public key under the tag; nothing happens when it is absent.
  public func remove(_ tag: String) throws(AuthenticatorError) {
    try keeping { () throws(SecureStoreError) in
      try store.remove(Self.privateName(tag))
      try store.remove(tag)
    }
  }

  private static func privateName(_ tag: String) -> String { "\(tag).private" }

  private func pem(_ name: String) throws(AuthenticatorError) -> String? {
    do throws(SecureStoreError) {
      return try store.read(name).map { String(decoding: $0, as: UTF8.self) }
    } catch { throw AuthenticatorError(error) }
  }

  private func keeping(_ change: () throws(SecureStoreError) -> Void) throws(AuthenticatorError) {
    do throws(SecureStoreError) { try change() } catch { throw AuthenticatorError(error) }
  }
}
