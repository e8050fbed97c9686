// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: a file of the folder that is broken")
struct BrokenListFileTests {
  @Test("a folder in the place of a file is told as one")
  func folder() throws {
    let files = try TestFolder()
    let fault = try #require(throws: ListFault.self) { _ = try ListReader.File(path: files.path) }
    #expect(fault.reason == "it is a folder, and not a file")
  }

  @Test("a file of the folder that is broken leaves its former version, tells why, and is read again when it is whole")
  func brokenFile() async throws {
    let app = try await ScreeningListsTests.TestApp()
    let files = try TestFolder()
    let broken = Mutex<[String]>([])
    func folder() -> ScreeningFolder {
      ScreeningFolder(
        path: files.path, stored: app.lists, countries: InventedList.countries,
        broken: { name in broken.withLock { $0.append(name) } })
    }
    func found(_ folder: ScreeningFolder) async throws -> [String] {
      (try await folder.index().answers(to: InventedList.subject("Ansgar Driftwell")) ?? []).map(\.ref)
    }
    func put(_ text: String, at second: Double) throws {
      try files.put("own.csv", text, written: Date(timeIntervalSince1970: second))
    }
    try files.put("pep.csv", "ref,name\n7,Ottilie Vanterpoole\n")
    // Nothing was ever read: a broken file is an error, as before.
    try put("", at: 1_000)
    await #expect(throws: ScreeningFolder.Fault.self) { try await folder().index() }
    try put("ref,name\n1,Ansgar Driftwell\n", at: 2_000)
    let node = folder()
    #expect(try await found(node) == ["1"])
    let version = try await node.index().versions
    #expect(broken.withLock { $0 } == [])
    for (second, text) in [(3_000.0, ""), (4_000, "ref,name\n1,\"Ans\n"), (5_000, "<html>Not found</html>")] {
      try put(text, at: second)
      #expect(try await found(node) == ["1"])
      // A restart, and a second node, which never read the file while it was whole.
      let restarted = folder()
      #expect(try await found(restarted) == ["1"])
      #expect(try await restarted.index().versions == version)
    }
    #expect(broken.withLock { $0 } == Array(repeating: "own.csv", count: 6))
    let refused = try await app.lists.status().refused.map(\.fault.description)
    // Each once, however many nodes and restarts meet it.
    #expect(refused.count == 3 && refused.contains { $0.hasPrefix("own.csv, line 2: ") })
    // Later versions of other lists do not push it out, and a search that fails writes nothing down.
    app.clock.set("2026-11-26T06:30:00Z")
    for number in 0...ScreeningListStore.historyMax {
      try await app.lists.keep(
        ListReader.read(
          [.init(name: "daily.csv", bytes: Data("ref,name\n\(number),Odile Marchbanks\n".utf8))], version: "\(number)",
          countries: InventedList.countries)[0])
    }
    #expect(try await found(folder()) == ["1"])
    try files.put("strange.csv", "")
    try put("PK\u{3}\u{4}", at: 5_500)
    for _ in 0..<2 { await #expect(throws: ScreeningFolder.Fault.self) { try await folder().index() } }
    #expect(try await app.lists.status().refused.count == 3)
    try FileManager.default.removeItem(at: files.url("strange.csv"))
    // What is whole again is searched, and an older one that is put back too.
    try put("ref,name\n2,Ansgar Driftwell\n", at: 6_000)
    #expect(try await found(node) == ["2"])
    try put("ref,name\n1,Ansgar Driftwell\n", at: 7_000)
    #expect(try await found(node) == ["1"])
    app.clock.set("2026-11-26T07:00:00Z")
    try put("ref,name\n1,Ansgar Driftwell\n", at: 8_000)
    #expect(try await found(node) == ["1"])
    try put("", at: 9_000)
    #expect(try await found(folder()) == ["1"], "the version that was read last")
    // Versions of a folder are never the current ones of the store, and can be loaded there all the same.
    #expect(try await app.lists.current() == [])
    guard case .loaded = try await app.update("ref,name\n1,Ansgar Driftwell\n") else {
      return #expect(Bool(false), "a version of the folder was put back")
    }
    #expect(try await app.lists.current().map(\.loadedBy) == ["operator:test"])
  }

  @Test("a file of the folder that a newer release reads differently is another version, and the former one stays")
  func readDifferently() async throws {
    let app = try await ScreeningListsTests.TestApp()
    let files = try TestFolder()
    let text = "ref,name,remarks\n1,Ansgar Driftwell,seen in Utopia\n"
    try files.put("own.csv", text, written: Date(timeIntervalSince1970: 1_000))
    func folder() -> ScreeningFolder {
      ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries)
    }
    // What a release read that left the remarks out, under the name that the content has.
    let file = ListReader.File(name: "own.csv", bytes: Data(text.utf8))
    var earlier = try ListReader.read(
      [file], code: "OWN", fallback: "1970-01-01", countries: InventedList.countries)[0]
    earlier = earlier.named(by: earlier.sha256)
    let version = earlier.list.version
    earlier.list = WatchList(version: version, entries: [.init(reference: "1", names: ["Ansgar Driftwell"])])
    #expect(try await app.lists.keep(earlier) == version)
    app.clock.set("2026-11-26T06:30:00Z")
    let counted = WatchList.Version(code: "OWN", version: "\(version.version).1")
    let (first, second) = (try await folder().index(), try await folder().index())
    #expect(first.versions == [counted] && second.versions == [counted])
    func remarks(_ version: WatchList.Version) async throws -> [[String]] {
      let kept = try #require(try await app.lists.find(version))
      return try await app.lists.load(kept).entries.map(\.remarks)
    }
    #expect(try await remarks(version) == [[]])
    #expect(try await remarks(counted).map(\.count) == [1])
    // A broken file leaves what was read last.
    try files.put("own.csv", "", written: Date(timeIntervalSince1970: 2_000))
    #expect(try await folder().index().versions == [counted])
  }

