// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage
import Synchronization

/// Whose data is sealed: a person, or an application of one.
package struct KeySubject: Sendable, Hashable {
  /// The tenant under whose key theirs is wrapped; nil seals under a key that is there already, or else under the data
  /// key, for capabilities that do not know whom they work for.
  package let tenant: TenantID?
  /// Unique in the installation.
  package let id: String

  package init(_ id: String, of tenant: TenantID? = nil) { (self.id, self.tenant) = (id, tenant) }
}

/// The opened key of a person.
package struct SubjectKey: Sendable {
  /// Says which key it is in everything that it seals, and nothing about the person.
  package let id: String
  let key: SymmetricKey
}

/// A key that was destroyed by an erasure: what a proof of it states.
package struct DestroyedKey: Sendable, Codable, Equatable {
  package let id: String
  package let tenant: String
  /// The epoch in which it was wrapped. Older copies of it are wrapped in this one or in an earlier one.
  package let epoch: Int
}

/// The keys of persons: a key seals what is kept of one person and is destroyed with an erasure, so that copies that
/// were made before are not readable any more. See decision 67.
///
/// A vault without them, and one of an installation in which they have not begun, seals everything under data keys.
package final class SubjectKeys: Sendable {
  /// How long keys are wrapped in one epoch.
  package static let epochLength = Duration.days(7)
  /// How long the key of an epoch that is over is kept: a backup can be restored by itself for so long.
  package static let epochKept = Duration.days(21)
  /// How long an opened key is remembered: an erasure on another node reaches this process by then.
  static let remembered = Duration.seconds(60)
  /// Keys that are remembered at most.
  static let rememberedMax = 10_000

  private struct Held {
    /// Of the earliest epoch that can still be unwrapped.
    var earliest: EpochKey
    /// The prepared key that took over, and its first epoch; nil where the keys of all epochs follow from `earliest`.
    var next: (key: NextEpochKey, epoch: Int)?

    func key(of epoch: Int) throws -> EpochKey {
      guard epoch >= earliest.epoch, let next, epoch >= next.epoch else { return try earliest.key(of: epoch) }
      return try next.key.beginning(next.epoch).key(of: epoch)
    }
  }

  let file: EpochKeyFile
  private let held: Mutex<Held>
  private let opened = Mutex<[String: (key: SymmetricKey, until: Instant)]>([:])

  /// - Parameter making: makes the file of an installation in which epochs have not begun.
  /// - Returns: nil when they have not begun and there is no file.
  /// - Throws: `EpochKeyError`, also when the file is of another installation.
  package static func open(
    _ database: any SQLDatabase, file: EpochKeyFile, making: Bool = false, world: World
  ) async throws -> SubjectKeys? {
    let current = try await database.read { try SubjectKeyStore($0).currentEpoch() }
    guard current != nil || making || file.isThere else { return nil }
    let key = try current == nil && making ? file.readOrMake(world: world) : file.read()
    let keys = SubjectKeys(file, key)
    if let current { try keys.check(current) }
    return keys
  }

  private init(_ file: EpochKeyFile, _ key: EpochKey) {
    self.file = file
    held = Mutex(Held(earliest: key))
  }

  /// The earliest epoch whose keys can still be unwrapped here.
  package var earliestEpoch: Int { held.withLock { $0.earliest.epoch } }

  /// Lets the keys of persons seal from now on, in every process that has the same epoch key.
  /// - Returns: false when they did already.
  @discardableResult
  package func begin(in database: any SQLDatabase, at now: Instant) async throws -> Bool {
    let number = earliestEpoch
    let fingerprint = try epochKey(number).fingerprint
    return try await database.write(.serializable) { tx in
      let store = SubjectKeyStore(tx)
      guard try store.currentEpoch() == nil else { return false }
      return try store.begin(.init(number: number, beganAt: now, fingerprint: fingerprint))
    }
  }

  func epochKey(_ epoch: Int) throws -> EpochKey { try held.withLock { try $0.key(of: epoch) } }

  /// Whether a key that was prepared has taken over, as far as this process knows, and the former one is still kept.
  var hasBegunAnew: Bool { held.withLock { $0.next != nil } }

  func remembered(_ id: String, at now: Instant) -> SubjectKey? {
    opened.withLock { $0[id] }.flatMap { $0.until > now ? SubjectKey(id: id, key: $0.key) : nil }
  }

  func remember(_ key: SubjectKey, at now: Instant) {
    opened.withLock {
      if $0.count >= Self.rememberedMax { $0 = $0.filter { $0.value.until > now } }
      if $0.count >= Self.rememberedMax { $0 = [:] }
      $0[key.id] = (key.key, now + Self.remembered)
    }
  }

  func forget(_ id: String) { opened.withLock { _ = $0.removeValue(forKey: id) } }

  /// The epochs of a database that was restored from an old copy may all be destroyed: nothing tells whose they were.
  /// - Throws: `EpochKeyError.foreign`.
  func check(_ epoch: SubjectKeyStore.Epoch) throws {
    guard epoch.number >= earliestEpoch, try epochKey(epoch.number).fingerprint != epoch.fingerprint,
      !learn(at: epoch.number, where: { $0.fingerprint == epoch.fingerprint })
    else { return }
    throw EpochKeyError.foreign(path: file.path)
  }

  /// Looks whether a key that was prepared has taken over meanwhile, which another process may have let it do: whether
  /// the key of an epoch follows from what the file holds now, which was written after this process read it.
  /// - Parameter fits: whether a key is the one of that epoch.
  /// - Returns: whether it is now known that it does.
  func learn(at epoch: Int, where fits: (EpochKey) -> Bool) -> Bool {
    guard let file = try? file.readAll() else { return false }
    return held.withLock { held in
      // Another process of this machine may have destroyed the former key as well, and prepared one more since.
      let isFurther = file.key.epoch > held.earliest.epoch
      let earliest = isFurther ? file.key : held.earliest
      if let next = file.next, let first = next.firstEpoch(through: epoch, after: earliest.epoch, where: fits) {
        held = Held(earliest: earliest, next: (next, first))
        return true
      }
      guard isFurther, let key = try? file.key.key(of: epoch), fits(key) else { return false }
      held = Held(earliest: file.key, next: nil)
      return true
    }
  }

  /// Destroys the keys of the epochs before one, in the file and in memory.
  func destroy(before epoch: Int) throws {
    guard epoch > earliestEpoch else { return }
    let later = try epochKey(epoch)
    let spent = held.withLock { held in held.next.flatMap { epoch >= $0.epoch ? $0.key : nil } }
    try file.replace(by: later, spending: spent)
    held.withLock { held in
      guard held.earliest.epoch < later.epoch else { return }
      held.earliest = later
      if let next = held.next, later.epoch >= next.epoch { held.next = nil }
    }
  }
}

