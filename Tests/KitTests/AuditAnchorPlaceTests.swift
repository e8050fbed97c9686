// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

extension AuditAnchorTests {
  @Test(
    "a new place is said to be one, and gets every head; a database that is older than its anchors stops",
    arguments: Engine.available, [500, 1])
  func places(engine: Engine, batch: Int) async throws {
    let log = try await AnchoredLog(engine)
    log.log.clock.advance(by: .hours(1))
    var other = try log.moved()
    other.checkpoints.batchMax = batch
    // As a place is that is not mounted.
    await #expect(throws: AuditAnchorError.empty(database: 1)) { try await other.checkpoints.run() }
    await #expect(throws: AuditAnchorError.occupied) { try await log.checkpoints.run(isNewPlace: true) }
    #expect(try await log.log.made.database.read { try AuditCheckpointStore($0).grown(limit: 9) } == [])
    #expect(try await other.checkpoints.run(isNewPlace: true) == 2)
    let report = try await other.verify()
    #expect(report.isSound && report.checkpoints == 1)
    let document = try Data(contentsOf: URL(fileURLWithPath: other.path(2)))
    #expect(try AuditCheckpoint(document, by: log.log.vault).heads.count == 4)
    // The former place again.
    await #expect(throws: AuditAnchorError.other(2)) { try await log.checkpoints.run(isDue: true) }
    try await log.log.damage(["DELETE FROM audit_checkpoint WHERE number = 2"])
    await #expect(throws: AuditAnchorError.ahead(anchors: 2, database: 1)) { try await other.checkpoints.run() }
  }

  @Test("a checkpoint that waits for a place that is away is not taken to an empty one", arguments: Engine.available)
  func away(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    log.log.clock.advance(by: .hours(1))
    await #expect(throws: BlobError.unavailable) { try await log.unwritable.run() }
    let other = try log.moved()
    await #expect(throws: AuditAnchorError.empty(database: 1)) { try await other.checkpoints.run() }
    #expect(try await other.checkpoints.run(isNewPlace: true) == 2)
    #expect(try await other.verify().isSound)
    // The first one was checked in the former place.
    #expect(try await other.verify(since: 2).isSound)
  }

  @Test(
    "only chains that are anchored are written anew for a new place, a batch at a time", arguments: Engine.available)
  func forgotten(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    try await log.log.damage(["UPDATE audit_head SET anchored = 0 WHERE chain = 'b'"])
    func forget(_ after: String) async throws -> String? {
      try await log.log.made.database.write { try AuditCheckpointStore($0).forgetAnchored(after: after, limit: 2) }
    }
    #expect(try await forget("") == "audit")
    #expect(try await forget("audit") == "c")
    #expect(try await forget("c") == nil)
    #expect(try await log.log.made.database.read { try AuditCheckpointStore($0).grown(limit: 9).count } == 4)
  }
}
