// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: those who watch are told of a hit that waits")
struct ScreeningAlertTests {
  private static let without = "ref,name,dob\n2,Ottilie Vanterpoole,1948\n"
  private static let other = Screening.Judgement(.falsePositive, reason: .nameOnly, text: "Another person.")

  /// A customer who was found clean, with the alert of a hit that a change of the list brought.
  private func found(_ app: CaseTestApp) async throws -> (item: Screening.Case, alert: OutboxItem) {
    let rescreening = Rescreening(app.core, source: app.source, lists: app.lists, customers: [app.flow])
    try await app.update(Self.without, version: "v1")
    try await app.screen()
    try await rescreening.run()
    try await app.update(CaseTestApp.list, version: "v2")
    try await rescreening.run()
    return (try #require(try await app.cases().first), try #require(try await owed(app).first))
  }

  private func owed(_ app: CaseTestApp) async throws -> [OutboxItem] {
    let now = app.clock.world.now()
    return try await app.database.read { tx in
      try tx.query("SELECT id, topic, subject, payload FROM outbox ORDER BY enqueued_at, id").map {
        OutboxItem(
          id: try $0.get("id"), topic: try $0.get("topic"), subject: try $0.get("subject"),
          payload: try $0.get("payload"), attempts: 0, enqueuedAt: now, origin: nil)
      }
    }
  }

  private func alerts(_ app: CaseTestApp, _ told: CaseTestApp.Told) -> ScreeningAlerts {
    ScreeningAlerts(core: app.core, customers: [app.flow]) { told.note("\($0.caseID) \($0.version)") }
  }

  @Test("a repetition tells of the same alert, whatever persons did to the case meanwhile")
  func repeated() async throws {
    let (app, told) = (try await CaseTestApp(needsTwo: true), CaseTestApp.Told())
    let (item, alert) = try await found(app)
    let alerts = alerts(app, told)
    try await alerts.perform(alert)
    // The mail was not taken, say, and the alert is owed still when an analyst proposes a verdict, and takes it back.
    let proposed = try await app.desk.judge(item.id, Self.other, by: "agent:1").item
    try await alerts.perform(alert)
    _ = try await app.desk.giveBack(item.id, version: proposed.version, text: "Look again.", by: "agent:2")
    try await alerts.perform(alert)
    #expect(told.lines == Array(repeating: "\(item.id) 1", count: 3))
  }

  @Test("an alert that was read before its case was decided and asked anew is told of to no one")
  func overtaken() async throws {
    let (app, told) = (try await CaseTestApp(), CaseTestApp.Told())
    let (item, owed) = try await found(app)
    let desk = app.desk
    let alerts = ScreeningAlerts(core: app.core, customers: [app.flow]) { alert in
      _ = try await desk.judge(item.id, Self.other, by: "agent:1")
      try await app.update(CaseTestApp.list.replacing("first", with: "second"), version: "v3")
      app.clock.set("2026-11-26T07:00:00Z")
      try await app.screen(origin: .listChange)
      let waits = try await app.database.write { try alert.stillWaits(in: $0, vault: app.core.vault) }
      told.note("\(waits)")
    }
    try await alerts.perform(owed)
    #expect(told.lines == ["false"])
    #expect(try await app.cases().first?.waitsSince != nil)
  }

  @Test("a case that is asked anew is another alert, and one that an earlier release owed is of the case as it is")
  func anew() async throws {
    let (app, told) = (try await CaseTestApp(), CaseTestApp.Told())
    let (item, alert) = try await found(app)
    let alerts = alerts(app, told)
    _ = try await app.desk.judge(item.id, Self.other, by: "agent:1")
    // Decided, it waits no more.
    try await alerts.perform(alert)
    #expect(told.lines.isEmpty)
    try await app.update(CaseTestApp.list.replacing("first", with: "second"), version: "v3")
    app.clock.set("2026-11-26T07:00:00Z")
    try await app.screen(origin: .listChange)
    let again = try #require(try await owed(app).last)
    // Owed still, it is of a wait that ended: those who watch are told once of the new one.
    try await alerts.perform(alert)
    #expect(told.lines.isEmpty)
    try await alerts.perform(again)
    #expect(told.lines == ["\(item.id) 3"])
    let older = OutboxItem(
      id: again.id, topic: again.topic, subject: again.subject, payload: "", attempts: 0,
      enqueuedAt: again.enqueuedAt, origin: nil)
    try await alerts.perform(older)
    #expect(told.lines == ["\(item.id) 3", "\(item.id) 3"])
  }
}
