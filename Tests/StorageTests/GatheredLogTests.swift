// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import TestSupport
import Testing

/// By `PlainSQLite`: what two connections to one file, small caches and unsynced commits do to the log is more than
/// `SQLite` lets anybody do.
@Suite("Storage: SQLite's log in long pieces", .ownFile, .timeLimit(.minutes(3)))
struct GatheredLogTests {
  private static let table = "CREATE TABLE line (n INTEGER PRIMARY KEY, value INTEGER, filling BLOB)"

  private static func put(_ line: Int, _ value: Int) -> String {
    "INSERT OR REPLACE INTO line VALUES (\(line), \(value), zeroblob(\(value % 3000)))"
  }

  /// A file whose program opens files through the layer.
  private func file(_ folder: TestFolder) throws -> String {
    // Opening one puts the layer in.
    try SQLite(path: folder.file("any.sqlite"), durability: .shared).close()
    return folder.file("log.sqlite")
  }

  /// What a program finds that starts now, because the one that wrote was killed.
  private func found(_ path: String, _ folder: TestFolder, _ number: Int) throws -> [Int: Int] {
    let copy = folder.file("copy-\(number).sqlite")
    for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
    let connection = try PlainSQLite(copy, layer: "unix")
    #expect(try connection.isWhole())
    return try connection.lines()
  }

  @Test(
    "a commit is in the file when it is acknowledged, no matter who else writes and takes back, and however",
    arguments: 0..<6)
  func random(seed: Int) throws {
    var randomness = SeededGenerator(seed: UInt64(seed))
    let folder = try TestFolder()
    let path = try file(folder)
    // A cache of a few pages: what does not fit goes to the log before the transaction ends, and comes back from it.
    let connections = try [5, 5, 2000].map { try PlainSQLite(path, cachePages: $0) }
    try connections[0].run(Self.table)
    var kept: [Int: Int] = [:]
    for round in 0..<60 {
      let writer = try #require(connections.randomElement(using: &randomness))
      try writer.run("PRAGMA synchronous = \(["OFF", "NORMAL", "FULL"].randomElement(using: &randomness) ?? "FULL")")
      try writer.run("BEGIN IMMEDIATE")
      var written = kept
      for _ in 0..<Int.random(in: 1...60, using: &randomness) {
        let (line, value) = (
          Int.random(in: 0..<150, using: &randomness), Int.random(in: 0..<100_000, using: &randomness)
        )
        try writer.run(Self.put(line, value))
        written[line] = value
      }
      if Int.random(in: 0..<3, using: &randomness) == 0 {
        try writer.run("ROLLBACK")
      } else {
        try writer.run("COMMIT")
        kept = written
      }
      #expect(try found(path, folder, round) == kept)
      for reader in connections { #expect(try reader.lines() == kept) }
      if Int.random(in: 0..<8, using: &randomness) == 0 {
        let mode = ["PASSIVE", "RESTART", "TRUNCATE"].randomElement(using: &randomness) ?? "PASSIVE"
        try connections[0].run("PRAGMA wal_checkpoint(\(mode))")
      }
    }
  }

  /// Calls by which this thread wrote so far, by the system's own count (proc(5)).
  private static var writes: Int? {
    let counts = try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    return counts?.split(separator: "\n").first { $0.hasPrefix("syscw") }?.split(separator: " ").last.flatMap {
      Int($0)
    }
  }

  @Test("a commit of many pages is a few calls", .enabled(if: Self.writes != nil, "The system counts no calls."))
  func fewCalls() throws {
    let folder = try TestFolder()
    let path = try file(folder)
    func calls(_ connection: PlainSQLite) throws -> Int {
      try connection.run("BEGIN IMMEDIATE")
      for line in 0..<100 { try connection.run(Self.put(line, 2999)) }
      let before = Self.writes ?? 0
      try connection.run("COMMIT")
      return (Self.writes ?? 0) - before
    }
    let plain = try PlainSQLite(folder.file("plain.sqlite"), layer: "unix")
    try plain.run(Self.table)
    let gathered = try PlainSQLite(path)
    try gathered.run(Self.table)
    let (many, few) = (try calls(plain), try calls(gathered))
    // Two for each of some 80 pages; 128 KiB at a time.
    #expect(many > 100)
    #expect(few < 10)
  }
}
