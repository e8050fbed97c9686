// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// What is of two persons at once, as the note of a transfer is: it opens while the keys of both are there, so that an
/// erasure of either one ends it, in every copy.
///
/// Sealed form: `0x03` ‖ ids of the two keys (36 ASCII bytes each) ‖ nonce (12) ‖ AES-256-GCM ciphertext ‖ tag (16),
/// under a key that HKDF with SHA-256 (RFC 5869) derives from both.
extension Vault {
  static let sharedVersion: UInt8 = 3
  static let sharedHeaderLength = 1 + 2 * keyIDLength

  /// Seals under the keys of two persons, or of the one who has a key; under a data key when neither has.
  package func seal(
    _ bytes: some DataProtocol, context: String, of one: KeySubject?, and other: KeySubject?,
    in tx: any SQLTransaction
  ) throws -> Data {
    let keys = try [one, other].compactMap { try $0.flatMap { try subjectKey(of: $0, in: tx) } }
    return try seal(bytes, context: context, under: keys.first, and: keys.dropFirst().first)
  }

  /// - Parameters:
  ///   - one: nil when neither of the two has a key.
  ///   - other: nil, or the same as the first, seals under the first alone.
  package func seal(
    _ bytes: some DataProtocol, context: String, under one: SubjectKey?, and other: SubjectKey?
  ) throws -> Data {
    guard let one, let other, one.id != other.id else { return try seal(bytes, context: context, under: one ?? other) }
    let box = try AES.GCM.seal(
      bytes, using: Self.sharedKey(one, other), nonce: AES.GCM.Nonce(data: world.random(12)),
      authenticating: Data(context.utf8))
    return Data([Self.sharedVersion]) + Data(one.id.utf8) + Data(other.id.utf8) + (box.combined ?? Data())
  }

  /// - Throws: `VaultError.erased` when one of the two keys is gone.
  func openShared(_ sealed: Data, _ ids: [String], context: String, in tx: any SQLTransaction) throws -> Data {
    let keys = try ids.map { try subjectKey($0, in: tx) }
    return try Self.sharedKey(keys[0], keys[1])
      .open(sealed.dropFirst(Self.sharedHeaderLength), authenticating: context)
  }

  private static func sharedKey(_ one: SubjectKey, _ other: SubjectKey) -> SymmetricKey {
    let both = [one, other].reduce(into: Data()) { data, key in
      key.key.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: both), info: Data("gatehouse shared \(one.id) \(other.id)".utf8),
      outputByteCount: 32)
  }

  /// The ids of the persons' keys that sealed these bytes together; empty when not two did.
  static func sharedKeyIDs(of sealed: Data) -> [String] {
    guard sealed.count > sharedHeaderLength, sealed.first == sharedVersion else { return [] }
    let ids = sealed.dropFirst().prefix(2 * keyIDLength)
    return [ids.prefix(keyIDLength), ids.suffix(keyIDLength)].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The ids of all persons' keys that these bytes need to be opened; empty when a data key sealed them.
  package static func subjectKeyIDs(of sealed: Data) -> [String] {
    subjectKeyID(of: sealed).map { [$0] } ?? sharedKeyIDs(of: sealed)
  }

  /// The keys of several subjects that have one, by the ids of these, in one statement.
  package func subjectKeys(of ids: [String], in tx: any SQLTransaction) throws -> [String: SubjectKey] {
    guard subjectKeys != nil, !ids.isEmpty else { return [:] }
    let digests = Dictionary(ids.map { (subjectDigest($0), $0) }, uniquingKeysWith: { first, _ in first })
    return try SubjectKeyStore(tx).find(subjects: digests.keys.sorted()).reduce(into: [:]) { keys, row in
      if let id = digests[row.subject] { keys[id] = try opened(row) }
    }
  }
}
