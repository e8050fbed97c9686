// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage
import TestSupport
import Testing

@testable import Casework

@Suite("Casework: who has a case in hand")
struct CaseHoldingTests {
  @Test("a claimed case is in one person's hands: a colleague is refused, and the same person again is not")
  func claim() async throws {
    let app = try await CaseworkTestApp()
    let (noor, omar) = (try await app.agent(), try await app.agent("omar"))
    let item = try await app.open(CaseworkTestApp.work("a"))
    #expect(item.state == .open)
    let claimed = try await app.commands.claim(item.id, by: noor)
    #expect(claimed.state == .claimed && claimed.holder == noor.actor)
    #expect(try await app.commands.claim(item.id, by: noor) == claimed)
    await #expect(throws: Problem.caseHeld) { try await app.commands.claim(item.id, by: omar) }
    #expect(try await app.find(item.id) == claimed)
    #expect(try await app.trail(of: item) == ["case.opened customer", "case.claimed \(noor.actor)"])
  }

  @Test("of colleagues who ask for the next case at once, each gets another one")
  func race() async throws {
    let app = try await CaseworkTestApp()
    for number in 0..<6 { try await app.open(CaseworkTestApp.work("subject-\(number)")) }
    var workers: [CaseWorker] = []
    for number in 0..<6 { workers.append(try await app.agent("agent\(number)")) }
    let taken = try await withThrowingTaskGroup(of: Case?.self) { group in
      for worker in workers { group.addTask { try await app.commands.next(by: worker) } }
      return try await group.reduce(into: [Case]()) { taken, item in if let item { taken.append(item) } }
    }
    #expect(taken.count == 6)
    #expect(Set(taken.map(\.id)).count == 6)
    #expect(Set(taken.compactMap(\.holder)) == Set(workers.map(\.actor)))
    #expect(try await app.commands.next(by: workers[0]) == nil)
  }

  @Test("who manages cases is given what their own permissions decide")
  func ownKinds() async throws {
    let app = try await CaseworkTestApp()
    let chief = CaseWorker(try await app.member("chief@bank.example", .manageCases, .decideAML))
    for kind in [CaseKind.chat, .suspense, .rubixReview] {
      try await app.open(CaseworkTestApp.work(kind.rawValue, kind: kind, risk: 100))
    }
    let hit = try await app.open(CaseworkTestApp.work("hit", kind: .screeningHit))
    let terms = try await app.open(CaseworkTestApp.work("terms", kind: .termsNotice))
    #expect(try await app.commands.next(by: chief)?.id == hit.id)
    #expect(try await app.commands.next(by: chief) == nil)
    let keeper = CaseWorker(try await app.member("keeper@bank.example", .manageTenants))
    #expect(try await app.commands.next(by: keeper)?.id == terms.id)
    #expect(try await app.commands.next(of: [.chat], by: chief) == nil)
  }

