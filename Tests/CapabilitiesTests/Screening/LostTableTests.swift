// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// A download that was cut between two rows can be read, and says less than it did.
@Suite("Screening: what a list lost while all of its entries are there")
struct LostTableTests {
  private static let tables = ["sdn.csv", "alt.csv", "add.csv"]

  /// The first rows of a published table; all of it without a count.
  private static func rows(_ name: String, _ count: Int? = nil) throws -> Data {
    let text = String(decoding: try PublishedLists.file(name).bytes, as: UTF8.self)
    return Data(text.split(separator: "\r\n").prefix(count ?? .max).map { "\($0)\r\n" }.joined().utf8)
  }

  private static func reading(_ files: [(name: String, rows: Int?)]) throws -> ListReader.Reading {
    try ListReader.read(
      files.map { .init(name: $0.name, bytes: try rows($0.name, $0.rows)) }, countries: InventedList.countries)[0]
  }

  @Test(
    "OFAC's tables of alternate names and of addresses are compared with those before",
    arguments: [
      ([("sdn.csv", nil), ("alt.csv", 6), ("add.csv", nil)], "the list has 9 alternate names, 14 before"),
      ([("sdn.csv", nil), ("alt.csv", nil), ("add.csv", 2)], "the list has 1 address, 4 before"),
      ([("sdn.csv", nil), ("alt.csv", nil)], "the list has 2 tables, 3 before"),
    ] as [([(name: String, rows: Int?)], String)])
  func update(files: [(name: String, rows: Int?)], loss: String) async throws {
    let app = try await ScreeningListsTests.TestApp()
    let whole = try Self.reading(Self.tables.map { ($0, nil) })
    _ = try await app.lists.update([whole], by: "operator:test")
    let cut = try Self.reading(files)
    #expect(cut.list.entries.count == whole.list.entries.count)
    let fault = try await #require(throws: ListFault.self) {
      try await app.lists.update([cut], by: "operator:test")
    }
    #expect(fault == ListFault(file: "sdn.csv", reason: "\(loss): --accept-shrunk takes it"))
    #expect(try await app.lists.current().map(\.sha256) == [whole.sha256])
    #expect(try await app.lists.status().refused.map(\.fault) == [fault])
    // A person takes it, the next one is compared with it, and the whole one is a gain.
    _ = try await app.lists.update([cut], takesShrunk: true, by: "operator:test")
    _ = try await app.lists.update([cut], by: "operator:test")
    _ = try await app.lists.update([whole], by: "operator:test")
    #expect(try await app.lists.current().map(\.sha256) == [whole.sha256])
  }

  @Test("OFAC's table of comments, where remarks go on, is missed when it is left out")
  func comments() async throws {
    let app = try await ScreeningListsTests.TestApp()
    let comments = ListReader.File(name: "sdn_comments.csv", bytes: Data("7007,\"DOB 4 Mar 1971.\"\r\n".utf8))
    let tables = try Self.tables.map { ListReader.File(name: $0, bytes: try Self.rows($0)) }
    let (whole, less) = try (
      ListReader.read(tables + [comments], countries: InventedList.countries),
      ListReader.read(tables, countries: InventedList.countries)
    )
    _ = try await app.lists.update(whole, by: "operator:test")
    let fault = try await #require(throws: ListFault.self) {
      try await app.lists.update(less, by: "operator:test")
    }
    #expect(fault.reason == "the list has 3 tables, 4 before: --accept-shrunk takes it")
    _ = try await app.lists.update(less, takesShrunk: true, by: "operator:test")
    _ = try await app.lists.update(whole, by: "operator:test")
  }

  @Test("a list of OFAC's tables that is loaded first without its addresses tells what it lacks")
  func firstWithoutAddresses() async throws {
    let app = try await ScreeningListsTests.TestApp()
    let told = "OFAC's table of addresses, ADD.CSV, was not beside it: no entry has an address"
    let few = try Self.reading([("sdn.csv", nil), ("alt.csv", nil)])
    #expect(try await app.lists.update([few], by: "operator:test").map(\.list.warnings) == [[told]])
    #expect(try await app.lists.status().current.map(\.warnings) == [[told]])
    let whole = try Self.reading(Self.tables.map { ($0, nil) })
    #expect(try await app.lists.update([whole], by: "operator:test").map(\.list.warnings) == [[]])
    #expect(try await app.lists.status().current.map(\.warnings) == [[]])

    let (other, files, log) = (try await ScreeningListsTests.TestApp(), try TestFolder(), CaseTestApp.Told())
    for name in ["sdn.csv", "alt.csv"] { try Self.rows(name).write(to: files.url(name)) }
    for _ in 0..<2 {
      let node = ScreeningFolder(
        path: files.path, stored: other.lists, countries: InventedList.countries, warns: { log.note($0) })
      _ = try await node.index()
      #expect(try await other.lists.status().refused.map(\.fault.reason) == ["\(told); the list is searched"])
    }
    #expect(log.lines == ["sdn.csv", "sdn.csv"])
  }

  @Test("a list that cannot be compared with the version before is taken, which is told", arguments: [false, true])
  func formerUnreadable(isOfFolder: Bool) async throws {
    let (app, files, log) = (try await ScreeningListsTests.TestApp(), try TestFolder(), CaseTestApp.Told())
    let node = ScreeningFolder(
      path: files.path, stored: app.lists, countries: InventedList.countries, warns: { log.note($0) })
    func take(_ count: Int?) async throws -> ListReader.Reading {
      let reading = try Self.reading([("sdn.csv", nil), ("alt.csv", count), ("add.csv", nil)])
      for file in reading.files { try file.bytes.write(to: files.url(file.name)) }
      if isOfFolder {
        _ = try await node.index()
      } else {
        _ = try await app.lists.update([reading], by: "operator:test")
      }
      return reading
    }
    _ = try await take(nil)
    let version = try await app.lists.versions(of: isOfFolder ? "SDN" : "OFAC_SDN")[0].version.version
    try await app.store.database.write { _ = try $0.execute("DELETE FROM screening_list_part") }
    let cut = try await take(6)
    let told = "version \(version), before it, cannot be read: alternate names and addresses were not compared"
    let status = try await app.lists.status()
    if isOfFolder {
      #expect(log.lines == ["sdn.csv"])
      #expect(status.refused.map(\.fault.reason) == ["\(told); the list is searched"])
    } else {
      #expect(status.current.map(\.sha256) == [cut.sha256] && status.current.map(\.warnings) == [[told]])
    }
  }

  @Test("a file of the folder of which entries have no name is searched, and that is told once")
  func unnamed() async throws {
    let (app, files) = (try await ScreeningListsTests.TestApp(), try TestFolder())
    let text = "Entity_LogicalId;NameAlias_WholeName\n1;Ansgar Driftwell\n2;\n"
    try Data(text.utf8).write(to: files.url("eu.csv"))
    for _ in 0..<2 {
      let node = ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries)
      #expect(try await node.index().answers(to: InventedList.subject("Ansgar Driftwell"))?.map(\.ref) == ["1"])
      #expect(await node.formerFiles == [])
      let told = ListFault(file: "eu.csv", reason: "without a name, and not searched: 1; the others are searched")
      #expect(try await app.lists.status().refused.map(\.fault) == [told])
    }
  }

  @Test("a fifth of the alternate names may go at once")
  func fewer() async throws {
    let app = try await ScreeningListsTests.TestApp()
    _ = try await app.lists.update([Self.reading(Self.tables.map { ($0, nil) })], by: "operator:test")
    let fewer = try Self.reading([("sdn.csv", nil), ("alt.csv", 9), ("add.csv", nil)])
    _ = try await app.lists.update([fewer], by: "operator:test")
    #expect(try await app.lists.current().map(\.sha256) == [fewer.sha256])
  }

  @Test("in a folder a table that was cut leaves all of them as they were until a person takes them")
  func folder() async throws {
    let (app, files) = (try await ScreeningListsTests.TestApp(), try TestFolder())
    let node = ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries)
    for name in Self.tables { try Self.rows(name).write(to: files.url(name)) }
    let whole = try await node.index().versions
    try Self.rows("alt.csv", 6).write(to: files.url("alt.csv"))
    #expect(try await node.index().versions == whole)
    #expect(await node.formerFiles == ["sdn.csv"])
    #expect(
      try await app.lists.status().refused.map(\.fault.reason) == [
        "the list has 9 alternate names, 14 before: gatehouse lists update --folder takes it"
      ])
    let taken = try await node.accept(["sdn.csv"], by: "operator:test").map(\.version)
    #expect(try await node.index().versions == taken && taken != whole)
  }

  @Test("two files of one code in a folder are two lists: neither is compared with the other, or takes its place")
  func oneCode() async throws {
    let (app, files) = (try await ScreeningListsTests.TestApp(), try TestFolder())
    func node() -> ScreeningFolder {
      ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries)
    }
    func isFound() async throws -> Bool {
      let found = try await node().index().answers(to: InventedList.subject("Ansgar Driftwell"))
      return found?.contains { $0.ref == "O.1" } == true
    }
    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: files.url(name)) }
    try PublishedLists.file("un.xml").bytes.write(to: files.url("un.xml"))
    #expect(try await node().index().versions.count == 1)
    app.clock.set("2026-11-26T06:10:00Z")
    try write("ref,name\nO.1,Ansgar Driftwell\n", to: "un.csv")
    #expect(try await node().index().versions.count == 2)
    #expect(try await isFound())
    #expect(try await app.lists.status().refused == [])
    // What is broken leaves what it was itself, also when the other one is read later.
    app.clock.set("2026-11-26T06:20:00Z")
    try write("", to: "un.csv")
    #expect(try await isFound())
    app.clock.set("2026-11-26T06:30:00Z")
    #expect(try await node().index().versions.count == 2)
    #expect(try await isFound())
    // A file that took the place of another one is compared with that.
    try FileManager.default.removeItem(at: files.url("un.csv"))
    try FileManager.default.removeItem(at: files.url("un.xml"))
    let few = (1...5).map { "O.\($0),Ansgar Driftwell\n" }.joined()
    try write("ref,name\n\(few)", to: "un.jsonl")
    let last = node()
    #expect(try await last.index().versions.count == 1)
    #expect(await last.formerFiles == ["un.jsonl"])
  }
}
