// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Storage
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

/// To open a file of SQLite for writing gives it a log, and migrations give it tables.
@Suite("Operations: a database of another program", .ownFile)
struct AnothersFileTests {
  @Test("a file of another program is no store, and stays as it is", arguments: [true, false])
  func anothersFile(hasLog: Bool) async throws {
    let folder = try TestFolder()
    var settings = Settings()
    settings.dataFolder = folder.path
    let (path, file) = (settings.databasePath, URL(filePath: settings.databasePath))
    let theirs = try SQLite(path: path)
    _ = try await theirs.write { try $0.execute("CREATE TABLE theirs (number INTEGER)") }
    try theirs.close()
    if !hasLog { try await SQLite.settle(path) }
    let before = (try Data(contentsOf: file), try FileManager.default.contentsOfDirectory(atPath: folder.path))
    func isRefused(_ open: () async throws -> Void) async {
      let refused = await #expect(throws: MissingStore.self) { try await open() }
      #expect(refused?.isAnothers == true && refused?.description.contains(path) == true)
    }
    await isRefused { _ = try await settings.existingDatabase() }
    // What `migrate` and a server open.
    await isRefused { _ = try settings.database() }
    await isRefused { _ = try await App.open(settings, logger: settings.logger("others")) }
    // The words of an operator, as MissingStoreTests plays the others.
    for line in ["migrate", "staff list", "lists update x.csv", "backup --to \(folder.file("copy"))"] {
      let words = line.split(separator: " ").map(String.init) + ["--data", folder.path, "--log", "critical"]
      var command = try #require(try DocumentedCommandTests.parse(words) as? any AsyncParsableCommand)
      let error = await #expect(throws: MissingStore.self, "\(line)") { try await command.run() }
      #expect(try FailureReport(#require(error)).exit == .notFound)
    }
    let found = await settings.diagnose(file: nil, environment: [:]).findings.filter { $0.name == "database" }
    #expect(found.map(\.severity) == [.fault] && found.first?.value.hasPrefix("another program's") == true)
    #expect(try Data(contentsOf: file) == before.0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before.1)
  }

  @Test(
    "a file that only a writer can read after a crash is looked at again, and gets no table", arguments: [true, false])
  func repaired(isExisting: Bool) async throws {
    let folder = try TestFolder()
    var settings = Settings()
    settings.dataFolder = folder.path
    let path = settings.databasePath
    let theirs = try SQLite(path: path)
    _ = try await theirs.write { try $0.execute("CREATE TABLE theirs (number INTEGER)") }
    try theirs.close()
    try await SQLite.settle(path)
    // A journal that was begun, and that SQLite undoes before anything is read.
    try Data([1]).write(to: URL(filePath: "\(path)-journal"))
    #expect(SQLite.owner(of: path, by: "theirs") == nil)
    let refused = await #expect(throws: MissingStore.self) {
      _ = isExisting ? try await settings.existingDatabase() : try settings.database()
    }
    #expect(refused?.isAnothers == true)
    #expect(SQLite.owner(of: path, by: "theirs") == .this)
  }

  @Test("a link to a file is followed to its log")
  func link() async throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("store.sqlite"), withDestinationPath: "disk/store.sqlite")
    func owner() -> SQLite.Owner? { SQLite.owner(of: folder.file("store.sqlite"), by: "ours") }
    #expect(owner() == .empty)
    let store = try SQLite(path: folder.file("disk/store.sqlite"))
    defer { try? store.close() }
    // In the log only, until that is moved into the file.
    _ = try await store.write { try $0.execute("CREATE TABLE ours (number INTEGER)") }
    #expect(owner() == .this)
  }

  @Test("whose a file is, is told of what has no table, of one in use, and of what is no database")
  func owner() async throws {
    let folder = try TestFolder(["empty": Data(), "text": Data("no database".utf8)])
    func owner(_ name: String) -> SQLite.Owner? { SQLite.owner(of: folder.file(name), by: "ours") }
    #expect(owner("missing") == .empty && owner("empty") == .empty && owner("text") == nil)
    // A name that means something in an address.
    let store = try SQLite(path: folder.file("a%20b?.sqlite"))
    defer { try? store.close() }
    #expect(owner("a%20b?.sqlite") == .empty)
    _ = try await store.write { try $0.execute("CREATE TABLE theirs (number INTEGER)") }
    #expect(owner("a%20b?.sqlite") == .other)
    _ = try await store.write { try $0.execute("CREATE TABLE ours (number INTEGER)") }
    #expect(owner("a%20b?.sqlite") == .this)
  }
}
