// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import Storage

/// A tiny flow: a card is taken, sent by an effect, and deleted by a job when it is as old as the settings say.
struct PostcardModule: Module {
  static let name = "postcards"
  static let path = "/api/v1/postcards"
  private static let topic = "postcards.send"

  let core: CoreDependencies
  let settings: PostcardSettings
  private var database: any SQLDatabase { core.database }
  private var world: World { core.world }

  static var settings: (any ModuleSettings.Type)? { PostcardSettings.self }

  static let migrations = [
    Migration(
      "2026-12-01 postcards",
      """
      CREATE TABLE postcard (
        id TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL, written_at BIGINT NOT NULL, sent_at BIGINT
      );
      """
    )
  ]

  var dialects: [(prefix: String, dialect: any Dialect)] { [(Self.path, PostcardDialect())] }

  var effects: [String: OutboxWorker.Handler] {
    [
      Self.topic: { [database, world] item in
        try await database.write { tx in
          _ = try tx.execute("UPDATE postcard SET sent_at = \(world.now()) WHERE id = \(item.subject)")
        }
      }
    ]
  }

  var exporter: (any SubjectExporter)? { PostcardRights(database: database) }
  var eraser: (any SubjectEraser)? { PostcardRights(database: database) }

  var retention: [ScheduledJob] {
    [
      ScheduledJob("old-postcards") { [database, world, settings] in
        let before = world.now() - .days(settings.keptDays)
        try await database.write { tx in
          _ = try tx.execute("DELETE FROM postcard WHERE written_at < \(before)")
        }
      }
    ]
  }

  func addRoutes(to root: RouterGroup<PublicContext>) {
    root.post(RouterPath(Self.path)) { [core, database, world] request, _ in
      let content = try await RequestContent(request, limit: 100)
      guard !content.bytes.isEmpty else { throw Problem(.badRequest, "blank", "A card has a text.") }
      let (id, text) = (world.uuid(), String(decoding: content.bytes, as: UTF8.self))
      try await database.write { tx in
        _ = try tx.execute("INSERT INTO postcard (id, text, written_at) VALUES (\(id), \(text), \(world.now()))")
        try core.outbox.enqueue(Self.topic, subject: id, in: tx)
      }
      return Response(status: .created)
    }
  }
}

/// What an operator decides about postcards.
struct PostcardSettings: ModuleSettings {
  var keptDays = 1

  init() {}

  init(_ config: ConfigReader) throws {
    keptDays = try config.int(forKey: "postcards.keptDays", default: keptDays, in: 1...30)
  }
}

/// The card of an id is all that is kept of its writer.
private struct PostcardRights: SubjectExporter, SubjectEraser {
  let database: any SQLDatabase

  func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    let rows = try await database.read { try $0.query("SELECT text FROM postcard WHERE id = \(subject.id)") }
    guard let row = rows.first else { throw Problem.notFound }
    try add("postcard.txt", Data(try row.get("text", as: String.self).utf8))
  }

  func erase(_ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool) async throws -> [String] {
    try await database.write { tx in _ = try tx.execute("DELETE FROM postcard WHERE id = \(subject.id)") }
    return ["Erased."]
  }

  func tenants(in scope: TenantScope, in tx: any SQLTransaction) -> [String] { [] }

  func person(_ name: String, of tenant: String, in tx: any SQLTransaction) throws -> NamedPerson? {
    try tx.first("SELECT id FROM postcard WHERE id = \(name)").map { _ in NamedPerson(name, id: name) }
  }
}

/// Says the code of a problem and nothing else.
private struct PostcardDialect: Dialect {
  func response(for problem: Problem, path: String, correlationID: String) -> Response {
    Response(status: problem.status, body: ResponseBody(byteBuffer: ByteBuffer(string: problem.code)))
  }
}
