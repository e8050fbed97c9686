// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import TestSupport
import Testing

@Suite("Storage: a file of SQLite that cannot grow", .ownFile)
struct FullDiskTests {
  @Test("what finds no room is told as a store that does not answer, is rolled back, and works once there is room")
  func full() async throws {
    let folder = try TestFolder()
    let database = try SQLite(path: folder.file("store.sqlite"))
    defer { try? database.close() }
    try await database.write { _ = try $0.execute("CREATE TABLE note (text TEXT NOT NULL)") }
    // As many pages as the file may have: SQLite answers as it does to ENOSPC.
    try await database.write { _ = try $0.query("PRAGMA max_page_count = 20") }
    let note = String(repeating: "x", count: 400_000)
    let failure = try await #require(throws: SQLError.self) {
      try await database.write { tx in
        _ = try tx.execute("INSERT INTO note (text) VALUES ('short')")
        _ = try tx.execute("INSERT INTO note (text) VALUES (\(note))")
      }
    }
    guard case .unreachable = failure else {
      Issue.record("told as \(failure)")
      return
    }
    #expect(try await database.read { try $0.query("SELECT text FROM note").count } == 0)
    try await database.write { _ = try $0.query("PRAGMA max_page_count = 4000") }
    try await database.write { _ = try $0.execute("INSERT INTO note (text) VALUES (\(note))") }
    #expect(try await database.read { try $0.query("SELECT text FROM note").count } == 1)
  }

  @Test("a file that cannot be opened is told with its path, as a store that does not answer")
  func closed() throws {
    let folder = try TestFolder()
    let path = folder.file("none/store.sqlite")
    let failure = try #require(throws: SQLError.self) { _ = try SQLite(path: path) }
    guard case .unreachable(let why) = failure else {
      Issue.record("told as \(failure)")
      return
    }
    #expect(why.hasPrefix("\(path): "))
  }

  @Test("a copy whose place cannot be written is told with the place's path, as a store that does not answer")
  func copied() async throws {
    let folder = try TestFolder()
    let source = folder.file("store.sqlite")
    let database = try SQLite(path: source)
    defer { try? database.close() }
    try await database.write { _ = try $0.execute("CREATE TABLE note (text TEXT NOT NULL)") }
    let target = folder.file("none/copy.sqlite")
    let failure = try await #require(throws: SQLError.self) { try await SQLite.copy(source, to: target) }
    guard case .unreachable(let why) = failure else {
      Issue.record("told as \(failure)")
      return
    }
    #expect(why.hasPrefix("\(target): "))
  }
}
