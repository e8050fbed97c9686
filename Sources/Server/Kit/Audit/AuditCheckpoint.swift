// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// What the audit log was at an instant: the heads of the chains that grew since the checkpoint before. It names no
/// person, so that it can be kept where nothing can be erased: a chain is called by the digest of its first line, which
/// an erasure leaves as it is.
struct AuditCheckpoint: Codable, Sendable, Equatable {
  /// The state of one chain.
  struct Head: Codable, Sendable, Equatable {
    /// Digest of the chain's first line.
    let chain: String
    let sequence: Int
    let digest: String
  }

  /// Of the whole log. They reveal a chain that was kept from its anchor by a change of `audit_head.anchored`, which is
  /// not signed: then the heads of all checkpoints of a place do not add up to them.
  struct Totals: Codable, Sendable, Equatable {
    let chains: Int
    let lines: Int
  }

  /// Counted from 1.
  let number: Int
  /// Milliseconds since 1970.
  let at: Int64
  /// SHA-256 of the document before, in hexadecimal digits; nil in the first one of a place, which all heads follow.
  let previous: String?
  /// Of the signing key.
  let keyVersion: String
  /// Ed25519, for those who check the signature without the key ring and know the key from elsewhere.
  let publicKey: Data
  let heads: [Head]
  /// Whether every chain that grew is in it or in one before; otherwise the next one goes on.
  let isWhole: Bool
  /// Of the same instant as the heads; nil in a checkpoint that is not whole.
  let totals: Totals?

  /// - Throws: `Unsound`.
  init(_ document: Data, by vault: Vault) throws {
    guard let (body, signature) = SignedLines.parts(of: document),
      let checkpoint = try? JSONDecoder().decode(Self.self, from: body)
    else { throw Unsound(text: "cannot be read") }
    guard let key = try? vault.checkpointKey(checkpoint.keyVersion) else {
      throw Unsound(text: "is signed with a key that this installation does not have: \(checkpoint.keyVersion)")
    }
    guard key.key.publicKey.isValidSignature(signature, for: body) else {
      throw Unsound(text: "has a wrong signature")
    }
    self = checkpoint
  }

  init(
    number: Int, at: Instant, previous: String?, keyVersion: String, publicKey: Data, heads: [Head], totals: Totals?
  ) {
    (self.number, self.at, self.previous) = (number, at.milliseconds, previous)
    (self.keyVersion, self.publicKey, self.heads) = (keyVersion, publicKey, heads)
    (self.isWhole, self.totals) = (totals != nil, totals)
  }

  struct Unsound: Error { let text: String }
}

