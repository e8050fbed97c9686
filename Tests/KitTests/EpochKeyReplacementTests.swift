// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: another epoch key takes over beside processes that go on")
struct EpochKeyReplacementTests {
  private static let (ann, bob) = (SubjectKeyTests.ann, SubjectKeyTests.bob)

  /// What a command does, which is a process of its own.
  private func command(_ app: SubjectKeyTestApp) async throws -> SubjectKeyEpochs {
    let vault = try await app.restarted()
    return try #require(SubjectKeyEpochs(app.database, vault: vault, world: app.clock.world))
  }

  /// Another key is prepared and takes over, each by a command.
  private func replaceKey(_ app: SubjectKeyTestApp) async throws -> SubjectKeyEpochs.Report {
    try await command(app).prepareNext()
    return try await command(app).beginNext { _, _ in }
  }

  /// What a process that begins now opens.
  private func opened(_ sealed: Data, _ app: SubjectKeyTestApp) async throws -> Data {
    try await app.restarted().open(sealed, context: "t.c:1", in: app.database)
  }

  @Test(
    "a process whose epoch is due wraps nothing under the former key when the new one takes over meanwhile",
    arguments: Engine.available)
  func overtaken(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let ann = try await app.seal(Data("a".utf8), Self.ann)
    try await app.epochs.prepareNext()
    let next = try #require(try app.file.readNext())
    app.clock.advance(by: SubjectKeys.epochLength)
    let (database, now, fingerprint) = (app.database, app.clock.now, next.beginning(2).fingerprint)
    let overtaken = OvertakenDatabase(database) {
      _ = try await database.write {
        try SubjectKeyStore($0).begin(.init(number: 2, beganAt: now, fingerprint: fingerprint))
      }
    }
    let server = try #require(SubjectKeyEpochs(overtaken, vault: app.vault, world: app.clock.world))
    #expect(try await server.run() == .init(epoch: 2, rewrapped: 1, earliest: 1))
    // Data was lost: the key of Ann was wrapped in the new key's epoch under the former one.
    #expect(try await opened(ann, app) == Data("a".utf8))
    app.clock.advance(by: SubjectKeyEpochs.settled)
    #expect(try await server.run(destroying: true).earliest == 2)
    #expect(try await opened(ann, app) == Data("a".utf8))
  }

  @Test(
    "a second new key reaches a process that goes on and has destroyed neither of those before",
    arguments: Engine.available)
  func twice(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let server = try await app.restarted()
    let ann = try await app.seal(Data("a".utf8), Self.ann)
    for epoch in 2...4 {
      #expect(try await replaceKey(app) == .init(epoch: epoch, rewrapped: 1, earliest: epoch - 1))
      #expect(try await server.opensAll(in: app.database))
      app.clock.advance(by: SubjectKeyEpochs.settled)
      #expect(try await command(app).run(destroying: true).earliest == epoch)
    }
    #expect(try await server.open(ann, context: "t.c:1", in: app.database) == Data("a".utf8))
    let bob = try await app.database.write { try server.seal(Data("b".utf8), context: "t.c:1", of: Self.bob, in: $0) }
    #expect(try await opened(bob, app) == Data("b".utf8))
  }

  @Test(
    "a restored database of before goes on under the former key until the new one takes over once more",
    arguments: Engine.available)
  func restored(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let ann = try await app.seal(Data("a".utf8), Self.ann)
    let rows = try await app.rows()
    _ = try await replaceKey(app)
    try await app.database.write { tx in
      try tx.execute("DELETE FROM subject_key")
      try tx.execute("DELETE FROM subject_key_epoch WHERE number = 2")
    }
    try await app.restore(rows)
    #expect(try await command(app).run() == .init(epoch: 1, rewrapped: 0, earliest: 1))
    let report = try await command(app).beginNext { _, _ in }
    #expect(report == .init(epoch: 2, rewrapped: 1, earliest: 1))
    #expect(try await opened(ann, app) == Data("a".utf8))
  }

  @Test("nothing takes over where keys of persons have not begun", arguments: Engine.available)
  func notBegun(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine, begun: false)
    let refusal = await #expect(throws: Problem.self) { try await app.epochs.beginNext { _, _ in } }
    #expect(refusal?.code == "no-epoch")
  }
}
