// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: versions of lists in the store")
struct ScreeningListsTests {
  struct TestApp {
    let store: TestDatabase
    let blobs: MemoryBlobs
    let lists: ScreeningLists
    let clock = AppointmentsClock("2026-11-26T06:00:00Z")

    init() async throws {
      store = try await TestDatabase.make(
        .current,
        [DataKeyStore.migration] + AuditStore.migrations + [
          ScreeningLists.migration, ScreeningLists.skippedMigration, ScreeningLists.warningsMigration,
        ])
      let vault = try await TestVault.open(store.database, clock.world)
      blobs = MemoryBlobs(clock.world)
      lists = ScreeningLists(
        CoreDependencies(database: store.database, world: clock.world, vault: vault, blobs: blobs.blobs))
    }

    var provider: ScreeningProvider { .lists(folder: nil, stored: lists, countries: InventedList.countries) }

    @discardableResult
    func update(_ text: String, code: String = "OWN", version: String? = nil, takesShrunk: Bool = false) async throws
      -> ScreeningLists.Change
    {
      let file = ListReader.File(name: "own.csv", bytes: Data(text.utf8))
      let readings = try ListReader.read(
        [file], code: code, version: version, fallback: "2026-11-26", countries: InventedList.countries)
      return try await lists.update(readings, takesShrunk: takesShrunk, by: "operator:test")[0]
    }

    /// References of hits, or why there is no answer.
    func search(_ name: String) async -> [String] {
      switch await provider.screen(InventedList.subject(name)) {
      case .screened(let report): report.hits.map(\.entityID)
      case .failed(let reason): ["failed: \(reason)"]
      case .pending: ["pending"]
      }
    }
  }

  static let first = "ref,name\n1,Ansgar Driftwell\n2,Ottilie Vanterpoole\n"
  static let second = "ref,name\n1,Ansgar Driftwell\n2,Ottilie Vanterpoole\n3,Tamsyn Okavelloe\n"

