// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import GatehouseWire
import Kit

/// The keys by which a provider signs: a JSON Web Key Set (RFC 7517 §5).
struct OpenIDKeySet: Sendable {
  /// Keys of one set, at most.
  static let countMax = 100

  /// The algorithms that are taken (RFC 7518 §3.1). Neither `none` nor an HMAC is: with an HMAC, anyone who reads the
  /// provider's public key could sign with it.
  enum Algorithm: String {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
  }

  private enum PublicKey: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
  }

  private struct Entry: Sendable {
    let id: String?
    let algorithm: String?
    let key: PublicKey
  }

  private struct Wire: Decodable {
    let keys: [Lenient]

    /// A key of a kind that is not known is passed over (RFC 7517 §5).
    struct Lenient: Decodable {
      let key: Key?

      init(from decoder: any Decoder) throws { key = try? Key(from: decoder) }
    }

    struct Key: Decodable {
      let kty: String
      let kid: String?
      let use: String?
      let alg: String?
      let n: String?
      let e: String?
      let crv: String?
      let x: String?
      let y: String?
    }
  }

  private let entries: [Entry]

  /// - Returns: nil when the bytes are no key set.
  init?(_ data: Data) {
    guard let wire = try? WireJSON.decode(Wire.self, from: data), wire.keys.count <= Self.countMax else {
      return nil
    }
    entries = wire.keys.compactMap(\.key).compactMap { key in
      guard key.use ?? "sig" == "sig", let value = Self.key(key) else { return nil }
      return Entry(id: key.kid, algorithm: key.alg, key: value)
    }
  }

  private static func key(_ key: Wire.Key) -> PublicKey? {
    func bytes(_ text: String?) -> Data? { text.flatMap { Data(base64URL: $0) } }
    switch key.kty {
    case "RSA":
      // Below 2048 bits the initializer refuses; above 8192 checking costs too much.
      guard let n = bytes(key.n), let e = bytes(key.e), n.count <= 1024, e.count <= 4 else { return nil }
      return (try? _RSA.Signing.PublicKey(n: n, e: e)).map(PublicKey.rsa)
    case "EC":
      guard key.crv == "P-256", let x = bytes(key.x), let y = bytes(key.y), x.count == 32, y.count == 32 else {
        return nil
      }
      return (try? P256.Signing.PublicKey(x963Representation: [4] + x + y)).map(PublicKey.p256)
    default: return nil
    }
  }

  /// Whether a key of that id, or the only key where tokens name none, could have signed by the algorithm.
  func has(_ id: String?, for algorithm: Algorithm) -> Bool { candidates(id, algorithm).count == 1 }

  private func candidates(_ id: String?, _ algorithm: Algorithm) -> [Entry] {
    entries.filter { entry in
      guard id == nil || entry.id == id, entry.algorithm ?? algorithm.rawValue == algorithm.rawValue else {
        return false
      }
      switch (entry.key, algorithm) {
      case (.rsa, .rs256), (.rsa, .ps256), (.p256, .es256): return true
      default: return false
      }
    }
  }

  /// Whether the one fitting key signed this (RFC 7515 §5.2).
  func isValid(_ signature: Data, of signed: Data, by algorithm: Algorithm, key id: String?) -> Bool {
    let fitting = candidates(id, algorithm)
    guard fitting.count == 1 else { return false }
    let digest = SHA256.hash(data: signed)
    switch fitting[0].key {
    case .rsa(let key):
      return key.isValidSignature(
        .init(rawRepresentation: signature), for: digest, padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
    case .p256(let key):
      guard signature.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      else { return false }
      return key.isValidSignature(signature, for: digest)
    }
  }
}
