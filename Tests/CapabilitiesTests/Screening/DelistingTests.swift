// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: entries that are in their list no more")
struct DelistingTests {
  @Test("a case tells since which version of the list its entry is gone, and keeps why it was found")
  func delisted() async throws {
    let app = try await CaseTestApp()
    func told() async throws -> String? {
      let items = try await app.desk.waiting(by: "operator:test")
      #expect(items.count == 1 && items[0].item.hit.explanation != nil)
      return try await app.desk.delistings(of: items)[0]?.version?.version
    }
    func update(_ rows: String..., version: String) async throws {
      app.clock.set((app.clock.world.now() + .minutes(1)).rfc3339)
      try await app.update((["ref,name,dob,remarks"] + rows).joined(separator: "\n") + "\n", version: version)
    }
    let (listed, other) = ("1,Ansgar Quillon Driftwell,1964-08-12", "2,Ottilie Vanterpoole,1948,")
    try await update("\(listed),first", other, version: "v1")
    try await app.screen()
    #expect(try await told() == nil)
    // The entry is changed, and still there.
    try await update("\(listed),second", other, version: "v2")
    #expect(try await told() == nil)
    for number in 3...6 {
      try await update(other + "\(number)", version: "v\(number)")
      #expect(try await told() == "v3")
    }
    // It comes back, and goes again: with a new version, and with an older one that is put back.
    try await update("\(listed),third", other, version: "v7")
    #expect(try await told() == nil)
    try await update(other + "6", version: "again")
    #expect(try await told() == "v6")
    try await app.lists.core.database.write { _ = try $0.execute("DELETE FROM screening_list_part") }
    // What was read once is remembered; a desk that never read it cannot.
    #expect(try await told() == "v6")
    let restarted = ScreeningCaseService(app.core, customers: [app.flow])
    let items = try await restarted.waiting(by: "operator:test")
    #expect(try await restarted.delistings(of: items) == [nil], "a version that cannot be read tells nothing")
  }

  @Test("looks at cases read a version of a list once, and none where the search was in the version of today")
  func versionsReadOnce() async throws {
    let app = try await CaseTestApp()
    func looks(_ desk: ScreeningCaseService) async throws -> (reads: Int, told: [String?]) {
      let before = app.read.lines.count
      let items = try await desk.waiting(by: "operator:test")
      let told = try await desk.delistings(of: items)
      return (app.read.lines.count - before, told.map { $0?.version?.version })
    }
    try await app.update(CaseTestApp.list, version: "v1")
    for id in ["c1", "c2", "c3"] { try await app.screen(for: id) }
    let found = try await looks(app.desk)
    #expect(found.reads == 0 && found.told == [nil, nil, nil])
    app.clock.set("2026-11-27T06:00:00Z")
    try await app.update("ref,name\n2,Ottilie Vanterpoole\n", version: "v2")
    let first = try await looks(app.desk)
    #expect(first.reads == 1 && first.told == ["v2", "v2", "v2"])
    let second = try await looks(app.desk)
    #expect(second.reads == 0 && second.told == first.told)
  }
}
