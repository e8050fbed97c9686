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

  /// A new ring with one random key.
  package init(world: World) {
    current = world.uuid()
    keys = [current: Data(world.random(32))]
  }

  /// Reads the file at `path`, or creates it, readable by its owner only, when it does not exist.
  /// - Throws: `KeyringError.unreadable` when the file is there but is not a key ring.
  package init(path: String, world: World) throws {
    // Created at most once: of two processes that start together, the second reads what the first one made.
    let fresh = Keyring(world: world)
    if !FileManager.default.fileExists(atPath: path),
      try DurableFile.create(try JSONEncoder().encode(fresh), at: path)
    {
      self = fresh
      return
    }
    try self.init(at: path)
  }

  /// Reads the file at `path`.
  /// - Throws: `KeyringError.missing` when it does not exist, `unreadable` when it is not a key ring, `exposed` when
  ///   others than its owner may use it.
  package init(at path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      // A link whose target is away is there, and so is a folder.
      let isThere = (try? FileManager.default.attributesOfItem(atPath: path)) != nil
      throw isThere ? KeyringError.unreadable(path: path) : .missing(path: path)
    }
    guard let ring = try? JSONDecoder().decode(Keyring.self, from: data), ring.keys[ring.current] != nil,
      ring.next.map({ ring.keys[$0] != nil }) ?? true, ring.keys.values.allSatisfy({ $0.count == 32 })
    else { throw KeyringError.unreadable(path: path) }
    guard Self.openMode(of: path) == nil else { throw KeyringError.exposed(path: path) }
    self = ring
  }

  /// The mode of a file that its group or others may use; nil for one that only its owner may use, and without a file.
  package static func openMode(of path: String) -> Int? {
    // The file itself, where the path is a link to it.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let mode = (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? NSNumber
    return mode.flatMap { $0.intValue & 0o077 == 0 ? nil : $0.intValue & 0o777 }
  }

  package func save(to path: String) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: path)
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

  /// - Throws: `KeyringError.unknownKey` when the wrapping key is not on the ring, a CryptoKit error when it is not it.
  func unwrap(_ wrapped: Data, id: String, keyID: String) throws -> SymmetricKey {
    guard let key = keys[keyID] else { throw KeyringError.unknownKey(keyID) }
    return SymmetricKey(
      data: try AES.GCM.open(
        AES.GCM.SealedBox(combined: wrapped), using: SymmetricKey(data: key), authenticating: Data(id.utf8)))
  }
}

package enum KeyringError: Error, Sendable, Equatable {
  case unreadable(path: String)
  /// Its group or others may read the ring.
  case exposed(path: String)
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
    case .missing(let path): "There is no key ring at \(path): copy the installation's own there."
    case .unknownKey(let id):
      "The key ring lacks the key \(id), under which data is sealed: copy the installation's own here."
    }
  }
}