  @Test("a file that lost more than a fifth of its entries leaves its former version until a person takes it")
  func shrunk() async throws {
    let app = try await ScreeningListsTests.TestApp()
    let files = try TestFolder()
    func folder() -> ScreeningFolder {
      ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries)
    }
    func table(_ rows: Int) -> String {
      "ref,name\n" + (1...rows).map { "\($0),\($0 == 1 ? "Ansgar Driftwell" : "Ottilie Vanterpoole")\n" }.joined()
    }
    func put(_ rows: Int, at second: Double) throws {
      app.clock.set("2026-11-26T0\(Int(second / 1_000)):30:00Z")
      try files.put("own.csv", table(rows), written: Date(timeIntervalSince1970: second))
    }
    func count(_ node: ScreeningFolder) async throws -> Int {
      try await node.index().answers(to: InventedList.subject("Ottilie Vanterpoole"))?.count ?? 0
    }
    let arranged = Mutex(0)
    let node = ScreeningFolder(
      path: files.path, stored: app.lists, countries: InventedList.countries,
      beforeArranging: { arranged.withLock { $0 += 1 } })
    try put(10, at: 1_000)
    #expect(try await count(node) == 5)
    #expect(await node.formerFiles == [])
    let whole = try await node.index().versions
    // A fifth may go at once; what was searched last is what counts.
    try put(8, at: 2_000)
    #expect(try await node.index().versions != whole)
    #expect(await node.formerFiles == [])
    let eight = try await node.index().versions
    try put(6, at: 3_000)
    for one in [node, folder()] {
      #expect(try await one.index().versions == eight)
      #expect(await one.formerFiles == ["own.csv"])
    }
    #expect(
      try await app.lists.status().refused.map(\.fault.reason) == [
        "the list has 6 entries, 8 before: gatehouse lists update --folder takes it"
      ])
    await #expect(throws: ListFault.self) { try await folder().accept(["other.csv"], by: "operator:test") }
    app.clock.set("2026-11-26T04:30:00Z")
    let taken = try await folder().accept(["own.csv"], by: "operator:test")
    #expect(taken.map(\.entryCount) == [6])
    // A node that runs finds it, and so does one that starts.
    for one in [node, folder()] {
      #expect(try await one.index().versions == taken.map(\.version))
      #expect(await one.formerFiles == [])
    }
    #expect(try await app.lists.current() == [])
    #expect(try await app.store.database.read { try AuditStore($0).tip(of: "screening lists") } != nil)
    // Each of the four changes once: a million entries take their time.
    _ = try await node.index()
    #expect(arranged.withLock { $0 } == 4)
    // A file in whose place a list of the store is searched cannot be taken.
    try await app.update(table(12))
    await #expect(throws: ListFault.self) { try await folder().accept(["own.csv"], by: "operator:test") }
  }

  @Test("while the store does not tell what a file had before, nothing is searched")
  func untold() async throws {
    let app = try await ScreeningListsTests.TestApp()
    let files = try TestFolder()
    let isAway = Mutex(false)
    let node = ScreeningFolder(
      path: files.path, stored: app.lists, countries: InventedList.countries,
      beforeArranging: { [database = app.store.database] in
        guard isAway.withLock({ $0 }) else { return }
        _ = try? await database.write { try $0.execute("ALTER TABLE screening_list RENAME TO screening_list_away") }
      })
    try files.put("own.csv", "ref,name\n1,Ansgar Driftwell\n2,Ottilie Vanterpoole\n")
    let whole = try await node.index().versions
    isAway.withLock { $0 = true }
    try files.put("own.csv", "ref,name\n1,Ansgar Driftwell\n")
    await #expect(throws: ScreeningFolder.Fault(reason: "the store of lists cannot be read")) {
      try await node.index()
    }
    isAway.withLock { $0 = false }
    try await app.store.database.write {
      _ = try $0.execute("ALTER TABLE screening_list_away RENAME TO screening_list")
    }
    #expect(try await node.index().versions == whole)
  }

  @Test("of OFAC's tables, one that is broken leaves all of them as they were", arguments: ["sdn.csv", "alt.csv"])
  func brokenTables(name: String) async throws {
    let app = try await ScreeningListsTests.TestApp()
    let files = try TestFolder()
    func folder() -> ScreeningFolder {
      ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries)
    }
    for name in ["sdn.csv", "alt.csv", "add.csv"] {
      try PublishedLists.file(name).bytes.write(to: files.url(name))
    }
    let whole = try await folder().index()
    try files.put(name, "")
    let former = try await folder().index()
    #expect(former.versions == whole.versions)
    let subject = InventedList.subject("Bartholomew Quindaro Ashgrove")
    #expect(former.answers(to: subject) == whole.answers(to: subject) && whole.answers(to: subject)?.isEmpty == false)
  }
}
