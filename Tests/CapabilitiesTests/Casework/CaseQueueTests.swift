// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage
import TestSupport
import Testing

@testable import Casework

@Suite("Casework: the queue")
struct CaseQueueTests {
  @Test("the oldest and riskiest come first, over all kinds, and pages hold each case once")
  func order() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    var cases: [Case] = []
    for number in 0..<23 {
      let kind: CaseKind = number % 3 == 0 ? .wultraPresence : number % 3 == 1 ? .rubixReview : .chat
      cases.append(try await app.open(CaseworkTestApp.work("s\(number)", kind: kind, risk: number * 31 % 101)))
      app.clock.advance(by: .minutes(7))
    }
    let expected = cases.sorted { ($0.priority, $0.id.rawValue) < ($1.priority, $1.id.rawValue) }.map(\.id)
    var (seen, query) = ([Case.ID](), CaseQuery())
    query.limit = 5
    repeat {
      let page = try await app.commands.page(query, for: noor)
      seen += page.cases.map(\.id)
      query.after = try page.next.map { try #require(CaseCursor(text: $0.text)) }
    } while query.after != nil
    #expect(seen == expected)
    #expect(try await app.commands.next(by: noor)?.id == expected.first)
  }

  @Test("a point of risk counts as much as six minutes of waiting")
  func risk() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    let calm = try await app.open(CaseworkTestApp.work("calm"))
    app.clock.advance(by: .minutes(59))
    let risky = try await app.open(CaseworkTestApp.work("risky", risk: 10))
    #expect(try await app.commands.page(CaseQuery(), for: noor).cases.map(\.id) == [risky.id, calm.id])
    app.clock.advance(by: .minutes(2))
    let late = try await app.open(CaseworkTestApp.work("late", risk: 10))
    #expect(try await app.commands.page(CaseQuery(), for: noor).cases.map(\.id) == [risky.id, calm.id, late.id])
  }

  @Test("filters by kind, tenant, state, holder, lateness and id")
  func filters() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    let review = try await app.open(CaseworkTestApp.work("review"))
    let chat = try await app.open(CaseworkTestApp.work("chat", kind: .chat, tenant: "finaptic-7"))
    let held = try await app.open(CaseworkTestApp.work("held", kind: .wultraDocuments))
    _ = try await app.commands.claim(held.id, by: noor)
    func ids(_ change: (inout CaseQuery) -> Void) async throws -> Set<Case.ID> {
      var query = CaseQuery()
      change(&query)
      return Set(try await app.commands.page(query, for: noor).cases.map(\.id))
    }
    #expect(try await ids { $0.kinds = [.chat] } == [chat.id])
    #expect(try await ids { $0.tenant = "finaptic-7" } == [chat.id])
    #expect(try await ids { $0.state = .open } == [review.id, chat.id])
    #expect(try await ids { $0.state = .claimed } == [held.id])
    #expect(try await ids { $0.holder = noor.actor } == [held.id])
    #expect(try await ids { $0.holder = "agent:another" }.isEmpty)
    #expect(try await ids { $0.id = "review" } == [review.id])
    #expect(try await ids { $0.id = chat.id.rawValue } == [chat.id])
    #expect(try await ids { $0.isOverdue = true }.isEmpty)
    app.clock.advance(by: .minutes(6))
    // A chat may wait for five minutes, the others for hours.
    #expect(try await ids { $0.isOverdue = true } == [chat.id])
  }

  @Test("no member sees another institution's cases, kinds without the permission, or their own case")
  func visibility() async throws {
    let app = try await CaseworkTestApp()
    let review = try await app.open(CaseworkTestApp.work("review") { $0.email = "Self@bank.example" })
    let hit = try await app.open(CaseworkTestApp.work("hit", kind: .rubixScreening))
    let noor = try await app.agent()
    let officer = CaseWorker(try await app.member("officer@bank.example", .decideAML))
    let chief = CaseWorker(try await app.member("chief@bank.example", .manageCases))
    let stranger = CaseWorker(try await app.member("x@other.example", .attendVideo, .manageCases, tenant: "other"))
    let own = CaseWorker(try await app.member("self@bank.example", .attendVideo, .manageCases))
    func seen(_ worker: CaseWorker) async throws -> Set<Case.ID> {
      Set(try await app.commands.page(CaseQuery(), for: worker).cases.map(\.id))
    }
    #expect(try await seen(noor) == [review.id])
    #expect(try await seen(officer) == [hit.id])
    #expect(try await seen(chief) == [review.id, hit.id])
    #expect(try await seen(stranger).isEmpty)
    #expect(try await seen(own) == [hit.id])
    await #expect(throws: Problem.notFound) { try await app.commands.file(review.id, for: stranger) }
    await #expect(throws: Problem.notFound) { try await app.commands.claim(hit.id, by: noor) }
    await #expect(throws: Problem.ownCase) { try await app.commands.claim(review.id, by: own) }
    var query = CaseQuery()
    query.id = "review"
    #expect(try await app.commands.page(query, for: own).cases.isEmpty)
    #expect(try await app.commands.page(query, for: stranger).cases.isEmpty)
  }

  @Test("without a desk for them, cases of tenants without staff are seen by no institution")
  func noDesk() async throws {
    let app = try await CaseworkTestApp(otherDesk: nil)
    let chat = try await app.open(CaseworkTestApp.work("chat", kind: .chat, tenant: "finaptic-7"))
    #expect(chat.desk.isEmpty)
    #expect(try await app.commands.page(CaseQuery(), for: try await app.agent()).cases.isEmpty)
  }

  @Test("notes are sealed, and go with the person; every look and word is an audit line")
  func notes() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    let item = try await app.open(CaseworkTestApp.work("a"))
    _ = try await app.commands.note("  Called back, nobody answered.  ", on: item.id, by: noor)
    let file = try await app.commands.file(item.id, for: noor)
    #expect(file.notes.map(\.words) == ["Called back, nobody answered."])
    #expect(file.history.map(\.action) == ["case.opened", "case.noted", "case.seen"])
    #expect(file.history.last?.facts["why"] == "waiting-case")
    let stored: Data = try await app.database.read {
      try $0.first("SELECT words FROM casework_note")?.get("words") ?? Data()
    }
    #expect(!stored.isEmpty && !String(decoding: stored, as: UTF8.self).contains("Called"))
    for text in [" \n ", "Called\u{2028}back.", "Called\u{1B}[2K back.", "Called \u{202E}back."] {
      await #expect(throws: Problem.self) { try await app.commands.note(text, on: item.id, by: noor) }
    }
    try await app.database.write { try app.caseService.forget(person: "person-a", in: $0) }
    await #expect(throws: Problem.notFound) { try await app.commands.file(item.id, for: noor) }
    let left: Int = try await app.database.read {
      try $0.first("SELECT COUNT(*) AS n FROM casework_note")?.get("n") ?? -1
    }
    #expect(left == 0)
  }

  @Test("the events of a desk follow a page without a gap")
  func events() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    try await app.open(CaseworkTestApp.work("a"))
    let page = try await app.commands.page(CaseQuery(), for: noor)
    let item = try #require(page.cases.first)
    _ = try await app.commands.claim(item.id, by: noor)
    guard case .events(let events) = try await app.commands.events(after: page.position, atMost: .seconds(5), for: noor)
    else {
      Issue.record("the page is not older than what is kept")
      return
    }
    #expect(events.map(\.kind) == ["claimed"])
    #expect(events.first.map { String(decoding: $0.payload, as: UTF8.self) } == "{\"case\":\"\(item.id)\"}")
  }

  @Test("closed cases are deleted when their time is over, and open ones never")
  func retention() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    let closed = try await app.open(CaseworkTestApp.work("closed"))
    _ = try await app.commands.note("Done.", on: closed.id, by: noor)
    try await app.conclude(CaseworkTestApp.work("closed"), by: noor.actor)
    let open = try await app.open(CaseworkTestApp.work("open"))
    let jobs = CaseworkModule(app.core, caseService: app.caseService).retention
    app.clock.advance(by: .days(399))
    try await jobs.runOnce()
    #expect(try await app.find(closed.id) != nil)
    app.clock.advance(by: .days(2))
    try await jobs.runOnce()
    #expect(try await app.find(closed.id) == nil)
    #expect(try await app.find(open.id) != nil)
  }

  @Test("a place in the queue is read from its own text alone, whatever the bytes are", arguments: 0..<200)
  func places(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed + 1))
    let place = CaseCursor(
      priority: Int64.random(in: .min ... .max, using: &generator), id: "0a1b2c3d-0000-4000-8000-00000000000f")
    #expect(CaseCursor(text: place.text) == place)
    let changed = generator.changed(place.text, alphabet: Array("ABCxyz019-_=. \u{0}é"))
    // What is read of other texts has the shape of a place.
    if let other = CaseCursor(text: changed) { #expect(other.id.utf8.count == 36 && CaseQuery.isName(other.id)) }
    for text in ["", ".", "1", "MS4x", String(repeating: "A", count: 129)] { #expect(CaseCursor(text: text) == nil) }
  }
}
