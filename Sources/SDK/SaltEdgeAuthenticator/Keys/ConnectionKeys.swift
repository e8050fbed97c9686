// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import GatehouseTransport
internal import GatehouseWire
public import SaltEdgeCore

/// The keys of connections, each under a tag, sealed at rest by the store: `KeychainStore` on Apple platforms,
/// `SealedFileStore` elsewhere, or an app's own (specification §10.2).
///
/// A pair is one entry, so that it is whole or absent: under the tag and `.private`. It is the private key, or, where
/// keys are protected, that key sealed beside the public one. A public key that stands alone, a bank's, lies under its
/// tag.
///
/// Versions before 2026-11-24 kept a pair that `SECreateConnectionRequestData` made under the bare guid that they were
/// given. The first use of such a pair moves it to the tag of that guid.
public struct ConnectionKeys: Sendable {
  private let store: any DirectSecureStore
  private let protection: KeyProtection?

  /// - Parameters:
  ///   - store: seals what it keeps.
  ///   - protection: binds private keys to the device's user; nil leaves them to the store alone.
  public init(_ store: any DirectSecureStore, protection: KeyProtection? = nil) {
    (self.store, self.protection) = (store, protection)
  }

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
      var entry = Data(key.pkcs8PEM.utf8)
      if let protection {
        let sealed = SealedKey(publicKey: key.publicKey.pem, sealed: try protection.seal(entry))
        guard let data = try? WireJSON.encode(sealed) else { throw SecureStoreError(.unavailable) }
        entry = data
      }
      // First, or for an instant an older public key would stand beside the new private one.
      try store.remove(tag)
      try store.write(entry, as: Self.privateName(tag))
      try removeBarePair(of: tag)
    }
  }

  /// Keeps a public key that stands alone.
  public func keep(_ key: RSAPublicKey, as tag: String) throws(AuthenticatorError) {
    try keeping { () throws(SecureStoreError) in try store.write(Data(key.pem.utf8), as: tag) }
  }

  /// - Returns: nil when it is absent.
  /// - Throws: `store`, also for an entry that is no key; `outOfOrder` for one that only its user opens.
  public func privateKey(_ tag: String) throws(AuthenticatorError) -> RSAPrivateKey? { try key(tag)?.opened() }

  /// The pair's private key as calls use it. One that an earlier version kept unsealed is sealed first.
  /// - Parameter permit: opens it where keys are protected.
  /// - Returns: nil when it is absent.
  package func key(
    _ tag: String, by permit: KeyProtection.Permit? = nil
  ) throws(AuthenticatorError) -> ConnectionKey? {
    var entry = try text(Self.privateName(tag))
    if entry == nil { entry = try adoptBarePair(of: tag) }
    guard let text = entry else { return nil }
    let plain: RSAPrivateKey
    do throws(SaltEdgeError) {
      if let entry = try? WireJSON.decode(SealedKey.self, from: Data(text.utf8)) {
        return ConnectionKey(try RSAPublicKey(pem: entry.publicKey), sealed: entry.sealed, permit: permit)
      }
      plain = try RSAPrivateKey(pem: text)
    } catch { throw AuthenticatorError(SecureStoreError(.tampered)) }
    guard protection != nil else { return ConnectionKey(plain) }
    try keep(plain, as: tag)
    return try self.key(tag, by: permit)
  }

  /// The one that stands alone, or the pair's.
  /// - Returns: nil when it is absent.
  public func publicKey(_ tag: String) throws(AuthenticatorError) -> RSAPublicKey? {
    guard let pem = try text(tag) else { return try key(tag)?.publicKey }
    do throws(SaltEdgeError) { return try RSAPublicKey(pem: pem) } catch {
      throw AuthenticatorError(SecureStoreError(.tampered))
    }
  }

  /// Forgets pair and public key under the tag; nothing happens when it is absent.
  public func remove(_ tag: String) throws(AuthenticatorError) {
    try keeping { () throws(SecureStoreError) in
      // First: what is left when this stops half-way must not come back as the pair.
      try removeBarePair(of: tag)
      try store.remove(Self.privateName(tag))
      try store.remove(tag)
    }
  }

  /// Moves a pair that an earlier version kept under the bare guid of the tag.
  /// - Returns: the entry; nil when the store has no such entry.
  private func adoptBarePair(of tag: String) throws(AuthenticatorError) -> String? {
    guard let guid = KeyTag.guid(ofPair: tag), let entry = try text(Self.privateName(guid)) else { return nil }
    try keeping { () throws(SecureStoreError) in
      try store.write(Data(entry.utf8), as: Self.privateName(tag))
      try store.remove(Self.privateName(guid))
    }
    return entry
  }

  private func removeBarePair(of tag: String) throws(SecureStoreError) {
    if let guid = KeyTag.guid(ofPair: tag) { try store.remove(Self.privateName(guid)) }
  }

  private static func privateName(_ tag: String) -> String { "\(tag).private" }

  /// A private key that only its user can open.
  private struct SealedKey: Codable {
    let publicKey: String
    let sealed: Data
  }

  private func text(_ name: String) throws(AuthenticatorError) -> String? {
    do throws(SecureStoreError) {
      return try store.read(name).map { String(decoding: $0, as: UTF8.self) }
    } catch { throw AuthenticatorError(error) }
  }

  private func keeping(_ change: () throws(SecureStoreError) -> Void) throws(AuthenticatorError) {
    do throws(SecureStoreError) { try change() } catch { throw AuthenticatorError(error) }
  }
}
