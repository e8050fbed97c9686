// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Screening

/// Issue 27, item 1: an operator who loaded a list by mistake, or whose provider ended, had no way to take it out.
@Suite("Screening: lists that are removed")
struct ListRemovalTests {
  private static let other = "ref,name\n9,Ottilie Vanterpoole\n"

  @Test("a removed list is searched no more, is kept, is a line in the audit, and comes back with its files")
  func removed() async throws {
    let app = try await ScreeningListsTests.TestApp()
    let kept = try await app.update(Self.other, code: "OTHER").list
    let list = try await app.update(ScreeningListsTests.first).list
    let node = ScreeningFolder(path: nil, stored: app.lists, countries: InventedList.countries)
    #expect(try await node.index().versions == [kept.version, list.version])
    #expect(try await app.lists.remove("OWN", by: "operator:test") == .removed(list))
    // Another node finds it with its next search.
    #expect(try await node.index().versions == [kept.version])
    #expect(await app.search("Ansgar Driftwell") == [])
    let left = try #require(try await app.lists.find(list.version))
    #expect(left.replacedAt == app.clock.world.now())
    #expect(try await app.lists.load(left).entries.count == 2)
    let lines = try await app.store.database.read { tx in
      try tx.query("SELECT facts FROM audit_line WHERE action = 'screening-list.removed' AND actor = 'operator:test'")
    }
    #expect(lines.count == 1)
    #expect(try await app.lists.remove("OWN", by: "operator:test") == .unknown)
    guard case .restored = try await app.update(ScreeningListsTests.first) else {
      return #expect(Bool(false), "not restored")
    }
    #expect(try await app.lists.current().map(\.version) == [kept.version, list.version])
    #expect(await app.search("Ansgar Driftwell") == ["1"])
  }

  @Test("the last list is removed only by a person who says that there is to be none")
  func last() async throws {
    let app = try await ScreeningListsTests.TestApp()
    #expect(try await app.lists.remove("OWN", takesLast: true, by: "operator:test") == .unknown)
    let list = try await app.update(ScreeningListsTests.first).list
    #expect(try await app.lists.remove("OWN", by: "operator:test") == .last(list))
    #expect(await app.search("Ansgar Driftwell") == ["1"])
    #expect(try await app.lists.remove("OWN", besides: ["UN"], by: "operator:test") == .removed(list))
    _ = try await app.update(ScreeningListsTests.first)
    #expect(try await app.lists.remove("OWN", takesLast: true, by: "operator:test") == .removed(list))
    #expect(await app.search("Ansgar Driftwell") == ["failed: there is no list to search"])
  }

  @Test("a list that comes back after its removal is compared with what it was, and the removal is not forgotten")
  func shrunk() async throws {
    let app = try await ScreeningListsTests.TestApp()
    #expect(try await app.lists.isNew())
    let (short, table) = ("ref,name\n1,Ansgar Driftwell\n", ScreeningListsTests.second)
    try await app.update(short)
    #expect(try await !app.lists.isNew())
    app.clock.set("2026-11-27T06:00:00Z")
    try await app.update(table)
    _ = try await app.lists.remove("OWN", takesLast: true, by: "operator:test")
    #expect(try await !app.lists.isNew())
    let fault = ListFault(file: "own.csv", reason: "the list has 1 entry, 3 before: --accept-shrunk takes it")
    await #expect(throws: fault) { try await app.update(short) }
    #expect(try await app.lists.current() == [])
    try await app.update(short, takesShrunk: true)
    #expect(try await app.lists.current().map(\.entryCount) == [1])
  }

  @Test("what was found in a removed list stays open, tells when it was removed, and is searched for again as it was")
  func cases() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.other, version: "v1", code: "OTHER")
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    let removedAt = try #require(Instant(rfc3339: "2026-11-27T06:00:00Z"))
    app.clock.set(removedAt.rfc3339)
    _ = try await app.lists.remove("OWN", by: "operator:test")
    let items = try await app.desk.waiting(by: "operator:test")
    #expect(items.count == 1)
    #expect(try await app.desk.delistings(of: items) == [.init(version: nil, at: removedAt)])
    let record = try #require(items.first?.record)
    let replay = try await ScreeningReplay(
      of: record, lists: app.lists, countries: InventedList.countries, policy: .standard)
    #expect(replay.isEqual && replay.hits.map(\.entityID) == ["1"])
    // The version that a screening names is kept, however long ago the list was removed.
    app.clock.set("2031-11-27T06:00:00Z")
    #expect(try await app.lists.sweep(before: app.clock.world.now()) == 0)
  }

  @Test("customers are compared with the lists that are left, and again when the removed one is put back at once")
  func runs() async throws {
    let app = try await CaseTestApp()
    let rescreening = Rescreening(app.core, source: app.source, lists: app.lists, customers: [app.flow])
    func target() async throws -> [String] {
      try await rescreening.run()
      let latest = try await app.database.read { try ScreeningRunStore($0).latest() }
      return try #require(latest?.finishedAt == nil ? nil : latest).target.map(\.code)
    }
    try await app.update(Self.other, version: "v1", code: "OTHER")
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    #expect(try await target() == ["OTHER", "OWN"])
    _ = try await app.lists.remove("OWN", by: "operator:test")
    #expect(try await target() == ["OTHER"])
    try await app.update(CaseTestApp.list, version: "v1")
    #expect(try await target() == ["OTHER", "OWN"])
    _ = try await app.lists.remove("OWN", by: "operator:test")
    #expect(try await target() == ["OTHER"])
  }

  @Test("an entry that was gone before the list was removed tells the version that it is gone since")
  func goneBefore() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    app.clock.set("2026-11-27T06:00:00Z")
    try await app.update("ref,name\n2,Ottilie Vanterpoole\n", version: "v2")
    app.clock.set("2026-11-28T06:00:00Z")
    _ = try await app.lists.remove("OWN", takesLast: true, by: "operator:test")
    let items = try await app.desk.waiting(by: "operator:test")
    #expect(try await app.desk.delistings(of: items).map { $0?.version?.version } == ["v2"])
    // A file of the folder that takes its place is searched: what the store knows of it is not the end of the list.
    let files = try TestFolder(["own.csv": Data("ref,name\n1,Ansgar Quillon Driftwell\n".utf8)])
    app.clock.set("2026-11-29T06:00:00Z")
    _ = try await ScreeningFolder(path: files.path, stored: app.lists, countries: InventedList.countries).index()
    #expect(try await app.desk.delistings(of: items) == [nil])
  }
}