// MARK: Sealing

/// Sealed form: `0x02` ‖ id of the person's key (36 ASCII bytes) ‖ nonce (12) ‖ AES-256-GCM ciphertext ‖ tag (16).
extension Vault {
  static let subjectVersion: UInt8 = 2

  /// Seals under the key of a person, which is made when there is none.
  /// - Parameters:
  ///   - context: what the bytes are and whose, `table.column:id`.
  ///   - subject: nil, for what is of no person or of one who is not known, seals under the data key.
  package func seal(
    _ bytes: some DataProtocol, context: String, of subject: KeySubject?, in tx: any SQLTransaction
  ) throws -> Data {
    try seal(bytes, context: context, under: subject.flatMap { try subjectKey(of: $0, in: tx) })
  }

  /// Seals a value as JSON.
  package func seal(
    _ value: some Encodable, as context: String, of subject: KeySubject?, in tx: any SQLTransaction
  ) throws -> Data {
    try seal(JSONEncoder().encode(value), context: context, of: subject, in: tx)
  }

  /// - Parameter key: nil seals under the data key.
  package func seal(_ bytes: some DataProtocol, context: String, under key: SubjectKey?) throws -> Data {
    guard let key else { return try seal(bytes, context: context) }
    let box = try AES.GCM.seal(
      bytes, using: key.key, nonce: AES.GCM.Nonce(data: world.random(12)), authenticating: Data(context.utf8))
    return Data([Self.subjectVersion]) + Data(key.id.utf8) + (box.combined ?? Data())
  }

  /// Opens what was sealed under the key of a person, or under a data key.
  /// - Throws: `VaultError.erased` when that key was destroyed or cannot be unwrapped any more.
  package func open(_ sealed: Data, context: String, in tx: any SQLTransaction) throws -> Data {
    if let id = Self.subjectKeyID(of: sealed) {
      return try open(sealed, context: context, under: subjectKey(id, in: tx))
    }
    let ids = Self.sharedKeyIDs(of: sealed)
    return try ids.isEmpty
      ? open(sealed, context: context) : openShared(sealed, ids, context: context, in: tx)
  }

  package func open<Value: Decodable>(
    _ sealed: Data, as type: Value.Type, context: String, in tx: any SQLTransaction
  ) throws -> Value {
    try JSONDecoder().decode(type, from: open(sealed, context: context, in: tx))
  }

  /// The same outside of a transaction, for objects.
  package func open(_ sealed: Data, context: String, in database: any SQLDatabase) async throws -> Data {
    guard let id = Self.subjectKeyID(of: sealed) else {
      guard !Self.sharedKeyIDs(of: sealed).isEmpty else { return try open(sealed, context: context) }
      return try await database.look { [self] in try open(sealed, context: context, in: $0) }
    }
    if let key = subjectKeys?.remembered(id, at: world.now()) { return try open(sealed, context: context, under: key) }
    let key = try await database.look { [self] in try subjectKey(id, in: $0) }
    return try open(sealed, context: context, under: key)
  }

  private func open(_ sealed: Data, context: String, under key: SubjectKey) throws -> Data {
    try key.key.open(sealed.dropFirst(Self.headerLength), authenticating: context)
  }

