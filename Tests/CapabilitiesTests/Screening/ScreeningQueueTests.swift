// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: hits in the work queue")
struct ScreeningQueueTests {
  private static let without = "ref,name,dob\n2,Ottilie Vanterpoole,1948\n"
  private let other = Screening.Judgement(.falsePositive, reason: .otherBirthDate, text: "Another year of birth.")

  /// A customer who was clean, and resembles an entry since the list changed.
  private func found(_ app: CaseTestApp, _ id: String = "c1") async throws -> Screening.Case {
    try await app.update(Self.without, version: "v1")
    try await app.screen(for: id)
    try await rescreening(app).run()
    try await app.update(CaseTestApp.list, version: "v2")
    try await rescreening(app).run()
    return try #require(try await app.cases(of: id).first)
  }

  private func rescreening(_ app: CaseTestApp) -> Rescreening {
    Rescreening(app.core, source: app.source, lists: app.lists, customers: [app.flow])
  }

  @Test("a hit that a change of a list brought waits there, without the entry, until it is decided")
  func decided() async throws {
    let app = try await CaseTestApp()
    let item = try await found(app)
    let work = try #require(app.work.waiting.first)
    #expect(work.kind == "screening-hit" && work.tenant == "default" && work.subject == item.id.rawValue)
    #expect(work.person == "c1" && work.email == "c1@example.com" && work.reasons == ["hit"] && work.risk == 90)
    #expect(work.chain == "screening-case-\(item.id)")
    _ = try await app.desk.judge(item.id, other, by: "agent:1")
    #expect(app.work.waiting.isEmpty)
    #expect(app.work.lines == ["open screening-hit", "conclude screening-hit judgedFalsePositive agent:1"])
    // The entry says something else: it waits again.
    try await app.update(CaseTestApp.list.replacing("first", with: "second"), version: "v3")
    try await rescreening(app).run()
    #expect(app.work.lines.last == "open screening-hit" && app.work.waiting.first?.email == "c1@example.com")
  }

  @Test("where two persons decide it waits until the second one has agreed")
  func twoPersons() async throws {
    let app = try await CaseTestApp(needsTwo: true)
    let item = try await found(app)
    let proposed = try await app.desk.judge(item.id, other, by: "agent:1").item
    #expect(app.work.waiting.map(\.reasons) == [["approval"]])
    _ = try await app.desk.approve(item.id, .falsePositive, version: proposed.version, by: "agent:2")
    #expect(app.work.lines == ["open screening-hit", "conclude screening-hit approvedFalsePositive agent:2"])
  }

  @Test("what a step finds stands in the queue of its flow, and customers whom no flow knows in none")
  func others() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    #expect(try await app.cases().map(\.state) == [.open])
    #expect(app.work.lines.isEmpty)
    let far = try await CaseTestApp()
    _ = try await found(far, "stranger-1")
    #expect(far.work.lines.isEmpty)
  }

  @Test("hits that waited before there was a queue come into it, once")
  func catchUp() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen(for: "c2")
    try await app.screen(for: "c1", origin: .listChange)
    #expect(app.work.lines.isEmpty)
    let waiting = WaitingCases(core: app.core, customers: [app.flow])
    for _ in 0..<2 { try await waiting.catchUp() }
    #expect(app.work.waiting.map(\.person) == ["c1"])
    let item = try #require(try await app.cases(of: "c1").first)
    #expect(item.version == 2)
    _ = try await app.desk.judge(item.id, other, by: "agent:1")
    #expect(app.work.waiting.isEmpty)
  }
}
