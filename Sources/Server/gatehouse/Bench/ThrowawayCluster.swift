import Foundation
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
          "-D", cluster.data, "-l", "\(cluster.folder)/log", "-w", "-o", "-k \(cluster.folder) -c listen_addresses=",
          "start",
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

  private var data: String { "\(folder)/data" }

  func stop() {
    _ = try? run("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"])
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func require(_ program: String, _ arguments: [String]) throws {
    guard try run(program, arguments) == 0 else { throw NotStarted(description: "\(program) failed") }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    let path = "\(programs)/\(program)"
    guard getuid() == 0 else { return try Self.run(path, arguments) }
    return try Self.run("/usr/sbin/runuser", ["-u", "postgres", "--", path] + arguments)
  }

  /// Foundation sees the end of a program by a socket that the program's own children inherit: it would wait for the
  /// server, not for `pg_ctl`. So everything that was inherited is closed first.
  private static let closing =
    #"for fd in /proc/self/fd/*; do fd=${fd##*/}; if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi; done; exec "$@""#

  private static func run(_ path: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", closing, "pg", path] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
    process.standardError = FileHandle.nullDevice
    try process.run()
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
