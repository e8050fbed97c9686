// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// Kills writers of one SQLite file again and again, at random instants, and checks each time that everything that they
/// were told was done is there.
package struct CrashLoop {
  package struct Counts: Sendable, Codable {
    package var kills = 0
    /// Commits that a writer was told of.
    package var acknowledged = 0
    /// Kills between a commit and its acknowledgement: the row is there, and no writer was told.
    package var unheard = 0
    /// Kills inside a commit: the log ends in pages without their commit mark.
    package var insideCommit = 0
    package var faults: [String] = []
  }

  /// Kills after which a new file is begun, so that looking through all of it stays fast.
  static let killsPerFile = 50
  static let processes = 2
  static let writersPerProcess = 2
  /// Commits that are waited for before a kill, at most.
  static let commitsMax: UInt64 = 24

  private let writer: URL
  private let durability: SQLite.Durability
  private let folder: String
  private var random: SeededGenerator
  private var acknowledged: [String: Int] = [:]
  package private(set) var counts = Counts()

  /// - Parameter folder: where the files are made; the caller removes it.
  package init(writer: URL, _ durability: SQLite.Durability, seed: UInt64, folder: String) {
    self.writer = writer
    self.durability = durability
    self.folder = folder
    random = SeededGenerator(seed: seed)
  }

  private var path: String { "\(folder)/crash-\(counts.kills / Self.killsPerFile).sqlite" }

  /// One life of the writers and what is left of it.
  package mutating func kill() async throws {
    let path = path
    if counts.kills % Self.killsPerFile == 0 { acknowledged = [:] }
    for line in try live(path) {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let number = Int(parts[1]) else {
        counts.faults.append("kill \(counts.kills): \(line)")
        continue
      }
      acknowledged[String(parts[0])] = number
      counts.acknowledged += 1
    }
    if try WALTail(path: path + "-wal").isUncommitted { counts.insideCommit += 1 }
    counts.kills += 1
    let faults = try await look(path)
    counts.faults += faults.map { "kill \(counts.kills): \($0)" }
  }

  /// Lets the writers live for a while.
  /// - Returns: whole lines that they said.
  private mutating func live(_ path: String) throws -> [String] {
    let pipe = Pipe()
    let children = try (1...Self.processes).map { number in
      let child = Process()
      child.executableURL = writer
      // A writer that crashes by itself should say so at once.
      child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        .merging(durability.variable) { $1 }
      child.arguments = [path, "p\(number)", "\(Self.writersPerProcess)"]
      child.standardOutput = pipe.fileHandleForWriting
      try child.run()
      return child
    }
    try pipe.fileHandleForWriting.close()
    var said = Data()
    let commits = Int(random.next() % Self.commitsMax)
    // Some die before they said anything, while the file is still being made or recovered.
    while said.count(where: { $0 == 10 }) < commits {
      let more = pipe.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      said += more
    }
    for child in children {
      // A moment of up to 4 ms, so that the kill has no place in the writers' rhythm.
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(Int(random.next() % 4000)))
      Glibc.kill(child.processIdentifier, SIGKILL)
    }
    for child in children {
      child.waitUntilExit()
      if child.terminationStatus != SIGKILL {
        counts.faults.append("a writer ended by itself: \(child.terminationStatus)")
      }
    }
    said += pipe.fileHandleForReading.readDataToEndOfFile()
    // A last line without its end was not said whole.
    guard let end = said.lastIndex(of: 10) else { return [] }
    return String(decoding: said[...end], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Opens the file as the next start would, and looks at every promise.
  private mutating func look(_ path: String) async throws -> [String] {
    let database = try SQLite(path: path, durability: durability)
    // The tables and the key ring are there when the writers got as far.
    let vault = try? await Vault.open(database, keyring: Keyring(at: path + ".keys"), world: .live)
    let found = try await database.read { try Found($0, vault) }
    try database.close()
    var faults: [String] = []
    if found.integrity != "ok" { faults.append("the file is damaged: \(found.integrity)") }
    guard found.isMade else { return faults + (acknowledged.isEmpty ? [] : ["the tables are gone"]) }
    for writer in Set(acknowledged.keys).union(found.steps.keys) {
      let steps = found.steps[writer] ?? 0
      let told = acknowledged[writer] ?? 0
      if steps < told { faults.append("\(writer) was told of \(told), \(steps) are there") }
      // One more may have been committed but not yet said.
      if steps > told + 1 { faults.append("\(writer) was told of \(told), \(steps) are there: one too many") }
      if steps == told + 1 { counts.unheard += 1 }
      acknowledged[writer] = max(steps, told)
    }
    let steps = found.steps.values.reduce(0, +)
    if found.rows != steps { faults.append("\(found.rows) rows for numbers up to \(steps): one is missing") }
    if found.effects != steps { faults.append("\(found.effects) effects for \(steps) steps") }
    if found.answers != steps || found.claims != 0 {
      faults.append("\(found.answers) answers and \(found.claims) claims for \(steps) steps")
    }
    if found.auditLines != steps { faults.append("\(found.auditLines) audit lines for \(steps) steps") }
    return faults + found.auditFaults.map { "audit: \($0)" }
  }

  /// What is in the file.
  private struct Found: Sendable {
    let integrity: String
    /// Whether the writers got as far as their tables.
    let isMade: Bool
    /// The highest number of each writer.
    var steps: [String: Int] = [:]
    var (rows, effects, answers, claims) = (0, 0, 0, 0)
    var auditLines = 0
    var auditFaults: [String] = []

    init(_ tx: any SQLTransaction, _ vault: Vault?) throws {
      integrity = try tx.first("PRAGMA integrity_check")?.get("integrity_check") ?? "no answer"
      isMade = try tx.first("SELECT name FROM sqlite_master WHERE name = 'crash_step'") != nil
      guard isMade else { return }
      for row in try tx.query("SELECT writer, MAX(n) AS n, COUNT(n) AS rows_found FROM crash_step GROUP BY writer") {
        steps[try row.get("writer")] = try row.get("n", as: Int.self)
        rows += try row.get("rows_found", as: Int.self)
      }
      effects = try tx.first("SELECT COUNT(DISTINCT subject) AS n FROM outbox")?.get("n") ?? 0
      answers = try tx.first("SELECT COUNT(answer) AS n FROM idempotency")?.get("n") ?? 0
      claims = try tx.first("SELECT COUNT(scope) AS n FROM idempotency WHERE answer IS NULL")?.get("n") ?? 0
      let audit = try AuditStore(tx).verify(by: vault)
      (auditLines, auditFaults) = (audit.lines, audit.faults)
    }
  }
}

extension SQLite.Durability {
  /// What tells a writer of it.
  package var variable: [String: String] { ["GATEHOUSE_DATABASE_SYNC": rawValue] }
}
