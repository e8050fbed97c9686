// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
package import SaltEdgeCore

/// The private key of a connection as calls use it: opened for one signature, or to read one answer, and dropped.
package struct ConnectionKey: Sendable, Redacted {
  private enum Content: Sendable {
    case open(RSAPrivateKey)
    case sealed(Data, KeyProtection.Permit?)
  }

  package let publicKey: RSAPublicKey
  private let content: Content

  /// One that nothing protects but the store.
  package init(_ key: RSAPrivateKey) { (publicKey, content) = (key.publicKey, .open(key)) }

  init(_ publicKey: RSAPublicKey, sealed: Data, permit: KeyProtection.Permit?) {
    (self.publicKey, content) = (publicKey, .sealed(sealed, permit))
  }

  /// The same key, opened by another permit.
  func opening(by permit: KeyProtection.Permit) -> ConnectionKey {
    guard case .sealed(let sealed, _) = content else { return self }
    return ConnectionKey(publicKey, sealed: sealed, permit: permit)
  }

  /// For one use.
  /// - Throws: `outOfOrder` with `userPresenceMissing`; `keyMissing` when it can never be opened again.
  package func opened() throws(AuthenticatorError) -> RSAPrivateKey {
    let (sealed, permit): (Data, KeyProtection.Permit?)
    switch content {
    case .open(let key): return key
    case .sealed(let data, let given): (sealed, permit) = (data, given)
    }
    guard let permit else { throw AuthenticatorError(.outOfOrder, .userPresenceMissing) }
    let pem: Data
    do throws(SecureStoreError) { pem = try permit.open(sealed) } catch {
      switch error.code {
      case .userAbsent: throw AuthenticatorError(.outOfOrder, .userPresenceMissing)
      case .keyMissing: throw AuthenticatorError(.keyMissing, .apiRequest)
      default: throw AuthenticatorError(error)
      }
    }
    guard let key = try? RSAPrivateKey(pem: String(decoding: pem, as: UTF8.self)), key.publicKey == publicKey else {
      throw AuthenticatorError(SecureStoreError(.tampered))
    }
    return key
  }
}
