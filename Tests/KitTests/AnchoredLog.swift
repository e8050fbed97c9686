// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import TestSupport

@testable import Kit

/// A log whose four chains are in one checkpoint.
struct AnchoredLog: Sendable {
  let log: AuditLog
  let folder: TestFolder
  var checkpoints: AuditCheckpoints

  init(_ engine: Engine, headsMax: Int = 100) async throws {
    try self.init(try await AuditLog(engine, isMarked: true), headsMax: headsMax)
    log.clock.advance(by: .hours(2))
    try await checkpoints.run()
  }

  /// One without a checkpoint.
  init(_ log: AuditLog, headsMax: Int = 100) throws {
    (self.log, folder) = (log, try TestFolder())
    var checkpoints = AuditCheckpoints(
      database: log.made.database, vault: log.vault, world: log.clock.world, anchor: .folder(folder.file("anchors")))
    checkpoints.headsMax = headsMax
    self.checkpoints = checkpoints
  }

  /// The same checkpoints while nothing can be written to their place.
  var unwritable: AuditCheckpoints {
    let anchor = checkpoints.anchor
    return AuditCheckpoints(
      database: log.made.database, vault: log.vault, world: log.clock.world,
      anchor: AuditAnchor(
        put: { _, _ in throw BlobError.unavailable }, get: anchor.get, numbers: anchor.numbers))
  }

  /// The same log with another place for its checkpoints.
  func moved() throws -> AnchoredLog { try AnchoredLog(log) }

  func path(_ number: Int) -> String { folder.file("anchors/\(AuditAnchor.name(number))") }

  func overwrite(_ number: Int, with document: Data) throws {
    try FileManager.default.removeItem(atPath: path(number))
    try document.write(to: URL(fileURLWithPath: path(number)))
  }

  func verify(since: Int = 1) async throws -> AuditReport {
    try await AuditVerifier(
      database: log.made.database, vault: log.vault, world: log.clock.world, anchor: checkpoints.anchor
    ).run(since: since)
  }

  /// Has a chain that no checkpoint holds: the column says before each that it is anchored already, as a trigger would.
  func keepFromAnchor(_ chain: String) async throws {
    try await log.append("\(chain).1", to: chain)
    try await log.damage([SQL("UPDATE audit_head SET anchored = sequence WHERE chain = \(chain)")])
    log.clock.advance(by: .hours(1))
    try await checkpoints.run()
  }

  /// Cuts lines off and makes the head fit in every column, which takes no key.
  func setBack(_ chain: String, to sequence: Int) async throws {
    try await log.damage([
      SQL("DELETE FROM audit_line WHERE chain = \(chain) AND sequence > \(sequence)"),
      SQL(
        """
        UPDATE audit_head SET sequence = \(sequence), anchored = \(sequence), digest = (
          SELECT digest FROM audit_line WHERE chain = \(chain) AND sequence = \(sequence)) WHERE chain = \(chain)
        """),
    ])
  }
}

extension AuditLog {
  /// Says that a chain was deleted by rule, without a key.
  func forgeDrop(of first: String) async throws {
    try await made.database.write { [clock] tx in
      let store = AuditStore(tx)
      let last = try store.head(of: Audit.ownChain)
      let line = AuditLine(
        chain: Audit.ownChain, sequence: (last?.sequence ?? 0) + 1, at: clock.now, actor: "system",
        action: Audit.droppedAction, facts: ["chains": first], previous: last?.digest ?? "", salt: "00")
      try store.setHead(of: line.chain, sequence: line.sequence, digest: line.digest, previous: last)
      try store.insert(line, content: line.content, digest: line.digest)
    }
  }
}
