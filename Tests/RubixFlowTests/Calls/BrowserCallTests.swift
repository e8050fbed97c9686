// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import RubixWire
import Scheduling
import Synchronization
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: calls on our own pages")
struct BrowserCallTests {
  @Test("the customer's link opens this call and no other, and the agent's is a page of the console")
  func links() async throws {
    let scene = try await Scene()
    let (app, vault) = (scene.app, scene.app.core.vault)
    let address = try #require(try await app.calls.current(for: scene.customer).joinURL)
    let token = String(try #require(address.wholeMatch(of: #/https:\/\/bank\.example\/call\/([0-9a-f]{96})/#)).1)
    #expect(CallLink.call(of: token, vault) == scene.id)
    for place in [0, 31, 32, 95] {
      var digits = Array(token)
      digits[place] = digits[place] == "0" ? "1" : "0"
      #expect(CallLink.call(of: String(digits), vault) == nil)
    }
    for other in ["", token.uppercased(), String(token.dropLast()), token + "0", String(repeating: "é", count: 48)] {
      #expect(CallLink.call(of: other, vault) == nil)
    }
    let started = try await app.rubix.agentCalls.start(scene.id, by: scene.agent)
    #expect(started.joinURL == "https://bank.example/console/calls/\(scene.id)")
    #expect(started.status == .scheduled, "only the browsers of both sides begin it")
  }

  @Test("asking a colleague ends the call; the same again ends none that goes on since")
  func askedAgain() async throws {
    let scene = try await Scene(isDecidedByTwo: true)
    var asked: Set<String> = []
    for _ in 0..<2 {
      try await scene.speak()
      guard
        case .waiting(let approval) = try await scene.app.rubix.verdicts.decide(
          AgentTestApp.content(scene.request), by: scene.agent)
      else { throw Problem.unexpected }
      asked.insert(approval.id)
    }
    #expect(asked.count == 1)
    let (chain, party) = (scene.customer.id.rawValue, scene.desk)
    let ends = try await scene.app.core.database.read { tx in
      try AuditStore(tx).lines(of: chain).count { $0.action == "call.ended" }
    }
    #expect(ends == 1)
    #expect(try await scene.calls.look(party).seats.allSatisfy { $0.endedAt == nil })
  }

  @Test("a call begins when both sides are connected, and only then there is a verdict")
  func verdictAfterCall() async throws {
    let scene = try await Scene()
    #expect(try await scene.verdict()?.code == "step-out-of-order")
    let guest = try await scene.calls.join(scene.guest())
    #expect(guest.seat == 1 && !guest.isOtherThere)
    let desk = try await scene.calls.join(scene.desk)
    #expect(desk.isOtherThere && desk.position > guest.position)
    try await scene.calls.connected(scene.desk, seat: 1)
    #expect(try await scene.status() == .scheduled)
    #expect(try await scene.verdict()?.code == "step-out-of-order")
    try await scene.calls.connected(scene.guest(), seat: 1)
    try await scene.calls.connected(scene.guest(), seat: 1)
    #expect(try await scene.status() == .inCall)
    try await scene.calls.end(scene.desk)
    #expect(try await scene.status() == .inCall, "a verification waits for its verdict")
    #expect(try await scene.verdict() == nil)
    let actions = try await scene.app.actions(of: scene.customer).filter { $0.hasPrefix("call.") }
    #expect(
      actions == ["call.joined", "call.joined", "call.connected", "call.connected", "call.started", "call.ended"])
    let seats = try await scene.calls.look(scene.guest()).seats
    #expect(
      seats.map(\.side) == [.customer, .agent] && seats.allSatisfy { $0.connectedAt != nil && $0.endedAt != nil })
    #expect(seats.map(\.member) == [nil, scene.agent.member.id.rawValue])
  }

  @Test(
    "a recorder is told once each time that a call begins and ends, however it does; who does not agree does not join",
    arguments: ["end", "left", "swept", "erased"])
  func recorded(way: String) async throws {
    let scene = try await Scene(isRecorded: true)
    let (app, calls) = (scene.app, scene.calls)
    #expect(try await app.calls.current(for: scene.customer).isRecorded == true)
    // As after a start without the setting.
    let later = RubixService(
      core: app.core, tenants: app.rubix.tenants, sessions: app.rubix.sessions, agentSessions: app.rubix.agentSessions)
    let unrecorded = later.browserCalls(staff: app.staff)
    #expect(try await unrecorded.look(scene.guest()).isRecorded == false)
    let refusal = try await problem { _ = try await calls.join(scene.guest()) }
    #expect(refusal?.fields.map(\.pointer) == ["/recording"])
    if way == "left" {
      // As where an agent begins a call by the API.
      let begun = try await app.core.database.write { [id = scene.id] tx in
        try tx.execute("UPDATE appointment SET status = 'IN_CALL' WHERE id = \(id)")
      }
      #expect(begun == 1)
    }
    func meet(_ seat: Int64) async throws {
      _ = try await calls.join(scene.guest(), agreesToRecording: true)
      _ = try await calls.join(scene.desk)
      for party in [scene.desk, scene.guest(), scene.guest()] { try await calls.connected(party, seat: seat) }
    }
    try await meet(1)
    #expect(try await unrecorded.look(scene.guest()).isRecorded, "until the recorder was told of the end")
    #expect(try await later.calls(staff: app.staff).current(for: scene.customer).isRecorded == true)
    #expect(try await problem { _ = try await unrecorded.join(scene.guest()) }?.fields.map(\.pointer) == ["/recording"])
    // By mistake: both come back, to a node whose clock is behind.
    for _ in 0..<2 { try await calls.end(scene.desk) }
    #expect(try await unrecorded.look(scene.guest()).isRecorded == false)
    app.clock.advance(by: .milliseconds(-5))
    try await meet(2)
    #expect(try await app.rubix.missedCalls.sweep() == 0)
    #expect(try await app.actions(of: scene.customer).last == "call.recording_begun")
    app.clock.advance(by: .milliseconds(-5))
    switch way {
    case "end": for _ in 0..<2 { try await calls.end(scene.desk) }
    case "left": for party in [scene.desk, scene.guest(), scene.guest()] { try await calls.leave(party, seat: 2) }
    case "swept":
      app.clock.advance(by: .hours(4) + .seconds(1))
      for _ in 0..<2 { _ = try await app.rubix.missedCalls.sweep() }
    default:
      _ = try await app.erasure.erase(
        scene.customer.id, of: scene.customer.tenant, for: ErasureTests.reason, by: "operator", despiteDuty: true)
    }
    app.clock.advance(by: .seconds(1))
    let told = Mutex<[CallRecorder.Notice]>([])
    let recorder = CallRecorder(keepDays: 30) { notice in told.withLock { $0.append(notice) } }
    let worker = OutboxWorker(
      database: app.core.database, world: app.core.world,
      handlers: SchedulingModule(recorder: recorder).effects, logger: LogRecorder().logger)
    while try await worker.runDue() > 0 {}
    let notices = told.withLock { $0 }
    #expect(notices.count == 4 && notices.allSatisfy { $0.call == scene.view.id && $0.keepDays == 30 })
    #expect(Set(notices.map(\.at)).count == 4)
    #expect(notices.sorted { $0.at < $1.at }.map(\.event) == [.begun, .ended, .begun, .ended])
    guard way != "erased" else { return }
    let seat = try #require(try await calls.look(scene.guest()).seats.first)
    #expect(seat.recordingAgreedAt != nil && seat.recordingBegunAt != nil && seat.recordingEndedAt != nil)
    let actions = try await app.actions(of: scene.customer)
    let both = ["call.recording_begun", "call.recording_ended"]
    #expect(actions.filter { $0.hasPrefix("call.recording") } == both + both)
  }

  @Test("notes reach the other side once, in order, and a page that another one replaced is told so")
  func notes() async throws {
    let scene = try await Scene()
    let guest = try await scene.calls.join(scene.guest())
    let desk = try await scene.calls.join(scene.desk)
    try await scene.calls.signal(.offer, "{\"sdp\":\"v=0\"}", by: scene.desk, seat: desk.seat)
    try await scene.calls.signal(.candidate, "{}", by: scene.desk, seat: desk.seat)
    let told: [CallEvent] = [.joined, .signal(.offer, body: "{\"sdp\":\"v=0\"}"), .signal(.candidate, body: "{}")]
    #expect(try await scene.events(scene.guest(), guest) == told)
    #expect(try await scene.events(scene.desk, desk) == [])
    let again = try await scene.calls.join(scene.guest("tablet"))
    #expect(again.seat == 2)
    #expect(try await scene.events(scene.guest(), guest) == told + [.replaced])
    #expect(try await scene.events(scene.desk, desk) == [.joined])
    // What comes after is for the new page alone.
    try await scene.calls.signal(.candidate, "{}", by: scene.desk, seat: desk.seat)
    #expect(try await scene.events(scene.guest(), guest) == told + [.replaced])
    #expect(try await scene.events(scene.guest("tablet"), again) == [.signal(.candidate, body: "{}")])
    // Neither the page that was replaced nor a stranger who knows the link speaks any more.
    for party in [scene.guest(), scene.guest("stranger")] {
      for seat in [Int64(1), 2] {
        let refusal = try await problem {
          try await scene.calls.signal(.answer, "{}", by: party, seat: seat)
        }
        #expect(refusal?.code == "seat-taken")
      }
    }
    try await scene.calls.leave(scene.guest("tablet"), seat: 2)
    #expect(try await scene.events(scene.desk, desk) == [.joined, .left])
    try await scene.calls.end(scene.desk)
    #expect(try await scene.events(scene.guest(), guest) == [.ended])
  }

  @Test("notes are bounded in size and number, and lie sealed")
  func bounds() async throws {
    let scene = try await Scene()
    let seat = try await scene.calls.join(scene.guest()).seat
    for kind in CallSignal.allCases {
      let long = String(repeating: "x", count: kind.bodyMax + 1)
      let refusal = try await problem { try await scene.calls.signal(kind, long, by: scene.guest(), seat: seat) }
      #expect(refusal?.fields.map(\.pointer) == ["/body"])
    }
    try await scene.calls.signal(.answer, "192.0.2.77", by: scene.guest(), seat: seat)
    let kept = try await scene.app.core.database.query("SELECT payload FROM live_event ORDER BY sequence")
    #expect(kept.count == 2)
    for row in kept {
      let payload: Data = try row.get("payload")
      #expect(payload.range(of: Data("192.0.2.77".utf8)) == nil)
    }
    let id = scene.id
    _ = try await scene.app.core.database.write {
      try $0.execute("UPDATE call_seat SET signals = 400 WHERE appointment_id = \(id)")
    }
    let refusal = try await problem { try await scene.calls.signal(.candidate, "{}", by: scene.guest(), seat: seat) }
    #expect(refusal?.category == .rateLimited)
    // Who loads the page anew begins to count anew, as often as sixty times.
    #expect(try await scene.calls.join(scene.guest()).seat == 2)
    _ = try await scene.app.core.database.write {
      try $0.execute("UPDATE call_seat SET number = 60 WHERE appointment_id = \(id)")
    }
    #expect(try await problem { try await scene.calls.join(scene.guest()) }?.category == .rateLimited)
  }

  @Test("it opens five minutes before its time, and not after it was missed, called off or is four hours old")
  func times() async throws {
    let scene = try await Scene()
    let start = Instant(AgentTestApp.slot())
    for (time, isOpen, isToCome) in [
      (start - .minutes(5) - .milliseconds(1), false, true), (start - .minutes(5), true, false),
      (start + .minutes(30), true, false), (start + .minutes(30) + .milliseconds(1), false, false),
    ] {
      scene.app.clock.set(time)
      let look = try await scene.calls.look(scene.guest())
      #expect(look.isOpen == isOpen && look.isToCome == isToCome)
      let refusal = try await problem { try await scene.calls.join(scene.guest()) }
      #expect(refusal?.code == (isOpen ? nil : "step-out-of-order"))
    }
    scene.app.clock.set(start)
    _ = try await scene.calls.join(scene.desk)
    let seat = try await scene.calls.join(scene.guest()).seat
    try await scene.calls.connected(scene.desk, seat: 1)
    try await scene.calls.connected(scene.guest(), seat: seat)
    scene.app.clock.set(start + .hours(4))
    #expect(try await scene.calls.look(scene.guest()).isOpen == false)
  }

  @Test("the audit names each who joins, and a colleague who takes the seat over is connected anew")
  func takeover() async throws {
    let scene = try await Scene()
    let colleague = try await scene.app.agent("colleague@bank.example")
    let other = CallParty.agent(scene.id, member: colleague.member.id.rawValue, session: "s")
    // A page that is loaded anew stays the same browser.
    for seat in [Int64(1), 2] {
      #expect(try await scene.calls.join(scene.desk).seat == seat)
      try await scene.calls.connected(scene.desk, seat: seat)
    }
    #expect(try await scene.calls.join(other).seat == 3)
    #expect(try await scene.calls.look(other).seats.map(\.connectedAt) == [nil])
    try await scene.calls.connected(other, seat: 3)
    let seats = try await scene.calls.look(other).seats
    #expect(seats.map(\.member) == [colleague.member.id.rawValue] && seats.allSatisfy { $0.connectedAt != nil })
    let lines = try await scene.app.core.database.read { [customer = scene.customer] tx in
      try AuditStore(tx).lines(of: customer.id.rawValue).filter { $0.action.hasPrefix("call.") }
    }
    #expect(lines.map(\.action) == ["call.joined", "call.connected", "call.joined", "call.joined", "call.connected"])
    let (first, second) = (scene.agent.member.actor, colleague.member.actor)
    #expect(lines.map(\.actor) == [first, first, first, second, second])
    #expect(lines.compactMap { $0.facts["seat"] } == ["1", "2", "3"])
  }

  @Test(
    "whatever ends a call on another page or by the API ends it in both browsers",
    arguments: ["verdict", "end", "cancel", "customer", "missed", "left"])
  func endedElsewhere(way: String) async throws {
    let scene = try await Scene(["end", "left"].contains(way) ? .help : .verification)
    let (app, desk) = (scene.app, try await scene.calls.join(scene.desk))
    let guest = try await scene.calls.join(scene.guest())
    if ["verdict", "end", "left"].contains(way) {
      try await scene.calls.connected(scene.desk, seat: desk.seat)
      try await scene.calls.connected(scene.guest(), seat: guest.seat)
    }
    try await scene.calls.signal(.candidate, "{}", by: scene.desk, seat: desk.seat)
    switch way {
    case "verdict": #expect(try await scene.verdict() == nil)
    case "end": _ = try await app.rubix.agentCalls.end(scene.id, by: scene.agent)
    case "cancel": _ = try await app.rubix.agentCalls.cancel(scene.id, by: scene.agent)
    case "customer": _ = try await app.calls.cancel(app.request(scene.customer))
    default:
      // A call for help that runs is ended for its length, and was not missed.
      app.clock.advance(by: .hours(way == "left" ? 5 : 2))
      #expect(try await app.rubix.missedCalls.sweep() == (way == "left" ? 0 : 1))
    }
    #expect(try await scene.events(scene.guest(), guest) == [.ended])
    #expect(try await scene.events(scene.desk, desk) == [.ended])
    #expect(try await scene.calls.look(scene.desk).seats.allSatisfy { $0.endedAt != nil })
    #expect(try await app.count("SELECT COUNT(*) AS n FROM live_event WHERE topic LIKE 'call:%'") == 0)
    #expect(try await app.actions(of: scene.customer).filter { $0 == "call.ended" }.count == 1)
  }

  @Test("a browser that has read every note is told of the end too")
  func quietEnd() async throws {
    let scene = try await Scene()
    _ = try await scene.calls.join(scene.desk)
    let guest = try await scene.calls.join(scene.guest())
    try await scene.calls.end(scene.desk)
    #expect(try await scene.events(scene.guest(), guest) == [.ended])
  }

  @Test("a call for help ends with the call; no agent of another institution or in the own case sits in one")
  func help() async throws {
    let scene = try await Scene(.help)
    _ = try await scene.calls.join(scene.desk)
    _ = try await scene.calls.join(scene.guest())
    try await scene.calls.connected(scene.desk, seat: 1)
    try await scene.calls.connected(scene.guest(), seat: 1)
    for (member, code) in [
      (try await scene.app.agent("reader@bank.example", may: [.readCustomers]), "forbidden"),
      (try await scene.app.agent("erika@example.com"), "forbidden"),
      (try await scene.app.agent("far@bank.example", tenant: "other"), "not-found"),
    ] {
      let party = CallParty.agent(scene.id, member: member.member.id.rawValue, session: "s")
      #expect(try await problem { try await scene.calls.join(party) }?.code == code)
    }
    try await scene.calls.end(scene.desk)
    let answer = try await scene.calls.look(scene.guest())
    #expect(answer.admission.call.status == .done && !answer.isOpen)
  }
}

extension CallRoomTests {
  @Test("where calls are held elsewhere, our pages know none")
  func elsewhere() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    let call = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot()))
    ).view(AppointmentView.self)
    app.clock.set(Instant(AgentTestApp.slot()))
    let calls = app.rubix.browserCalls(staff: app.staff)
    for party in [
      CallParty.customer(.init(rawValue: call.id), secret: "s"),
      .agent(.init(rawValue: call.id), member: agent.member.id.rawValue, session: "s"),
    ] {
      #expect(try await problem { try await calls.join(party) }?.code == "not-found")
    }
  }
}
