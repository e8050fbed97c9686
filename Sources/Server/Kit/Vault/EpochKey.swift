// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The key of an epoch, under which the keys of persons are wrapped. Each epoch's key is derived from the
/// one before it, and no earlier one from a later one: this value opens what was wrapped in its epoch or later.
package struct EpochKey: Sendable, Equatable {
  package let epoch: Int
  fileprivate let bytes: Data

  /// The first one of an installation.
  package init(world: World) { (epoch, bytes) = (1, Data(world.random(32))) }

  fileprivate init(_ epoch: Int, _ bytes: Data) { (self.epoch, self.bytes) = (epoch, bytes) }

  /// - Throws: `EpochKeyError.destroyed` for an epoch before this one.
  package func key(of other: Int) throws -> EpochKey {
    guard other >= epoch else { throw EpochKeyError.destroyed(epoch: other) }
    var bytes = bytes
    for _ in epoch..<other { bytes = Self.derive(bytes, "next epoch") }
    return EpochKey(other, bytes)
  }

  /// Tells keys of two installations apart, and says nothing about the key.
  var fingerprint: String { Self.derive(bytes, "fingerprint").hex }

  func wrap(_ key: SymmetricKey, id: String, tenant: String, nonce: [UInt8]) throws -> Data {
    let box = try AES.GCM.seal(
      key.withUnsafeBytes { Data($0) }, using: tenantKey(tenant), nonce: AES.GCM.Nonce(data: nonce),
      authenticating: Data(id.utf8))
    return Data(nonce) + box.ciphertext + box.tag
  }

  /// - Throws: `VaultError.changed` when it was not wrapped under this epoch and tenant for this id.
  func unwrap(_ wrapped: Data, id: String, tenant: String) throws -> SymmetricKey {
    SymmetricKey(data: try tenantKey(tenant).open(wrapped, authenticating: id))
  }

  private func tenantKey(_ tenant: String) -> SymmetricKey {
    SymmetricKey(data: Self.derive(bytes, "tenant \(tenant)"))
  }

  fileprivate static func derive(_ bytes: Data, _ purpose: String) -> Data {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: bytes), info: Data("gatehouse epoch key: \(purpose)".utf8),
      outputByteCount: 32
    ).withUnsafeBytes { Data($0) }
  }
}

/// A key that is to take the place of an epoch key that left: random, so that neither follows from the other. The epoch
/// that is begun with it is the first of another chain; keys of the epochs before it follow from the former one.
package struct NextEpochKey: Sendable, Equatable {
  fileprivate let bytes: Data

  init(world: World) { bytes = Data(world.random(32)) }

  fileprivate init(_ bytes: Data) { self.bytes = bytes }

  /// The same, as the key of the epoch that is begun with it.
  func beginning(_ epoch: Int) -> EpochKey { EpochKey(epoch, bytes) }

  /// Which epoch was begun with it, where the key of a later one is known.
  /// - Parameters:
  ///   - epoch: the later one.
  ///   - earlier: an epoch before the one that is looked for.
  ///   - fits: whether a key is the one of `epoch`.
  func firstEpoch(through epoch: Int, after earlier: Int, where fits: (EpochKey) -> Bool) -> Int? {
    var (first, bytes) = (epoch, bytes)
    while first > earlier {
      if fits(EpochKey(epoch, bytes)) { return first }
      (first, bytes) = (first - 1, EpochKey.derive(bytes, "next epoch"))
    }
    return nil
  }
}

