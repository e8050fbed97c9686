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
      case .postgres: try await TestSchema.make()
      }
    let made = try TestDatabase(place, engine: engine)
    try await made.database.migrate(migrations)
    return made
  }

  /// Where another program finds the same data: a file or a URL.
  package var address: String { place.address }

  /// A second handle on the same data, as another process would have it.
  package func reopened() throws -> any SQLDatabase { kept(try place.connect()) }

  /// The same on PostgreSQL, with other settings.
  /// - Precondition: the engine is PostgreSQL.
  package func reopened(changing change: (inout PostgresSettings) -> Void) throws -> any SQLDatabase {
    guard let schema = place as? TestSchema else { preconditionFailure("Only PostgreSQL has settings.") }
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
    guard !migrations.isEmpty else { return file }
    let steps = migrations.map { "\($0)" }
    if let known = migrated.withLock({ $0[steps] }) {
      try known.write(to: URL(fileURLWithPath: file.address))
      return file
    }
    let database = try file.connect()
    try await database.migrate(migrations)
    try database.close()
    // The last connection moved the log into the file when it closed.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.address))
    migrated.withLock { $0[steps] = bytes }
    return file
  }

  var address: String { folder.file("test.sqlite") }

  func connect() throws -> any SQLDatabase { try SQLite(path: address) }

  func bytesOnDisk() async throws -> Data {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(Data()) {
      $0 + (try Data(contentsOf: URL(fileURLWithPath: folder.file($1))))
    }
  }
}

/// A schema of its own in the server that the tests were given.
private final class TestSchema: TestPlace {
  private static let server = Engine.postgresURL.map {
    Postgres(PostgresSettings(url: $0, connectionsMax: 2), application: "tests")
  }
  /// Schemas whose tests have ended: dropped when the next one is made, as a deinit cannot wait.
  private static let ended = Mutex<[String]>([])

  private let name: String

  private init(_ name: String) { self.name = name }

  static func make() async throws -> TestSchema {
    guard let server else { throw SQLError.unreachable("GATEHOUSE_TEST_POSTGRES is not set") }
    let name = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
    let old = ended.withLock { ended in
      defer { ended = [] }
      return ended
    }
    try await server.write(.readCommitted) { tx in
      for old in old { try tx.execute(SQL(stringLiteral: "DROP SCHEMA IF EXISTS \(old) CASCADE")) }
      try tx.execute(SQL(stringLiteral: "CREATE SCHEMA \(name)"))
    }
    return TestSchema(name)
  }

  func connect() throws -> any SQLDatabase { connect { _ in } }

  var address: String {
    let url = Engine.postgresURL ?? ""
    return "\(url)\(url.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)"
  }

  func connect(changing change: (inout PostgresSettings) -> Void) -> Postgres {
    var settings = PostgresSettings(url: address, connectionsMax: 8)
    change(&settings)
    return Postgres(settings, application: name)
  }

  /// The files of the schema's tables and indexes, after everything in memory was written out.
  func bytesOnDisk() async throws -> Data {
    guard let server = Self.server else { return Data() }
    let name = name
    let paths = try await server.write(.readCommitted) { tx in
      try tx.query(
        """
        SELECT current_setting('data_directory') || '/' || pg_relation_filepath(c.oid) AS path
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = \(name) AND pg_relation_filepath(c.oid) IS NOT NULL
        """
      ).map { try $0.get("path", as: String.self) }
    }
    try await server.write(.readCommitted) { _ = try $0.execute("CHECKPOINT") }
    return try paths.reduce(Data()) { $0 + (try Data(contentsOf: URL(fileURLWithPath: $1))) }
  }

  deinit { Self.ended.withLock { $0.append(name) } }
}
