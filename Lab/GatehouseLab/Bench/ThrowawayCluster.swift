// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import Storage

/// A PostgreSQL server from Debian's package for the length of a measurement, reached by a socket in its own folder.
/// It is as durable as one in service: commits are synced.
struct ThrowawayCluster: Sendable {
  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  private static let root = "/usr/lib/postgresql"

  let url: String
  private let folder: String
  private let programs: String

  /// - Returns: nil where there is no such package, or no user to run it for root, as whom it refuses to run.
  static func start() throws -> ThrowawayCluster? {
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
    guard let version = versions.max() else { return nil }
    let cluster = ThrowawayCluster(programs: "\(root)/\(version)/bin")
    guard FileManager.default.isExecutableFile(atPath: "\(cluster.programs)/initdb") else { return nil }
    try FileManager.default.createDirectory(
      atPath: cluster.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    if getuid() == 0 {
      guard try run("/usr/bin/chown", ["postgres", cluster.folder]) == 0 else { return nil }
    }
    do {
      try cluster.require(
        "initdb", ["-D", cluster.data, "-U", "gatehouse", "--auth=trust", "-E", "UTF8", "--locale=C"])
      try cluster.require(
        "pg_ctl",
        [
          // In /dev/shm what the server shares would outlive a measurement that was killed.
          "-D", cluster.data, "-l", "\(cluster.folder)/log", "-w", "-o",
          "-k \(cluster.folder) -c listen_addresses= -c dynamic_shared_memory_type=mmap", "start",
        ])
      try cluster.require("createdb", ["-h", cluster.folder, "-U", "gatehouse", "gatehouse"])
    } catch {
      cluster.stop()
      throw error
    }
    return cluster
  }

  private init(programs: String) {
    // Short: the path of a socket has 107 characters at most.
    folder = "/tmp/gatehouse-bench-\(World.live.uuid().suffix(12))"
    url = "postgres://gatehouse@/gatehouse?host=\(folder)"
    self.programs = programs
  }

  /// Makes another database on the same server.
  /// - Returns: its URL.
  func another(_ name: String) throws -> String {
    try require("createdb", access + [name])
    return "postgres://gatehouse@/\(name)?host=\(folder)"
  }

  /// What `pg_test_fsync` says of the disk that the server writes to: synced writes of one block a second.
  func syncsPerSecond() throws -> Double? {
    let text = try output("pg_test_fsync", ["-s", "1", "-f", "\(folder)/fsync"])
    let line = text.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix("fdatasync") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
  }

  /// Makes the tables of pgbench's TPC-B-like script.
  func prepareTPCB(scale: Int) throws { try require("pgbench", access + ["-i", "-q", "-s", "\(scale)", "gatehouse"]) }

  /// Transactions a second of pgbench's TPC-B-like script, its statements prepared.
  func tpcb(clients: Int, seconds: Int) throws -> Double? {
    let text = try output(
      "pgbench",
      access + ["-M", "prepared", "-c", "\(clients)", "-j", "2", "-T", "\(seconds)", "-n", "gatehouse"])
    return text.split(separator: "\n").first { $0.hasPrefix("tps = ") }?
      .split(separator: " ").dropFirst(2).first.flatMap { Double($0) }
  }

  private var access: [String] { ["-h", folder, "-U", "gatehouse"] }

  private var data: String { "\(folder)/data" }

  func stop() {
    _ = try? run("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"])
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func require(_ program: String, _ arguments: [String]) throws {
    guard try run(program, arguments) == 0 else { throw NotStarted(description: "\(program) failed") }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    let (path, arguments) = asServer(program, arguments)
    return try Self.run(path, arguments)
  }

  private func output(_ program: String, _ arguments: [String]) throws -> String {
    let ((path, arguments), pipe) = (asServer(program, arguments), Pipe())
    return try Self.run(path, arguments, output: pipe) == 0
      ? String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) : ""
  }

  /// The server's programs do not run for root.
  private func asServer(_ program: String, _ arguments: [String]) -> (String, [String]) {
    let path = "\(programs)/\(program)"
    return getuid() == 0 ? ("/usr/sbin/runuser", ["-u", "postgres", "--", path] + arguments) : (path, arguments)
  }

  /// Foundation sees the end of a program by a socket that the program's own children inherit: it would wait for the
  /// server, not for `pg_ctl`. So everything that was inherited is closed first.
  private static let closing =
    #"for fd in /proc/self/fd/*; do fd=${fd##*/}; if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi; done; exec "$@""#

  /// - Parameter output: for less than a pipe holds; nil throws it away.
  private static func run(_ path: String, _ arguments: [String], output: Pipe? = nil) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", closing, "pg", path] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.standardInput = FileHandle.nullDevice
    if let output { process.standardOutput = output } else { process.standardOutput = FileHandle.nullDevice }
    process.standardError = FileHandle.nullDevice
    try process.runHearingAlarms()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A schema of its own for each installation under measurement, in one database.
enum BenchSchema {
  static func make(_ url: String, stored: Int) async throws -> any SQLDatabase {
    let name = "bench_\(stored)_\(World.live.uuid().suffix(6))"
    let database = Postgres(PostgresSettings(url: url, connectionsMax: 1))
    try await database.write { _ = try $0.execute(SQL(stringLiteral: "CREATE SCHEMA \(name)")) }
    try database.close()
    return Postgres(PostgresSettings(url: url + (url.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)"))
  }
}