/// Where the epoch key is kept: a file that only its owner may use, apart from the database and from the key ring.
package struct EpochKeyFile: Sendable {
  package let path: String
  private let kms: KeyManagement?

  /// - Parameter kms: wraps the key in the file, as it does the key ring; nil for a plain file.
  package init(_ path: String, kms: KeyManagement? = nil) { (self.path, self.kms) = (path, kms) }

  private struct Content: Codable {
    let epoch: Int
    let key: Data
    let wrappedBy: String?
    /// Of a `NextEpochKey`, until the epoch key is one that follows from it.
    let next: Data?
  }

  package var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// Reads the file, or makes it when it does not exist. Of two processes that start at once, the second reads what the
  /// first one made.
  package func readOrMake(world: World) throws -> EpochKey {
    let fresh = EpochKey(world: world)
    if !isThere, try DurableFile.create(content(fresh), at: path) { return fresh }
    return try read()
  }

  /// Why the file at `path` cannot be used, as far as that is seen without asking a KMS; nil for one that this user may
  /// not read, and without a file.
  /// - Parameter isWrapped: whether the installation has a KMS.
  package static func fault(at path: String, isWrapped: Bool) -> EpochKeyError? {
    guard let data = FileManager.default.contents(atPath: path) else {
      return DurableFile.isNoFile(path) ? .unreadable(path: path) : nil
    }
    do { _ = try parsed(data, from: path, isWrapped: isWrapped) } catch { return error }
    return nil
  }

  private static func parsed(_ data: Data, from path: String, isWrapped: Bool) throws(EpochKeyError) -> Content {
    guard let content = try? JSONDecoder().decode(Content.self, from: data), content.epoch > 0,
      content.wrappedBy != nil || content.key.count == 32 && content.next?.count ?? 32 == 32
    else { throw EpochKeyError.unreadable(path: path) }
    guard (content.wrappedBy != nil) == isWrapped else { throw EpochKeyError.otherKMS(path: path) }
    return content
  }

  /// - Throws: `EpochKeyError`, `KeyManagementError`.
  package func read() throws -> EpochKey { try readAll().key }

  /// - Returns: the key that was prepared to take the place of the one in the file; nil without one.
  func readNext() throws -> NextEpochKey? { try readAll().next }

  func readAll() throws -> (key: EpochKey, next: NextEpochKey?) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw isThere || DurableFile.isNoFile(path) ? EpochKeyError.unreadable(path: path) : .missing(path: path)
    }
    let content = try Self.parsed(data, from: path, isWrapped: kms != nil)
    let bytes = try kms?.unwrap(content.key, Self.context(content.epoch)) ?? content.key
    let next = try content.next.map { try kms?.unwrap($0, Self.nextContext) ?? $0 }
    guard bytes.count == 32, next?.count ?? 32 == 32 else { throw EpochKeyError.unreadable(path: path) }
    guard Keyring.openMode(of: path) == nil else { throw EpochKeyError.exposed(path: path) }
    return (EpochKey(content.epoch, bytes), next.map { NextEpochKey($0) })
  }

  /// Adds a key that is to take the place of the one in the file. It wraps nothing until an epoch is begun with it.
  /// - Returns: false when there is one already.
  func prepareNext(world: World) throws -> Bool {
    try DurableFile.locked(folderOf: path) {
      let held = try readAll()
      guard held.next == nil else { return false }
      try DurableFile.write(content(held.key, NextEpochKey(world: world)), to: path)
      return true
    }
  }

  /// Puts the key in place of the one that the file holds, unless that one is of a later epoch. A key that was prepared
  /// stays in the file.
  /// - Parameter spent: the prepared key that this one is or follows from: it leaves the file.
  package func replace(by key: EpochKey, spending spent: NextEpochKey? = nil) throws {
    try DurableFile.locked(folderOf: path) {
      let held = try readAll()
      guard held.key.epoch < key.epoch else { return }
      try DurableFile.write(content(key, held.next == spent ? nil : held.next), to: path)
    }
  }

  /// The same keys, which go to the file wrapped from now on.
  package func wrap(by kms: KeyManagement) throws {
    let held = try readAll()
    try DurableFile.write(EpochKeyFile(path, kms: kms).content(held.key, held.next), to: path)
  }

  private func content(_ key: EpochKey, _ next: NextEpochKey? = nil) throws -> Data {
    let bytes = try kms?.wrap(key.bytes, Self.context(key.epoch)) ?? key.bytes
    let following = try next.map { try kms?.wrap($0.bytes, Self.nextContext) ?? $0.bytes }
    return try JSONEncoder().encode(Content(epoch: key.epoch, key: bytes, wrappedBy: kms?.name, next: following))
  }

  private static let nextContext = "epoch-key:next"

  private static func context(_ epoch: Int) -> String { "epoch-key:\(epoch)" }
}

package enum EpochKeyError: Error, Sendable, Equatable {
  case missing(path: String)
  case unreadable(path: String)
  /// Its group or others may read the file.
  case exposed(path: String)
  /// The file was written with a KMS and the settings name none, or the other way round.
  case otherKMS(path: String)
  /// The key belongs to another installation, or another one has taken its place and is not in the file.
  case foreign(path: String)
  /// What was wrapped in this epoch cannot be unwrapped any more.
  case destroyed(epoch: Int)
}

extension EpochKeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path): "There is no epoch key at \(path): copy the installation's own there."
    case .unreadable(let path): "\(path) is there and is not an epoch key: nothing was written over it."
    case .exposed(let path): "\(path) may be used by others than its owner: chmod 600 \(path)."
    case .otherKMS(let path):
      "\(path) was written with a KMS and the settings name none, or the other way round: see `gatehouse keys wrap`."
    case .foreign(let path):
      "\(path) is the epoch key of another installation, or was left out when another key took over: copy the file of "
        + "a node that is ready there."
    case .destroyed(let epoch): "The key of epoch \(epoch) was destroyed: what was wrapped in it cannot be opened."
    }
  }
}
