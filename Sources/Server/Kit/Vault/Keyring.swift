// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The key-encryption keys: the only secrets outside the database. Kept in a file that the operator backs up apart.
package struct Keyring: Sendable, Codable {
  /// Id of the key that wraps from now on.
  package private(set) var current: String
  /// Id of the key that will wrap next, once every copy of the ring has it; until then it only unwraps.
  package private(set) var next: String?
  /// Every key that still unwraps, 32 bytes each, by id.
  private var keys: [String: Data]
  /// Whether every line of the audit log has a key, or is below a seal. It stands here and not only in the database,
  /// where it could be taken back.
  private var auditSealed: Bool?
  /// Names the KMS under whose key the file's keys are wrapped; nil for a file of plain keys.
  private var wrappedBy: String?
  /// Wraps the keys on their way to the file; in memory they are plain.
  private var kms: KeyManagement?

  private enum CodingKeys: CodingKey { case current, next, keys, auditSealed, wrappedBy }

  package var isAuditSealed: Bool { auditSealed ?? false }

  /// A new ring with one random key.
  package init(world: World, kms: KeyManagement? = nil) {
    self.kms = kms
    current = world.uuid()
    keys = [current: Data(world.random(32))]
  }

  /// Reads the file at `path`, or creates it, readable by its owner only, when it does not exist.
  /// - Throws: `KeyringError.unreadable` when the file is there but is not a key ring.
  package init(path: String, world: World, kms: KeyManagement? = nil) throws {
    // Created at most once: of two processes that start together, the second reads what the first one made.
    var fresh = Keyring(world: world, kms: kms)
    // A new installation has no line without a key.
    fresh.markAuditSealed()
    if !FileManager.default.fileExists(atPath: path), try DurableFile.create(try fresh.file(), at: path) {
      self = fresh
      return
    }
    try self.init(at: path, kms: kms)
  }

  /// Reads the file at `path`.
  /// - Parameter kms: of the installation, where it has one.
  /// - Throws: `KeyringError.missing` when it does not exist, `unreadable` when it is not a key ring, `exposed` when
  ///   others than its owner may use it, `wrapped` and `plain` when it was not written with this KMS or without one.
  package init(at path: String, kms: KeyManagement? = nil) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      let isThere = FileManager.default.fileExists(atPath: path) || DurableFile.isNoFile(path)
      throw isThere ? KeyringError.unreadable(path: path) : .missing(path: path)
    }
    let ring = try Self.read(data, from: path, isWrapped: kms != nil).opened(by: kms)
    guard ring.keys.values.allSatisfy({ $0.count == 32 }) else { throw KeyringError.unreadable(path: path) }
    guard Self.openMode(of: path) == nil else { throw KeyringError.exposed(path: path) }
    self = ring
  }

  /// Why the file at `path` cannot be used, as far as that is seen without asking a KMS; nil for one that this user may
  /// not read, and without a file.
  /// - Parameter isWrapped: whether the installation has a KMS.
  package static func fault(at path: String, isWrapped: Bool) -> KeyringError? {
    guard let data = FileManager.default.contents(atPath: path) else {
      return DurableFile.isNoFile(path) ? .unreadable(path: path) : nil
    }
    do { _ = try read(data, from: path, isWrapped: isWrapped) } catch { return error }
    return nil
  }

  /// What a file says, with its keys still wrapped where it was written with a KMS.
  private static func read(_ data: Data, from path: String, isWrapped: Bool) throws(KeyringError) -> Keyring {
    guard let ring = try? JSONDecoder().decode(Keyring.self, from: data), ring.keys[ring.current] != nil,
      ring.next.map({ ring.keys[$0] != nil }) ?? true,
      ring.wrappedBy != nil || ring.keys.values.allSatisfy({ $0.count == 32 })
    else { throw KeyringError.unreadable(path: path) }
    switch (ring.wrappedBy, isWrapped) {
    case (let name?, false): throw KeyringError.wrapped(path: path, by: name)
    case (nil, true): throw KeyringError.plain(path: path)
    case (nil, false), (_?, true): return ring
    }
  }

  /// The same keys, which go to their file wrapped from now on.
  /// - Throws: `KeyManagementError` when the KMS does not give back what it wrapped: nothing was written then.
  package func wrapped(by kms: KeyManagement) throws -> Keyring {
    var wrapped = self
    wrapped.kms = kms
    let read = try JSONDecoder().decode(Keyring.self, from: wrapped.file()).opened(by: kms)
    guard read.keys == keys else { throw KeyManagementError.notWrapped }
    return wrapped
  }

  /// The content of the file.
  private func file() throws -> Data {
    var copy = self
    if let kms {
      copy.wrappedBy = kms.name
      for (id, key) in keys { copy.keys[id] = try kms.wrap(key, "keyring:\(id)") }
    }
    return try JSONEncoder().encode(copy)
  }

  private func opened(by kms: KeyManagement?) throws -> Keyring {
    var opened = self
    (opened.kms, opened.wrappedBy) = (kms, nil)
    if let kms { for (id, key) in keys { opened.keys[id] = try kms.unwrap(key, "keyring:\(id)") } }
    return opened
  }

  /// The mode of a file that its group or others may use; nil for one that only its owner may use, and without a file.
  package static func openMode(of path: String) -> Int? {
    // The file itself, where the path is a link to it.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let mode = (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? NSNumber
    return mode.flatMap { $0.intValue & 0o077 == 0 ? nil : $0.intValue & 0o777 }
  }

  /// The folder of a file, or of the link that leads to it, where it can be written by everybody, who could put another
  /// file in this one's place; nil for any other, and where the sticky bit leaves each file to its owner.
  package static func openFolder(of path: String) -> String? {
    let file = URL(fileURLWithPath: path)
    return [file, file.resolvingSymlinksInPath()].map { $0.deletingLastPathComponent().path }.first { folder in
      var status = stat()
      return stat(folder, &status) == 0 && status.st_mode & 0o002 != 0 && status.st_mode & 0o1000 == 0
    }
  }

  package func save(to path: String) throws {
    try DurableFile.write(try file(), to: path)
  }

  /// Changes the ring in its file while no other program of this machine does.
  /// - Parameters:
  ///   - kms: that the file is wrapped by.
  ///   - body: returns whether there is something to write.
  /// - Returns: the ring as it is now.
  /// - Throws: as `init(at:kms:)`.
  @discardableResult
  package static func change(
    at path: String, kms: KeyManagement? = nil, _ body: (inout Keyring) throws -> Bool
  ) throws -> Keyring {
    // The lock stands in the folder of the file.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else { throw KeyringError.missing(path: path) }
    return try DurableFile.locked(folderOf: path) {
      var ring = try Keyring(at: path, kms: kms)
      if try body(&ring) { try ring.save(to: path) }
      return ring
    }
  }

  /// - Throws: `KeyringError.unknownKey` or `VaultError.changed` when it does not open every one of the keys.
  package func check(_ keys: [DataKey]) throws {
    for key in keys { _ = try key.unwrapped(by: self) }
  }

  /// - Returns: false when it was marked before.
  @discardableResult
  package mutating func markAuditSealed() -> Bool {
    defer { auditSealed = true }
    return !isAuditSealed
  }

  /// Adds the key that will wrap next, unless there is one already.
  /// - Returns: its id.
  @discardableResult
  package mutating func prepare(world: World) -> String {
    if let next { return next }
    let id = world.uuid()
    keys[id] = Data(world.random(32))
    next = id
    return id
  }

  /// Lets the prepared key wrap from now on; the older ones still unwrap.
  /// - Returns: false when none was prepared.
  package mutating func turnOver() -> Bool {
    guard let id = next else { return false }
    (current, next) = (id, nil)
    return true
  }

  func wrap(_ key: SymmetricKey, id: String, nonce: [UInt8]) throws -> (keyID: String, wrapped: Data) {
    let bytes = key.withUnsafeBytes { Data($0) }
    let box = try AES.GCM.seal(
      bytes, using: SymmetricKey(data: keys[current] ?? Data()), nonce: AES.GCM.Nonce(data: nonce),
      authenticating: Data(id.utf8))
    return (current, Data(nonce) + box.ciphertext + box.tag)
  }

  /// - Throws: `KeyringError.unknownKey` when the wrapping key is not on the ring; `VaultError.changed` when it is, and
  ///   another one wrapped these bytes.
  func unwrap(_ wrapped: Data, id: String, keyID: String) throws -> SymmetricKey {
    guard let key = keys[keyID] else { throw KeyringError.unknownKey(keyID) }
    return SymmetricKey(data: try SymmetricKey(data: key).open(wrapped, authenticating: id))
  }
}

package enum KeyringError: Error, Sendable, Equatable {
  case unreadable(path: String)
  /// Its group or others may read the ring.
  case exposed(path: String)
  /// The ring's keys are wrapped under a KMS that the settings do not name.
  case wrapped(path: String, by: String)
  /// The settings name a KMS, and the ring's keys are not wrapped.
  case plain(path: String)
  /// There is no ring, and data that was sealed under one.
  case missing(path: String)
  /// The database was sealed under a key that this ring does not have.
  case unknownKey(String)
}

extension KeyringError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let path): "\(path) is there and is not a key ring: nothing was written over it."
    case .exposed(let path): "\(path) may be used by others than its owner: chmod 600 \(path)."
    case .wrapped(let path, let name):
      "\(path) is wrapped by \(name): name that module in kms.module, kms.token and kms.key."
    case .plain(let path): "\(path) holds plain keys, and the settings name a KMS: run `gatehouse keys wrap`."
    case .missing(let path): "There is no key ring at \(path): copy the installation's own there."
    case .unknownKey(let id):
      "The key ring lacks the key \(id), under which data is sealed: copy the installation's own here."
    }
  }
}
