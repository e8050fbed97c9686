// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage
import Synchronization

/// Seals personal data under data keys that are themselves wrapped by the key ring, and makes the keyed digests that
/// look-ups use instead of the data.
///
/// Sealed form: `0x01` ‖ key id (36 ASCII bytes) ‖ nonce (12) ‖ AES-256-GCM ciphertext ‖ tag (16). The context is
/// authenticated, so that a value moved to another column or another person does not open.
package final class Vault: Sendable {
  /// How long a new key waits before it seals, so that every node has read it by then.
  package static let activationDelay = Duration.seconds(60)
  private static let version: UInt8 = 1
  static let keyIDLength = 36
  static let headerLength = 1 + keyIDLength

  private struct Keys {
    var sealing: [String: (key: SymmetricKey, activeFrom: Instant)] = [:]
    /// The key is expanded once here, and not again for each value.
    let digest: HMAC<SHA256>
    /// By purpose and version; kept because every line of the audit log needs one.
    var derived: [String: SymmetricKey] = [:]

    /// The id of the data key that seals at an instant. Before all of them, on a clock that was set back behind the
    /// beginning of the installation, it is the oldest, which every process knows.
    func current(at now: Instant) -> String? {
      let ascending = sealing.sorted { ($0.value.activeFrom, $0.key) < ($1.value.activeFrom, $1.key) }
      return (ascending.last { $0.value.activeFrom <= now } ?? ascending.first)?.key
    }
  }

  private let keys: Mutex<Keys>
  private let keyring: Keyring
  /// Nil where data keys seal everything.
  package let subjectKeys: SubjectKeys?
  let world: World

  /// Reads the data keys, and makes the first ones in an empty database.
  /// - Parameter subjectKeys: the keys of persons; nil opens nothing that they sealed.
  package static func open(
    _ database: any SQLDatabase, keyring: Keyring, subjectKeys: SubjectKeys? = nil, world: World
  ) async throws -> Vault {
    let rows = try await database.write(.serializable) { tx in
      let store = DataKeyStore(tx)
      for purpose in DataKey.Purpose.allCases where try store.count(purpose) == 0 {
        try store.insert(DataKey.make(purpose, keyring: keyring, activeFrom: world.now(), world: world))
      }
      return try store.all()
    }
    return try Vault(rows, keyring: keyring, subjectKeys: subjectKeys, world: world)
  }

  private init(_ rows: [DataKey], keyring: Keyring, subjectKeys: SubjectKeys?, world: World) throws {
    guard let digest = rows.first(where: { $0.purpose == .digest }) else { throw VaultError.noKey }
    keys = Mutex(Keys(digest: HMAC(key: try digest.unwrapped(by: keyring))))
    (self.keyring, self.subjectKeys, self.world) = (keyring, subjectKeys, world)
    try adopt(rows)
  }

  /// Learns the keys that another process made since.
  package func refresh(from database: any SQLDatabase) async throws {
    try adopt(try await database.read { try DataKeyStore($0).all() })
  }

  /// A key that is known already is not unwrapped again: by now it may be wrapped by a ring key that is younger than
  /// this process. A key that cannot be unwrapped does not stop the others from being read.
  private func adopt(_ rows: [DataKey]) throws {
    let known = keys.withLock { Set($0.sealing.keys) }
    var failure: (any Error)?
    for row in rows where row.purpose == .seal && !known.contains(row.id) {
      do {
        let key = try row.unwrapped(by: keyring)
        keys.withLock { $0.sealing[row.id] = (key, row.activeFrom) }
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Whether every key that seals by now is known here: a ring that lacks the newest one's cannot open what others seal,
  /// and neither can a process without the epoch key.
  package func opensAll(in database: any SQLDatabase) async throws -> Bool {
    if let epoch = try await database.read({ try SubjectKeyStore($0).currentEpoch() }) {
      guard let subjectKeys, (try? subjectKeys.check(epoch)) != nil else { return false }
    }
    let now = world.now()
    let active = try await database.read { try DataKeyStore($0).all() }
      .filter { $0.purpose == .seal && $0.activeFrom <= now }
    return keys.withLock { keys in active.allSatisfy { keys.sealing[$0.id] != nil } }
  }

  /// The data keys of an installation, as they are wrapped.
  package static func dataKeys(in database: any SQLDatabase) async throws -> [DataKey] {
    try await database.read { try DataKeyStore($0).all() }
  }

  /// Whether the key ring knows that the audit log was sealed.
  package var isAuditSealed: Bool { keyring.isAuditSealed }

  /// Whether data was sealed in this database before, so that a key ring must exist.
  package static func hasKeys(in database: any SQLDatabase) async throws -> Bool {
    try await database.read { tx in
      try DataKey.Purpose.allCases.contains { try DataKeyStore(tx).count($0) > 0 }
    }
  }

  /// - Parameter context: what the bytes are and whose, `table.column:id`.
  package func seal(_ bytes: some DataProtocol, context: String) throws -> Data {
    let now = world.now()
    let chosen = keys.withLock { keys in keys.current(at: now).flatMap { id in keys.sealing[id].map { (id, $0.key) } } }
    guard let (id, key) = chosen else { throw VaultError.noKey }
    let box = try AES.GCM.seal(
      bytes, using: key, nonce: AES.GCM.Nonce(data: world.random(12)), authenticating: Data(context.utf8))
    return Data([Self.version]) + Data(id.utf8) + (box.combined ?? Data())
  }

  /// - Throws: `VaultError.notSealed` for foreign bytes, `changed` when they were changed or moved.
  package func open(_ sealed: Data, context: String) throws -> Data {
    guard sealed.count > Self.headerLength, sealed.first == Self.version else { throw VaultError.notSealed }
    let id = String(decoding: sealed.dropFirst().prefix(Self.keyIDLength), as: UTF8.self)
    guard let entry = keys.withLock({ $0.sealing[id] }) else { throw VaultError.noKey }
    return try entry.key.open(sealed.dropFirst(Self.headerLength), authenticating: context)
  }

  /// Seals a value as JSON.
  package func seal(_ value: some Encodable, as context: String) throws -> Data {
    try seal(try JSONEncoder().encode(value), context: context)
  }

  package func open<Value: Decodable>(_ sealed: Data, as type: Value.Type, context: String) throws -> Value {
    try JSONDecoder().decode(type, from: try open(sealed, context: context))
  }

  /// A keyed digest (HMAC-SHA-256) under which a value can be found again but not guessed without the key.
  package func digest(_ value: String, for purpose: String) -> String {
    var code = keys.withLock { $0.digest }
    code.update(data: Data("\(purpose)\u{0}\(value)".utf8))
    return code.finalize().withUnsafeBytes { $0.hex }
  }

  /// The same of bytes, without a copy of them: of UTF-8 it is the digest of the text.
  package func digest(_ bytes: Data, for purpose: String) -> String {
    var digester = digester(for: purpose)
    digester.update(bytes)
    return digester.digest
  }

  /// The same of bytes that come in pieces.
  package func digester(for purpose: String) -> VaultDigester {
    var code = keys.withLock { $0.digest }
    code.update(data: Data("\(purpose)\u{0}".utf8))
    return VaultDigester(code: code)
  }

  /// The same of what `write` adds to a buffer, of which no text has to be made first.
  /// - Parameter digits: of the digest, from its beginning; an even number, at most 64.
  package func digest(for purpose: String, digits: Int, of write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    // An entry of the books with its transfer, which is the longest of what is digested often.
    bytes.reserveCapacity(768)
    bytes.append(contentsOf: purpose.utf8)
    bytes.append(0)
    write(&bytes)
    var code = keys.withLock { $0.digest }
    code.update(data: bytes)
    return code.finalize().withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0.prefix(digits / 2)).hex }
  }

  /// A key for a purpose of its own, derived from a data key (HKDF with SHA-256, RFC 5869). It turns over with the data
  /// keys, and older versions stay at hand as those do.
  /// - Parameter version: the id of the data key; nil is the one that seals now.
  /// - Throws: `VaultError.noKey` for a version that this installation does not have.
  func derivedKey(for purpose: String, version: String? = nil) throws -> (version: String, key: SymmetricKey) {
    let now = world.now()
    return try keys.withLock { keys in
      guard let version = version ?? keys.current(at: now), let base = keys.sealing[version] else {
        throw VaultError.noKey
      }
      if let key = keys.derived["\(purpose) \(version)"] { return (version, key) }
      let key = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: base.key, info: Data("gatehouse \(purpose)".utf8), outputByteCount: 32)
      keys.derived["\(purpose) \(version)"] = key
      return (version, key)
    }
  }

  /// Makes a new data key that seals once every node knows it. What is sealed already stays readable.
  /// - Parameter keep: writes down who did it, in the same transaction.
  package func rotate(
    in database: any SQLDatabase, keep: @escaping @Sendable (any SQLTransaction) throws -> Void = { _ in }
  ) async throws {
    let key = try DataKey.make(.seal, keyring: keyring, activeFrom: world.now() + Self.activationDelay, world: world)
    try await database.write { tx in
      try DataKeyStore(tx).insert(key)
      try keep(tx)
    }
    try await refresh(from: database)
  }

  /// Wraps every data key again under the ring's current key, after which the older ring keys can be destroyed.
  /// - Parameter keep: writes down who did it, in the same transaction; not called where nothing was wrapped anew.
  /// - Returns: how many keys were wrapped anew.
  package static func rewrap(
    _ database: any SQLDatabase, keyring: Keyring, world: World, progress: WorkProgress? = nil,
    keep: @escaping @Sendable (any SQLTransaction) throws -> Void = { _ in }
  ) async throws -> Int {
    try await database.write(.serializable) { tx in
      let store = DataKeyStore(tx)
      let outdated = try store.all().filter { $0.keyringID != keyring.current }
      // A transaction that is repeated starts from the beginning.
      progress?.begin("keys", of: outdated.count)
      for row in outdated {
        try store.replace(row.rewrapped(by: keyring, world: world))
        progress?.advance()
      }
      if !outdated.isEmpty { try keep(tx) }
      return outdated.count
    }
  }
}

package enum VaultError: Error, Sendable, Equatable {
  case noKey, notSealed
  /// The key of the person was destroyed by an erasure.
  case erased
  /// The value does not open under the key that it names: it was changed, or is of another row or person.
  case changed
}

extension SymmetricKey {
  /// Opens what was sealed under this key.
  /// - Parameter box: nonce, ciphertext and tag.
  /// - Throws: `VaultError.changed`. libcrypto answers a wrong tag with the oldest error that is left in its thread, so
  ///   that its code tells nothing.
  func open(_ box: some DataProtocol, authenticating context: String) throws(VaultError) -> Data {
    do {
      return try AES.GCM.open(AES.GCM.SealedBox(combined: box), using: self, authenticating: Data(context.utf8))
    } catch { throw .changed }
  }
}