  /// The id of the person's key that sealed these bytes; nil when a data key did.
  package static func subjectKeyID(of sealed: Data) -> String? {
    guard sealed.count > headerLength, sealed.first == subjectVersion else { return nil }
    return String(decoding: sealed.dropFirst().prefix(headerLength - 1), as: UTF8.self)
  }
}

// MARK: Keys

extension Vault {
  /// The key of a person, which is made when there is none and the tenant is known.
  /// - Returns: nil where data keys seal.
  package func subjectKey(of subject: KeySubject, in tx: any SQLTransaction) throws -> SubjectKey? {
    guard let subjectKeys else { return nil }
    let (store, digest) = (SubjectKeyStore(tx), subjectDigest(subject.id))
    if let row = try store.find(subject: digest) { return try opened(row) }
    guard let tenant = subject.tenant, let current = try store.currentEpoch() else { return nil }
    try subjectKeys.check(current)
    let row = SubjectKeyRow(
      id: world.randomUUID(), subject: digest, tenant: tenant.description, epoch: 0, wrapped: Data(),
      madeAt: world.now())
    try store.insert(
      wrapped(
        SymmetricKey(data: world.random(32)), as: row, in: max(current.number, subjectKeys.earliestEpoch)))
    // Another transaction may have been first.
    return try store.find(subject: digest).map(opened)
  }

  /// The key of a person that was made before then; nil when that person had no key.
  func subjectKey(
    of subject: KeySubject, madeBefore instant: Instant, in tx: any SQLTransaction
  ) throws -> SubjectKey? {
    guard let row = try SubjectKeyStore(tx).find(subject: subjectDigest(subject.id)), row.madeAt <= instant else {
      return nil
    }
    return try opened(row)
  }

  /// The key of that id.
  /// - Throws: `VaultError.erased`.
  func subjectKey(_ id: String, in tx: any SQLTransaction) throws -> SubjectKey {
    guard let subjectKeys else { throw VaultError.noKey }
    if let key = subjectKeys.remembered(id, at: world.now()) { return key }
    guard let row = try SubjectKeyStore(tx).find(id) else { throw VaultError.erased }
    return try opened(row)
  }

  /// Destroys the key of a person, for an erasure. What it sealed cannot be opened any more.
  /// - Returns: nil when there was none.
  package func destroySubjectKey(of id: String, in tx: any SQLTransaction) throws -> DestroyedKey? {
    guard let subjectKeys, let row = try SubjectKeyStore(tx).delete(subject: subjectDigest(id)) else { return nil }
    tx.afterCommit { subjectKeys.forget(row.id) }
    return DestroyedKey(id: row.id, tenant: row.tenant, epoch: row.epoch)
  }

  func subjectDigest(_ id: String) -> String { digest(id, for: "subject key") }

  func opened(_ row: SubjectKeyRow) throws -> SubjectKey {
    guard let subjectKeys else { throw VaultError.noKey }
    if let key = subjectKeys.remembered(row.id, at: world.now()) { return key }
    let key: SubjectKey
    do { key = SubjectKey(id: row.id, key: try unwrapped(row)) } catch EpochKeyError.destroyed {
      throw VaultError.erased
    }
    // It may be of a transaction that is not committed. Its id leads to nothing then.
    subjectKeys.remember(key, at: world.now())
    return key
  }

  private func unwrapped(_ row: SubjectKeyRow) throws -> SymmetricKey {
    guard let subjectKeys else { throw VaultError.noKey }
    let wrapped = try open(row.wrapped, context: Self.subjectKeyContext(row.id))
    func unwrap(by key: EpochKey) throws -> SymmetricKey { try key.unwrap(wrapped, id: row.id, tenant: row.tenant) }
    do { return try unwrap(by: subjectKeys.epochKey(row.epoch)) } catch VaultError.changed {
      // Another process may have begun with the key that was prepared.
      guard subjectKeys.learn(at: row.epoch, where: { (try? unwrap(by: $0)) != nil }) else { throw VaultError.changed }
      return try unwrap(by: subjectKeys.epochKey(row.epoch))
    }
  }

  /// The row with its key wrapped in an epoch.
  func wrapped(_ key: SymmetricKey, as row: SubjectKeyRow, in epoch: Int) throws -> SubjectKeyRow {
    guard let subjectKeys else { throw VaultError.noKey }
    var row = row
    let wrapped = try subjectKeys.epochKey(epoch).wrap(key, id: row.id, tenant: row.tenant, nonce: world.random(12))
    (row.epoch, row.wrapped) = (epoch, try seal(wrapped, context: Self.subjectKeyContext(row.id)))
    return row
  }

  func rewrapped(_ row: SubjectKeyRow, in epoch: Int) throws -> SubjectKeyRow {
    try wrapped(unwrapped(row), as: row, in: epoch)
  }

  static func subjectKeyContext(_ id: String) -> String { "subject_key.wrapped:\(id)" }
}
