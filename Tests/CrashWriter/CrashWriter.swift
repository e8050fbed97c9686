// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Writes for as long as it lives and says each commit on standard output once it was acknowledged.
///
/// `CrashWriter FILE` writes numbers; `CrashWriter FILE NAME WRITERS` writes whole steps, by several writers at once;
/// `CrashWriter DATABASE ledger CLIENTS` moves money, a bounded number of times.
/// `GATEHOUSE_DATABASE_SYNC` says how commits reach the disk, as it does in service: SQLite's own way by default.
/// The tests kill it in the middle and look for everything that was said.
@main
enum CrashWriter {
  /// A pipe without a reader ends the process, so no bound but this one is needed.
  static let commitsMax = 1_000_000

  static func main() async throws {
    let arguments = CommandLine.arguments
    switch arguments.count {
    case 2: try await writeNumbers(open(arguments[1]))
    case 4 where arguments[2] == "ledger":
      try await LedgerWriter.run(arguments[1], clients: Int(arguments[3]) ?? 1)
    case 4: try await StepWriter.run(open(arguments[1]), process: arguments[2], writers: Int(arguments[3]) ?? 1)
    default: throw Usage()
    }
  }

  static func open(_ path: String) throws -> SQLite {
    let word = ProcessInfo.processInfo.environment["GATEHOUSE_DATABASE_SYNC"]
    guard let durability = word.map({ SQLite.Durability(rawValue: $0) }) ?? .full else { throw Usage() }
    return try SQLite(path: path, durability: durability)
  }

  private static func writeNumbers(_ database: SQLite) async throws {
    try await database.migrate([Migration("2026-01-01 number", "CREATE TABLE number (n BIGINT PRIMARY KEY)")])
    for number in 1...commitsMax {
      try await database.write { _ = try $0.execute("INSERT INTO number (n) VALUES (\(number))") }
      say("\(number)")
    }
  }

  /// One write, so that lines of several writers do not mix (POSIX PIPE_BUF).
  static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  struct Usage: Error {}
}