  @Test("a booked call is given to its agent when it begins, before what is riskier, and to colleagues after its time")
  func bookedCall() async throws {
    let app = try await CaseworkTestApp()
    let (noor, omar) = (try await app.agent(), try await app.agent("omar"))
    let (time, agent) = (app.clock.now + .days(3), try #require(noor.member?.id.rawValue))
    func book(_ subject: String, at time: Instant) async throws -> Case {
      try await app.open(
        CaseworkTestApp.work(subject, kind: .rubixCall) { ($0.dueAt, $0.bookedWith) = (time, agent) })
    }
    let (call, late) = (try await book("call", at: time), try await book("late", at: time + .hours(1)))
    let other = try await app.open(CaseworkTestApp.work("other"))
    #expect(try await app.commands.next(by: noor)?.id == other.id)
    app.clock.set(time - .minutes(10))
    #expect(try await app.commands.next(by: noor) == nil)
    app.clock.advance(by: .seconds(1))
    let urgent = try await app.open(CaseworkTestApp.work("urgent", risk: 100))
    // A member who goes on from a decision is given their call, too.
    #expect(try await app.commands.next(of: [.rubixReview], ownCallFirst: true, by: noor)?.id == call.id)
    _ = try await app.commands.release(call.id, why: "not-now", by: noor)
    // Its agent put it back: it does not come back to them first, and waits for a colleague at once.
    #expect(try await book("call", at: time).bookedWith == Case.handedBack)
    #expect(try await app.commands.next(of: [.rubixReview], ownCallFirst: true, by: noor)?.id == urgent.id)
    #expect(try await app.commands.next(by: omar)?.id == call.id)
    app.clock.set(late.dueAt + .minutes(30))
    #expect(try await app.commands.next(by: omar) == nil)
    app.clock.advance(by: .seconds(1))
    #expect(try await app.commands.next(by: omar)?.id == late.id)
  }

  @Test("the holder puts a case back; a colleague does not, and who manages cases does, each for a reason")
  func release() async throws {
    let app = try await CaseworkTestApp()
    let (noor, omar) = (try await app.agent(), try await app.agent("omar"))
    let chief = CaseWorker(try await app.member("chief@bank.example", .manageCases))
    let item = try await app.open(CaseworkTestApp.work("a"))
    await #expect(throws: Problem.caseNotHeld) {
      try await app.commands.release(item.id, why: "end-of-shift", by: noor)
    }
    _ = try await app.commands.claim(item.id, by: noor)
    await #expect(throws: Problem.caseHeld) {
      try await app.commands.release(item.id, why: "end-of-shift", by: omar)
    }
    await #expect(throws: Problem.self) { try await app.commands.release(item.id, why: "Tired, sorry", by: noor) }
    let free = try await app.commands.release(item.id, why: "end-of-shift", by: noor)
    #expect(free.state == .open && free.holder == nil)
    _ = try await app.commands.claim(item.id, by: omar)
    #expect(try await app.commands.release(item.id, why: "omar-is-ill", by: chief).holder == nil)
  }

  @Test("a case is handed over to a colleague who may hold it, and to no one else")
  func handOver() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    let omar = try await app.member("omar@bank.example", .attendVideo)
    let clerk = try await app.member("clerk@bank.example", .readCustomers)
    let stranger = try await app.member("lea@other.example", .attendVideo, tenant: "other")
    let item = try await app.open(
      CaseworkTestApp.work("a") { $0.email = "Customer@Bank.example" })
    _ = try await app.commands.claim(item.id, by: noor)
    for id in [clerk.id, stranger.id] {
      await #expect(throws: Problem.self) {
        try await app.commands.handOver(item.id, to: id.rawValue, why: "language", by: noor)
      }
    }
    let himself = try await app.member("customer@bank.example", .attendVideo)
    await #expect(throws: Problem.self) {
      try await app.commands.handOver(item.id, to: himself.id.rawValue, why: "language", by: noor)
    }
    let given = try await app.commands.handOver(item.id, to: "omar@bank.example", why: "language", by: noor)
    #expect(given.state == .claimed && given.holder == omar.actor)
    await #expect(throws: Problem.caseHeld) {
      try await app.commands.release(item.id, why: "mine-again", by: noor)
    }
  }

  @Test("a decision by another person than the holder is refused in the domain; the holder's closes the case")
  func decision() async throws {
    let app = try await CaseworkTestApp()
    let (noor, omar) = (try await app.agent(), try await app.agent("omar"))
    let work = CaseworkTestApp.work("a")
    let item = try await app.open(work)
    _ = try await app.commands.claim(item.id, by: noor)
    await #expect(throws: Problem.caseHeld) { try await app.conclude(work, by: omar.actor) }
    await #expect(throws: Problem.caseHeld) { try await app.conclude(work, by: "client:console") }
    let decided = try #require(try await app.conclude(work, "agentAccepted", by: noor.actor))
    #expect(decided.state == .decided && decided.holder == nil)
    #expect(decided.outcome == "agentAccepted" && decided.decidedBy == noor.actor)
    await #expect(throws: Problem.caseClosed) { try await app.commands.claim(item.id, by: omar) }
  }

  @Test("what a customer or time ends is withdrawn, also from a holder; what waits again is the same case, opened")
  func withdrawal() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    let work = CaseworkTestApp.work("a", risk: 10)
    let item = try await app.open(work)
    _ = try await app.commands.claim(item.id, by: noor)
    let withdrawn = try #require(try await app.conclude(work, "lapsed", by: "system"))
    #expect(withdrawn.state == .withdrawn && withdrawn.decidedBy == nil && withdrawn.outcome == "lapsed")
    #expect(try await app.conclude(work, "lapsed", by: "system") == withdrawn)
    app.clock.advance(by: .hours(1))
    let again = try await app.open(CaseworkTestApp.work("a", risk: 70))
    #expect(again.id == item.id && again.state == .open && again.risk == 70 && again.closedAt == nil)
    #expect(again.openedAt == app.clock.now)
  }

  @Test("a flow that knows who has the work in hand gives, hands over and takes back the case")
  func holderOfTheFlow() async throws {
    let app = try await CaseworkTestApp()
    let noor = try await app.agent()
    func chat(_ holder: String?) -> AwaitedWork {
      CaseworkTestApp.work("chat", kind: .chat, tenant: "finaptic-7") { $0.holder = holder }
    }
    func follow(_ former: AwaitedWork, _ current: AwaitedWork, by actor: String) async throws -> Case? {
      try await app.database.write(retrying: .outdated) { [caseService = app.caseService] tx in
        try caseService.follow(former, current, on: "taken", by: actor, in: tx)
        return try CaseStore(tx).find(subject: "chat", kind: .chat)
      }
    }
    let item = try await app.open(chat(nil))
    #expect(item.desk == "bank")
    #expect(try await follow(chat(nil), chat("kim"), by: "kim")?.holder == "agent:kim")
    #expect(try await follow(chat("kim"), chat("lea"), by: "lea")?.holder == "agent:lea")
    #expect(try await follow(chat("lea"), chat(nil), by: "lea")?.state == .open)
    _ = try await app.commands.claim(item.id, by: noor)
    // What a colleague claimed at the desk is not taken away by one who takes the chat.
    await #expect(throws: Problem.caseHeld) { try await follow(chat(nil), chat("kim"), by: "kim") }
    #expect(try await follow(chat(nil), chat(nil), by: "customer")?.holder == noor.actor)
  }
}
