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
      ([("sdn.csv", nil), ("alt.csv", nil), ("add.csv", 2)], "the list has 1 addresses, 4 before"),
      ([("sdn.csv", nil), ("alt.csv", nil)], "the list has 0 addresses, 4 before"),
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
      try await node().index().answers(to: InventedList.subject("Ansgar Driftwell"))?.contains { $0.ref == "O.1" } == true
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
