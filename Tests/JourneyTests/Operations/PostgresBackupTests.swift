// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow
@testable import GatehouseApp

@Suite("Operations: backup of PostgreSQL by its own tools", .enabled(if: Engine.current == .postgres))
struct PostgresBackupTests {
  @Test("a dump taken while customers come in, restored as docs/rights.md says, is of one instant and opens")
  func dump() async throws {
    let store = try await TestDatabase.make(.postgres)
    var address = ""
    _ = try store.reopened { address = $0.url }
    let schema = try #require(address.firstMatch(of: #/search_path%3D(\w+)/#)?.output.1)
    let source = try await BackupTestApp(database: store.database)
    for number in 0..<5 { _ = try await source.customer(number) }

    let file = source.folder.file("gatehouse.dump")
    let url = address
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try Self.run("pg_dump", "--format=custom", "--schema=\(schema)", "--file=\(file)", url)
      }
      group.addTask { for number in 5..<25 { _ = try await source.customer(number) } }
      try await group.waitForAll()
    }
    let restored = url.replacing("@/gatehouse?", with: "@/restored_\(schema)?")
    try Self.run("psql", "--quiet", "--command=CREATE DATABASE restored_\(schema)", url)
    try Self.run("pg_restore", "--exit-on-error", "--no-owner", "--dbname=\(restored)", file)

    let copy = Postgres(PostgresSettings(url: restored, connectionsMax: 4), application: "restored")
    let app = try await BackupTestApp.open(source.settings, source.clock, database: copy)
    let report = try await app.database.read { try AuditStore($0).verify(by: app.vault) }
    let contents = try await BackupTestApp.contents(of: app)
    #expect(report.faults == [] && report.chains == contents.count + 1 && contents.count >= 5)
    for number in 0..<contents.count {
      let pictures = try #require(contents[BackupTestApp.email(number)])
      #expect(pictures == [BackupTestApp.picture(number)] || number == contents.count - 1 && pictures.isEmpty)
    }
    try copy.close()
  }

  private static func run(_ tool: String, _ arguments: String...) throws {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BackupError("\(tool) left with \(process.terminationStatus)") }
  }
}