extension Vault {
  /// - Parameter version: as a checkpoint names it; nil is the one that new ones get.
  func checkpointKey(_ version: String? = nil) throws -> (version: String, key: Curve25519.Signing.PrivateKey) {
    let derived = try derivedKey(for: "audit checkpoint", version: version)
    return (
      derived.version, try derived.key.withUnsafeBytes { try Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
    )
  }
}

/// Makes a signed checkpoint of the audit log every hour and takes it to its anchor. Any node does it. Of two that
/// begin at once, one finds that the number is taken.
package struct AuditCheckpoints: Sendable {
  package static let interval = Duration.hours(1)
  /// Heads of one checkpoint: 7 MB, which a bucket takes in one piece. The next one goes on.
  static let headsMax = 40_000

  let database: any SQLDatabase
  let vault: Vault
  let world: World
  let anchor: AuditAnchor
  var headsMax = Self.headsMax
  /// Chains of one transaction.
  var batchMax = 500

  package init(database: any SQLDatabase, vault: Vault, world: World, anchor: AuditAnchor) {
    (self.database, self.vault, self.world, self.anchor) = (database, vault, world, anchor)
  }

  /// Takes a checkpoint that is left over to the anchor, and makes the next one when its time has come. None is made of
  /// a log that is not sealed.
  /// - Parameters:
  ///   - isDue: makes one now.
  ///   - isNewPlace: the anchor is to be another place than before. One that is empty without that was lost, or is not
  ///     mounted.
  /// - Returns: the number of the last checkpoint; 0 before the first.
  /// - Throws: `AuditAnchorError`, or what the anchor throws; the checkpoint is tried again.
  @discardableResult
  package func run(isDue: Bool = false, isNewPlace: Bool = false) async throws -> Int {
    // A program from before may still delete chains by rule without a word of it, and the checkpoints would miss them.
    let hasSeal = try await database.read { try AuditStore($0).isSealed() }
    guard hasSeal || vault.isAuditSealed else {
      guard !isDue else { throw AuditAnchorError.unsealed }
      return 0
    }
    if isNewPlace, try await !anchor.numbers().isEmpty { throw AuditAnchorError.occupied }
    if let last = try await database.read({ try AuditCheckpointStore($0).last() }), let document = last.document {
      try await deliver(last, document, isNewPlace: isNewPlace)
    }
    let last = try await database.read { try AuditCheckpointStore($0).last() }
    if isDue || isNewPlace || last.map({ !isRecent($0) }) ?? true {
      var number = last?.number ?? 0
      // What is more than one checkpoint holds follows at once.
      while try await !make(after: number, isNewPlace: isNewPlace) {
        try Task.checkCancellation()
        number += 1
      }
    }
    return try await database.read { try AuditCheckpointStore($0).last()?.number ?? 0 }
  }

  /// Whether the next checkpoint can wait. It cannot when the row was changed or has a time in the future.
  private func isRecent(_ row: AuditCheckpointStore.Row) -> Bool {
    let age = world.now() - row.at
    return row.isProved(by: vault) && age < Self.interval && age >= .zero - AuditVerifier.slack
  }

  /// When the last checkpoint was made that an anchor has, as its row says; nil before the first.
  package static func lastAnchored(in tx: any SQLTransaction) throws -> Instant? {
    try AuditCheckpointStore(tx).lastAnchored()?.at
  }

  /// The age of the last checkpoint that an anchor has; nil before the first.
  /// - Throws: `AuditAnchorError.changed` when the row is not as this program wrote it, `future` for one that is not
  ///   made yet by this machine's clock.
  package func age() async throws -> Duration? {
    guard let row = try await database.read({ try AuditCheckpointStore($0).lastAnchored() }) else { return nil }
    guard row.isProved(by: vault) else { throw AuditAnchorError.changed(row.number) }
    let age = world.now() - row.at
    guard age >= .zero - AuditVerifier.slack else { throw AuditAnchorError.future(row.number) }
    return max(age, .zero)
  }

  /// - Returns: whether it holds every chain that grew, or another node makes it.
  private func make(after number: Int, isNewPlace: Bool) async throws -> Bool {
    // In this order: a checkpoint is in the database before it is at its anchor.
    let held = try await anchor.numbers().last
    let (last, anchored) = try await database.read { tx in
      try (AuditCheckpointStore(tx).last(), AuditCheckpointStore(tx).lastAnchored())
    }
    if let held, held > last?.number ?? 0 {
      throw AuditAnchorError.ahead(anchors: held, database: last?.number ?? 0)
    }
    guard number == last?.number ?? 0 else { return true }
    if held == nil {
      if let anchored, !isNewPlace { throw AuditAnchorError.empty(database: anchored.number) }
      try await forgetAnchored()
    } else if let anchored, try await anchor.get(anchored.number)?.sha256Hex != anchored.digest {
      throw AuditAnchorError.other(anchored.number)
    }
    let (headsMax, now) = (headsMax, world.now())
    let (heads, totals) = try await database.read { tx in
      let heads = try AuditCheckpointStore(tx).grown(limit: headsMax)
      return (heads, heads.count < headsMax ? try AuditCheckpointStore(tx).totals() : nil)
    }
    let key = try vault.checkpointKey()
    let checkpoint = AuditCheckpoint(
      number: (last?.number ?? 0) + 1, at: now, previous: held == nil ? nil : last?.digest, keyVersion: key.version,
      publicKey: key.key.publicKey.rawRepresentation, heads: heads, totals: totals)
    let document = try SignedLines.document(of: checkpoint, by: key.key)
    let row = AuditCheckpointStore.Row(
      number: checkpoint.number, at: now, digest: document.sha256Hex, document: document, by: vault)
    do { try await database.write { try AuditCheckpointStore($0).insert(row) } } catch SQLError.notUnique {
      // Another node was faster.
      return true
    }
    try await deliver(row, document)
    return checkpoint.isWhole
  }

  /// A new place gets every head, be it over several checkpoints. A batch is a transaction, so that it holds up those
  /// who append to few chains, and for a moment.
  private func forgetAnchored() async throws {
    var after: String? = ""
    while let place = after {
      after = try await database.write(.readCommitted) { [batchMax] in
        try AuditCheckpointStore($0).forgetAnchored(after: place, limit: batchMax)
      }
    }
  }

  private func deliver(
    _ row: AuditCheckpointStore.Row, _ document: Data, isNewPlace: Bool = false
  ) async throws {
    let checkpoint: AuditCheckpoint
    do { checkpoint = try AuditCheckpoint(document, by: vault) } catch let unsound as AuditCheckpoint.Unsound {
      throw AuditAnchorError.unsound(row.number, unsound.text)
    }
    if checkpoint.previous != nil, try await anchor.numbers().isEmpty {
      guard isNewPlace else { throw AuditAnchorError.empty(database: row.number - 1) }
      // It was made for another place: the first one of this place takes its number.
      return try await database.write { try AuditCheckpointStore($0).delete(row.number) }
    }
    try await anchor.put(row.number, document)
    let heads = checkpoint.heads
    var start = 0
    while start < heads.count {
      let batch = Array(heads[start..<min(start + batchMax, heads.count)])
      try await database.write(.readCommitted) { tx in
        for head in batch { try AuditCheckpointStore(tx).markAnchored(head) }
      }
      start += batch.count
    }
    let now = world.now()
    try await database.write { try AuditCheckpointStore($0).markAnchored(row.number, at: now) }
  }
}