  @Test("a new version takes the place of the old one, for searches that are running too, and the old one is kept")
  func swap() async throws {
    let app = try await TestApp()
    #expect(await app.search("Ansgar Driftwell") == ["failed: there is no list to search"])
    let loaded = try await app.update(Self.first, version: "v1")
    #expect(loaded.list.version == .init(code: "OWN", version: "v1"))
    #expect(loaded.list.sha256 == Data(Self.first.utf8).sha256Hex)
    let provider = app.provider
    func found() async -> (lists: [WatchList.Version], hits: [String])? {
      guard case .screened(let report) = await provider.screen(InventedList.subject("Tamsyn Okavelloe")) else {
        return nil
      }
      return (report.lists, report.hits.map(\.entityID))
    }
    #expect(await found()?.hits == [])
    let swapped = try await app.update(Self.second, version: "v2")
    guard case .loaded(let list, let old) = swapped else { return #expect(Bool(false), "nothing was loaded") }
    #expect(old?.version.version == "v1")
    let now = await found()
    #expect(now?.hits == ["3"])
    #expect(now?.lists == [list.version])
    let before = try #require(try await app.lists.find(.init(code: "OWN", version: "v1")))
    #expect(before.replacedAt != nil)
    #expect(try await app.lists.load(before).entries.map(\.reference) == ["1", "2"])
    #expect(try await app.lists.versions(of: "OWN").count == 2)
    #expect(try await app.lists.current() == [list])
  }

  @Test("loading tells how many of the entries are kept")
  func progress() async throws {
    let (app, progress) = (try await TestApp(), WorkProgress())
    let readings = try ListReader.read(
      [ListReader.File(name: "own.csv", bytes: Data(Self.second.utf8))], code: "OWN", version: nil,
      fallback: "2026-11-26", countries: InventedList.countries)
    _ = try await app.lists.update(readings, by: "operator:test", progress: progress)
    #expect(progress.part == .init(name: "entries", done: 3, all: 3))
  }

  @Test("every published form comes back from the store as it was read", arguments: PublishedLists.names)
  func published(name: String) async throws {
    let app = try await TestApp()
    let reading = try PublishedLists.reading(name)
    let change = try await app.lists.update([reading], by: "operator:test")[0]
    #expect(change.list.format == reading.format)
    #expect(change.list.files == reading.files.map(\.name))
    #expect(try await app.lists.load(change.list).entries == reading.list.entries)
    let index = try await ScreeningFolder(path: nil, stored: app.lists, countries: InventedList.countries).index()
    #expect(index.versions == [change.list.version])
  }

  @Test("files that are searched already change nothing; older ones are searched again; a name is given once")
  func sameFiles() async throws {
    let app = try await TestApp()
    let first = try await app.update(Self.first)
    let objects = app.blobs.keys
    #expect(try await app.update(Self.first) == .unchanged(first.list))
    #expect(app.blobs.keys == objects)
    let second = try await app.update(Self.second)
    #expect(second.list.version.version == "2026-11-26+\(Data(Self.second.utf8).sha256Hex.prefix(8))")
    let restored = try await app.update(Self.first, takesShrunk: true)
    guard case .restored(let list) = restored else { return #expect(Bool(false), "not restored") }
    #expect(list.version == first.list.version)
    #expect(try await app.lists.current().map(\.version) == [first.list.version])
    #expect(await app.search("Tamsyn Okavelloe") == [])
  }

  @Test("files that a newer release reads differently are a new version on request, and no version otherwise")
  func reread() async throws {
    let app = try await TestApp()
    let file = ListReader.File(name: "own.csv", bytes: Data(Self.second.utf8))
    let today = try ListReader.read([file], code: "OWN", version: "v1", countries: InventedList.countries)[0]
    // An older reader found no more than these in the same file.
    func reading(_ count: Int) -> ListReader.Reading {
      let entries = Array(today.list.entries.prefix(count))
      return .init(list: WatchList(version: today.list.version, entries: entries), format: .table, files: [file])
    }
    func update(_ count: Int, rereads: Bool) async throws -> ScreeningLists.Change {
      try await app.lists.update([reading(count)], rereads: rereads, by: "operator:test")[0]
    }
    let first = try await update(1, rereads: true)
    #expect(first.list.version.version == "v1")
    #expect(try await update(3, rereads: false) == .unchanged(first.list))
    #expect(await app.search("Tamsyn Okavelloe") == [])
    let second = try await update(3, rereads: true)
    guard case .loaded(let list, let old) = second else { return #expect(Bool(false), "not read again") }
    #expect(old?.id == first.list.id)
    #expect(list.version.version == "v1+\(list.sha256.prefix(8))")
    #expect(await app.search("Tamsyn Okavelloe") == ["3"])
    let objects = app.blobs.keys
    #expect(try await update(3, rereads: true) == .unchanged(list))
    #expect(app.blobs.keys == objects)
    for key in objects { try await app.blobs.blobs.delete(key) }
    let third = try await update(3, rereads: true)
    #expect(third.list.version.version == "v1+\(list.sha256.prefix(8)).2")
    #expect(await app.search("Tamsyn Okavelloe") == ["3"])
  }

  @Test("what is listed and has no name to be searched for is counted by its kind, and the count is kept")
  func skipped() async throws {
    let app = try await TestApp()
    let wallet = #"{"id":"w","schema":"CryptoWallet","target":true,"properties":{"publicKey":["1"]}}"#
    let lines = [
      #"{"id":"p","schema":"Person","target":true,"properties":{"name":["Tamsyn Okavelloe"]}}"#, wallet, wallet,
      #"{"id":"s","schema":"Security","properties":{"isin":["X"],"topics":["sanction"]}}"#,
      #"{"id":"o","schema":"Position","target":false,"properties":{"topics":["gov.national"]}}"#,
    ]
    let file = ListReader.File(name: "open.json", bytes: Data(lines.joined(separator: "\n").utf8))
    let readings = try ListReader.read([file], countries: InventedList.countries)
    let change = try await app.lists.update(readings, by: "operator:test")[0]
    #expect(change.list.entryCount == 1 && change.list.skipped == ["CryptoWallet": 2, "Security": 1])
    #expect(try await app.lists.current() == [change.list])
  }

  @Test("a list that lost many entries, and two files of one code, are refused, and the old list stays")
  func refusals() async throws {
    let app = try await TestApp()
    try await app.update(Self.second)
    await #expect(throws: ListFault.self) { try await app.update("ref,name\n1,Ansgar Driftwell\n") }
    let twice = try ["un.xml", "un.xml"].map { try PublishedLists.reading($0) }
    await #expect(throws: ListFault.self) { try await app.lists.update(twice, by: "operator:test") }
    #expect(await app.search("Tamsyn Okavelloe") == ["3"])
    let status = try await app.lists.status()
    #expect(status.current.map(\.entryCount) == [3])
    #expect(status.refused.count == 2)
    #expect(status.refused.contains { $0.fault.reason == "the list has 1 entry, 3 before: --accept-shrunk takes it" })
    try await app.update("ref,name\n1,Ansgar Driftwell\n", takesShrunk: true)
    #expect(await app.search("Tamsyn Okavelloe") == [])
  }

  @Test("of several lists one that is refused keeps all as they were")
  func allOrNone() async throws {
    let app = try await TestApp()
    try await app.update(Self.second)
    let shrunk = try ListReader.read(
      [.init(name: "own.csv", bytes: Data("ref,name\n1,Ansgar Driftwell\n".utf8))], code: "OWN",
      countries: InventedList.countries)
    let lists = [try PublishedLists.reading("un.xml")] + shrunk
    await #expect(throws: ListFault.self) { try await app.lists.update(lists, by: "operator:test") }
    #expect(try await app.lists.current().map(\.version.code) == ["OWN"])
  }

  @Test("an object that is gone or changed makes the search fail: a part of a list is no list")
  func lostObject() async throws {
    let app = try await TestApp()
    try await app.update(Self.first)
    let key = try #require(app.blobs.keys.first)
    let kept = try #require(try await app.blobs.blobs.get(key))
    #expect(kept.range(of: Data("Driftwell".utf8)) == nil)
    var changed = kept
    changed[changed.count - 1] ^= 1
    try await app.blobs.blobs.put(key, changed)
    #expect(await app.search("Ansgar Driftwell") == ["failed: the list OWN cannot be read from the store"])
    try await app.blobs.blobs.delete(key)
    #expect(await app.search("Ansgar Driftwell") == ["failed: the list OWN cannot be read from the store"])
    try await app.blobs.blobs.put(key, kept)
    #expect(await app.search("Ansgar Driftwell") == ["1"])
  }

  @Test("backups and sweeps know the objects of every version")
  func objects() async throws {
    let app = try await TestApp()
    try await app.update(Self.first)
    try await app.update(Self.second)
    let references = try #require(ScreeningModule.blobReferences)
    let keys = app.blobs.keys
    #expect(keys.count == 2)
    let (page, kept) = try await app.store.database.read { tx in
      (try references.page("", 10, tx), try references.referenced(keys.sorted() + ["another-object"], tx))
    }
    #expect(page == keys.sorted())
    #expect(kept == keys)
  }

  @Test("of two updates at once one is searched, and no version is lost")
  func race() async throws {
    let app = try await TestApp()
    try await app.update(Self.first, version: "v0")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...6 {
        group.addTask { try await app.update(Self.first + "9,Person Number\(number)\n", version: "v\(number)") }
      }
      try await group.waitForAll()
    }
    #expect(try await app.lists.current().count == 1)
    #expect(try await app.lists.versions(of: "OWN").count == 7)
  }

  @Test("a list in the store takes the place of the folder's file with its code")
  func besideFolder() async throws {
    let app = try await TestApp()
    let folder = try TestFolder()
    try folder.put("own.csv", "ref,name\nF1,Ansgar Driftwell\n")
    try folder.put("pep.csv", "ref,name\nF2,Ansgar Driftwell\n")
    let provider = ScreeningProvider.lists(
      folder: folder.path, stored: app.lists, countries: InventedList.countries, required: ["OWN"])
    func hits() async -> Set<String> {
      guard case .screened(let report) = await provider.screen(InventedList.subject("Ansgar Driftwell")) else {
        return []
      }
      return Set(report.hits.map(\.entityID))
    }
    #expect(await hits() == ["F1", "F2"])
    try await app.update(Self.first)
    #expect(await hits() == ["1", "F2"])
  }

  @Test("searches that find no index yet share one, and a file that the store hides is told once for it")
  func sharedIndex() async throws {
    let app = try await TestApp()
    let files = try TestFolder()
    try files.put("own.csv", "ref,name\nF1,Ansgar Driftwell\n")
    try files.put("pep.csv", "ref,name\nF2,Ansgar Driftwell\n")
    try await app.update(Self.first)
    let told = Mutex<[[String]]>([])
    let folder = ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries) { names in
      told.withLock { $0.append(names) }
    }
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<16 { group.addTask { try await folder.index().versions.map(\.code) } }
      for try await codes in group { #expect(codes == ["OWN", "PEP"]) }
    }
    #expect(told.withLock { $0 } == [["own.csv"]])
    _ = try await folder.index()
    #expect(told.withLock { $0.count } == 1)
    try files.put("pep.csv", "ref,name\nF2,Ansgar Driftwell\nF3,Ottilie Vanterpoole\n")
    _ = try await folder.index()
    #expect(told.withLock { $0 } == [["own.csv"], ["own.csv"]])
  }
}
