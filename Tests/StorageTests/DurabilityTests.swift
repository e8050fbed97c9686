// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Foundation
import Storage
import Testing
import TestSupport

@Suite("Storage: what was acknowledged stays")
struct DurabilityTests {
  @Test("a commit is there after the database was closed and opened again", arguments: Engine.available)
  func reopened(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    try await made.database.write { _ = try $0.execute("INSERT INTO thing (id, text) VALUES (1, 'kept')") }
    try made.database.close()
    let again = try made.reopened()
    #expect(try await again.read { try $0.first("SELECT text FROM thing")?.get("text") } == "kept")
    try again.close()
  }

  /// 1 is NORMAL; the syncs of commits are in `LogSyncerTests` then. 2 is FULL.
  @Test(
    "SQLite syncs commits by itself or leaves that to the program, and what is erased is overwritten",
    arguments: zip(SQLite.Durability.allCases, [1, 2]))
  func settings(durability: SQLite.Durability, number: Int) async throws {
    let folder = try TestFolder()
    let database = try SQLite(path: folder.file("synced.sqlite"), durability: durability)
    let (synchronous, secureDelete) = try await database.write { tx in
      (
        try tx.first("PRAGMA synchronous")?.get("synchronous", as: Int.self),
        try tx.first("PRAGMA secure_delete")?.get("secure_delete", as: Int.self)
      )
    }
    #expect(synchronous == number)
    #expect(secureDelete == 1)
    try database.close()
    let unnamed = try SQLite(path: folder.file("unnamed.sqlite"))
    #expect(try await unnamed.write { try $0.first("PRAGMA synchronous")?.get("synchronous", as: Int.self) } == 2)
    try unnamed.close()
  }

  @Test("the SQLite file and its log can be read by their owner only")
  func permissions() async throws {
    let folder = try TestFolder()
    let database = try SQLite(path: folder.file("private.sqlite"))
    try await database.migrate([thing])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains("private.sqlite") && names.contains("private.sqlite-wal"))
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
    }
    try database.close()
  }

  @Test(
    "nothing that was acknowledged is missing after kill -9",
    .enabled(if: CrashWriterProgram.url != nil, "no CrashWriter was built"),
    .timeLimit(.minutes(1)), arguments: [1, 37, 250], SQLite.Durability.allCases)
  func killed(after count: Int, durability: SQLite.Durability) async throws {
    let folder = try TestFolder()
    let path = folder.file("crash.sqlite")
    let acknowledged = try Self.killWriter(path, durability, after: count)
    #expect(acknowledged.count >= count)

    let database = try SQLite(path: path, durability: durability)
    let found = try await database.read {
      try $0.query("SELECT n FROM number ORDER BY n").map { try $0.get("n", as: Int.self) }
    }
    #expect(acknowledged.allSatisfy(Set(found).contains))
    // One more may have been committed but not yet said; nothing else may be there.
    #expect(found == Array(1...found.count) && found.count <= acknowledged.count + 1)
    let verdict = try await database.read {
      try $0.first("PRAGMA integrity_check")?.get("integrity_check", as: String.self)
    }
    #expect(verdict == "ok")
    try database.close()
  }

  /// Lets the writer acknowledge `count` commits, kills it and gives everything that it had said by then.
  private static func killWriter(
    _ path: String, _ durability: SQLite.Durability, after count: Int
  ) throws -> [Int] {
    let process = ChildProcess()
    let output = Pipe()
    process.executableURL = CrashWriterProgram.url
    process.arguments = [path]
    process.environment = ProcessInfo.processInfo.environment.merging(durability.variable) { $1 }
    process.standardOutput = output
    try process.run()
    var said = Data()
    while said.count(where: { $0 == 10 }) < count {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      said += more
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    said += output.fileHandleForReading.readDataToEndOfFile()
    // A last line without its end was not said whole.
    let whole = said.prefix(through: said.lastIndex(of: 10) ?? said.startIndex)
    return String(decoding: whole, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
  }
}
