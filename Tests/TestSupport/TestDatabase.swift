// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation
import Storage
import Synchronization

/// A database of one test: empty but for the migrations that the test asked for, gone with the value.
package final class TestDatabase: Sendable {
  package let database: any SQLDatabase
  package let engine: Engine
  private let place: any TestPlace
  /// Each holds connections, of which the server has a limit.
  private let others = Mutex<[any SQLDatabase]>([])

  private init(_ place: any TestPlace, engine: Engine) throws {
    self.engine = engine
    self.place = place
    database = try place.connect()
  }

  package static func make(_ engine: Engine, _ migrations: [Migration] = []) async throws -> TestDatabase {
    try StorelessTrait.expectAbsent()
    let place: any TestPlace =
      switch engine {
      case .sqlite: try await TestFile.make(migrations)
      case .postgres: try await TestServerPlace.make(migrations)
      }
    let made = try TestDatabase(place, engine: engine)
    try await made.database.migrate(migrations)
    return made
  }

  /// Puts a SQLite file with the schema of the migrations and without rows where a program of a test will look for its
  /// database, whatever the engine of the run is. The program runs the migrations all the same and finds them done. A
  /// file that is there stays as it is.
  package static func putFile(_ path: String, _ migrations: [Migration]) async throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    let bytes = try await TestFile.bytes(migrations)
    // For its owner only, as the program makes it.
    guard FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]) else {
      throw SQLError.unreachable(path)
    }
  }

  /// Where another program finds the same data: a file or a URL.
  package var address: String { place.address }

  /// A second handle on the same data, as another process would have it.
  package func reopened() throws -> any SQLDatabase { kept(try place.connect()) }

  /// The same on PostgreSQL, with other settings.
  /// - Precondition: the engine is PostgreSQL.
  package func reopened(changing change: (inout PostgresSettings) -> Void) throws -> any SQLDatabase {
    guard let schema = place as? TestServerPlace else { preconditionFailure("Only PostgreSQL has settings.") }
    return kept(schema.connect(changing: change))
  }

  /// Closed with the test.
  private func kept(_ other: any SQLDatabase) -> any SQLDatabase {
    others.withLock { $0.append(other) }
    return other
  }

  /// Every byte that the engine keeps on disk, for tests of what must not be there in clear.
  package func bytesOnDisk() async throws -> Data { try await place.bytesOnDisk() }

  deinit {
    for database in others.withLock({ $0 }) + [database] { try? database.close() }
  }
}

/// Where the data of one test is.
private protocol TestPlace: Sendable {
  var address: String { get }
  func connect() throws -> any SQLDatabase
  func bytesOnDisk() async throws -> Data
}

/// A file in a folder that goes away.
private struct TestFile: TestPlace {
  /// Migrated files without rows, by their migrations: most suites ask for one of a few schemas, and a copy
  /// costs a fraction of the statements.
  private static let migrated = Mutex<[[String]: Data]>([:])

  let folder: TestFolder

  /// Begins with the schema of the migrations; the caller runs them all the same and finds them done.
  static func make(_ migrations: [Migration]) async throws -> TestFile {
    let file = TestFile(folder: try TestFolder())
    if !migrations.isEmpty { try await bytes(migrations).write(to: URL(fileURLWithPath: file.address)) }
    return file
  }

  /// A whole file with the schema of the migrations and without rows.
  static func bytes(_ migrations: [Migration]) async throws -> Data {
    let steps = migrations.map { "\($0.id) \($0.fingerprint)" }
    if let known = migrated.withLock({ $0[steps] }) { return known }
    let file = TestFile(folder: try TestFolder())
    let database = try file.connect()
    try await database.migrate(migrations)
    try database.close()
    // The last connection moved the log into the file when it closed.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.address))
    migrated.withLock { $0[steps] = bytes }
    return bytes
  }

  var address: String { folder.file("test.sqlite") }

  func connect() throws -> any SQLDatabase { try SQLite(path: address, durability: .shared) }

  func bytesOnDisk() async throws -> Data {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(Data()) {
      $0 + (try Data(contentsOf: URL(fileURLWithPath: folder.file($1))))
    }
  }
}

/// A schema of its own in the server that the tests were given, or a database where there is much to migrate: a copy of
/// a migrated one costs a fraction of the statements, but more than a few of them.
private final class TestServerPlace: TestPlace {
  /// So many migrations make more tables than a copy of a database takes files.
  private static let copiedFrom = 12

  /// Migrated databases without rows, by their migrations.
  private static let migrated = Mutex<[[String]: Task<String, any Error>]>([:])
  /// What drops the places of tests that have ended, when the next one is made: a deinit cannot wait.
  private static let ended = Mutex<[String]>([])

