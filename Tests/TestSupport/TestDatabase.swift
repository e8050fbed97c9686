import Foundation
import Storage

/// A SQL engine that the store suites run on. A second engine joins by a case here; no suite changes.
package enum Engine: String, Sendable, CaseIterable {
  case sqlite = "SQLite"

  /// The engines that can be reached where the tests run.
  package static var available: [Engine] { allCases }
}

/// A database of one test: empty but for the migrations that the test asked for, gone with the value.
package final class TestDatabase: Sendable {
  package let database: any SQLDatabase
  private let engine: Engine
  private let folder: TestFolder

  private init(_ database: any SQLDatabase, engine: Engine, folder: TestFolder) {
    self.database = database
    self.engine = engine
    self.folder = folder
  }

  package static func make(_ engine: Engine, _ migrations: [Migration] = []) async throws -> TestDatabase {
    let folder = try TestFolder()
    let made = TestDatabase(try connect(engine, folder), engine: engine, folder: folder)
    try await made.database.migrate(migrations)
    return made
  }

  /// A second connection to the same data, as another process would have it.
  package func reopened() throws -> any SQLDatabase { try Self.connect(engine, folder) }

  /// Every byte that the engine keeps on disk, for tests of what must not be there in clear.
  package func bytesOnDisk() throws -> Data {
    var bytes = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      bytes += try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }
    return bytes
  }

  private static func connect(_ engine: Engine, _ folder: TestFolder) throws -> any SQLDatabase {
    switch engine {
    case .sqlite: try SQLite(path: folder.file("test.sqlite"))
    }
  }

  deinit { try? database.close() }
}