  private let name: String
  private let drop: String
  let address: String

  private init(_ name: String, drop: String, address: String) {
    (self.name, self.drop, self.address) = (name, drop, address)
  }

  static func make(_ migrations: [Migration]) async throws -> TestServerPlace {
    let name = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
    let old = ended.withLock { ended in
      defer { ended = [] }
      return ended
    }
    guard migrations.count >= copiedFrom else {
      try await TestServer.run(old + ["CREATE SCHEMA \(name)"])
      let url = try TestServer.url()
      return TestServerPlace(
        name, drop: "DROP SCHEMA IF EXISTS \(name) CASCADE",
        address: "\(url)\(url.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)")
    }
    let template = try await migrated.withLock { migrated in
      let steps = migrations.map { "\($0.id) \($0.fingerprint)" }
      let made = migrated[steps] ?? Task { try await Self.migratedDatabase(migrations, name: "m_\(name)") }
      migrated[steps] = made
      return made
    }.value
    try await TestServer.run(old + ["CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy"])
    return try database(name)
  }

  private static func database(_ name: String) throws -> TestServerPlace {
    TestServerPlace(
      name, drop: "DROP DATABASE IF EXISTS \(name) WITH (FORCE)", address: try TestServer.url(database: name))
  }

  private static func migratedDatabase(_ migrations: [Migration], name: String) async throws -> String {
    try await TestServer.run(["CREATE DATABASE \(name)"])
    let postgres = Postgres(PostgresSettings(url: try TestServer.url(database: name), connectionsMax: 1))
    try await postgres.migrate(migrations)
    try postgres.close()
    return name
  }

  func connect() throws -> any SQLDatabase { connect { _ in } }

  func connect(changing change: (inout PostgresSettings) -> Void) -> Postgres {
    var settings = PostgresSettings(url: address, connectionsMax: 8)
    change(&settings)
    return Postgres(settings, application: name)
  }

  /// The files of the place's tables and indexes, after everything in memory was written out.
  func bytesOnDisk() async throws -> Data {
    let database = try connect()
    let paths = try await database.write(.readCommitted) { tx in
      try tx.query(
        """
        SELECT current_setting('data_directory') || '/' || pg_relation_filepath(c.oid) AS path
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND pg_relation_filepath(c.oid) IS NOT NULL
        """
      ).map { try $0.get("path", as: String.self) }
    }
    try database.close()
    try await TestServer.run(["CHECKPOINT"])
    return try paths.reduce(Data()) { $0 + (try Data(contentsOf: URL(fileURLWithPath: $1))) }
  }

  deinit { Self.ended.withLock { [drop] in $0.append(drop) } }
}

/// The server that the tests were given.
private enum TestServer {
  private static let queue = DispatchQueue(label: "test server")
  /// Where libpq keeps the connection of this run, 0 before it is made: the server starts a process for each, which
  /// takes more than a small statement.
  private static let kept = Mutex<UInt>(0)

  static func url() throws -> String {
    guard let url = Engine.postgresURL else { throw SQLError.unreachable("GATEHOUSE_TEST_POSTGRES is not set") }
    return url
  }

  static func url(database: String) throws -> String {
    guard var url = URLComponents(string: try url()) else {
      throw SQLError.unreachable("GATEHOUSE_TEST_POSTGRES is no URL")
    }
    url.path = "/\(database)"
    return url.string ?? ""
  }

  /// Runs statements outside of transactions, where databases are made.
  static func run(_ statements: [String]) async throws {
    let url = try url()
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      queue.async { done.resume(with: Result { try kept.withLock { try run(statements, at: url, on: &$0) } }) }
    }
  }

  private static func run(_ statements: [String], at url: String, on kept: inout UInt) throws {
    for statement in statements {
      var connection = open(url, &kept)
      var result = PQexec(connection, statement)
      if PQstatus(connection) != CONNECTION_OK {
        // It was ended since the last statement, which only this one could notice.
        PQclear(result)
        connection = open(url, &kept)
        result = PQexec(connection, statement)
      }
      defer { PQclear(result) }
      guard PQresultStatus(result) == PGRES_COMMAND_OK else {
        throw SQLError.engine(String(cString: PQerrorMessage(connection)))
      }
    }
  }

  private static func open(_ url: String, _ kept: inout UInt) -> OpaquePointer? {
    if kept != 0, PQstatus(OpaquePointer(bitPattern: kept)) != CONNECTION_OK {
      PQfinish(OpaquePointer(bitPattern: kept))
      kept = 0
    }
    if kept == 0 { kept = UInt(bitPattern: PQconnectdb(url)) }
    return OpaquePointer(bitPattern: kept)
  }
}
