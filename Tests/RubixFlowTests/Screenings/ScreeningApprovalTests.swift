// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import RubixWire
import Screening
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: the second person's word on a hit, over the API")
struct ScreeningApprovalTests {
  private struct Desk {
    let app: AgentTestApp
    let customer: Customer
    let approvals: ScreeningApprovals

    /// A customer with a hit that the first officer judged, where two decide.
    init(_ engine: Engine = .current) async throws {
      app = try await AgentTestApp(engine)
      app.provider.withLock { $0.outcome = AgentTestApp.hits(1) }
      customer = try await app.customer(at: .awaitingScreening)
      _ = try await app.screenings.screen(app.request(customer))
      approvals = app.rubix.screeningApprovals
    }

    func judged(by officer: Agent) async throws -> HitCaseView {
      let item = try #require(try await approvals.cases(of: customer.id, by: officer).cases.first)
      let screening = Screening(app.core)
      try await app.core.database.write { tx in
        let found = try #require(try screening.findCase(.init(rawValue: item.case_id), in: tx))
        _ = try screening.judge(
          found, .init(.falsePositive, reason: .nameOnly, text: "Another person."), needsTwo: true,
          by: officer.actor, in: tx)
      }
      return try #require(try await approvals.cases(of: customer.id, by: officer).cases.first)
    }

    func decide(
      _ item: HitCaseView, _ body: String, of other: Customer? = nil, by officer: Agent
    ) async throws -> HitCaseView {
      try await approvals.decide(
        .init(rawValue: item.case_id), of: (other ?? customer).id, RequestContent(bytes: Data(body.utf8)), by: officer)
    }
  }

  private static func approval(
    _ item: HitCaseView, of disposition: String = "false_positive", version: Int? = nil
  ) -> String {
    #"{"decision":"approve","disposition":"\#(disposition)","version":\#(version ?? item.version)}"#
  }

  @Test("another officer agrees and the customer goes on; the one who judged is refused", arguments: Engine.available)
  func approved(engine: Engine) async throws {
    let desk = try await Desk(engine)
    let (first, second) = (try await desk.app.agent(), try await desk.app.agent("second@bank.example"))
    let item = try await desk.judged(by: first)
    #expect(item.state == "awaiting_approval" && item.proposal == "false_positive")
    #expect(item.proposed_by == first.actor && item.notes.map(\.text) == ["Another person."])
    let own = try await problem { try await desk.decide(item, Self.approval(item), by: first) }
    #expect(own?.code == "same-person")
    let decided = try await desk.decide(item, Self.approval(item), by: second)
    #expect(decided.state == "false_positive" && decided.proposal == nil)
    let phase = try await desk.app.application(of: desk.customer).phase
    #expect(phase != .reviewingScreening && phase.isOpen)
    let again = try await problem { try await desk.decide(decided, Self.approval(decided), by: second) }
    #expect(again?.code == "step-already-completed")
  }

  @Test("what changed since is not agreed to, nor another verdict, another customer's hit, or without the permission")
  func refused() async throws {
    let desk = try await Desk()
    let first = try await desk.app.agent()
    let second = try await desk.app.agent("second@bank.example")
    let caller = try await desk.app.agent("caller@bank.example", may: [.attendVideo, .readCustomers])
    let far = try await desk.app.agent("far@bank.example", tenant: "other")
    let item = try await desk.judged(by: first)
    let version = item.version
    let bodies: [(String, Agent, String)] = [
      (Self.approval(item, version: version - 1), second, "case-changed"),
      (Self.approval(item, of: "true_match"), second, "case-changed"),
      (Self.approval(item, of: "open"), second, "validation-failed"),
      (#"{"decision":"shrug","version":\#(version)}"#, second, "validation-failed"),
      (#"{"decision":"give_back","version":\#(version)}"#, second, "validation-failed"),
      (Self.approval(item), caller, "forbidden"), (Self.approval(item), far, "not-found"),
    ]
    for (body, officer, code) in bodies {
      #expect(try await problem { try await desk.decide(item, body, by: officer) }?.code == code)
    }
    let stranger = try await desk.app.customer(at: .submittingForms, email: "bruno@example.com")
    let other = try await problem { try await desk.decide(item, Self.approval(item), of: stranger, by: second) }
    #expect(other?.code == "not-found")
    let back = try await desk.decide(
      item, #"{"decision":"give_back","version":\#(version),"notes":"Look at the passport."}"#, by: second)
    #expect(back.state == "open" && back.notes.map(\.text) == ["Another person.", "Look at the passport."])
    let late = try await problem { try await desk.decide(back, Self.approval(back), by: second) }
    #expect(late?.code == "no-proposal")
  }

  @Test(
    "the proposal of an officer who was suspended since, or may decide no more, is given back and not agreed to",
    arguments: Engine.available, [true, false])
  func proposerGone(engine: Engine, isSuspended: Bool) async throws {
    let desk = try await Desk(engine)
    let (first, second) = (try await desk.app.agent(), try await desk.app.agent("second@bank.example"))
    let item = try await desk.judged(by: first)
    let staff = desk.app.staff
    try await desk.app.core.database.write { tx in
      if isSuspended {
        try staff.setActive(false, of: first.member.id, by: "operator", in: tx)
      } else {
        try staff.setPermissions([.readCustomers], of: first.member.id, by: "operator", in: tx)
      }
    }
    let refusal = try await problem { try await desk.decide(item, Self.approval(item), by: second) }
    #expect(refusal?.code == "no-proposal")
    // The command line and the console go by the other rule.
    let (screened, core) = (desk.app.rubix.screened, desk.app.core)
    let atDesk = try await problem {
      try await ScreeningCaseService(core, customers: [screened]).approve(
        .init(rawValue: item.case_id), .falsePositive, version: item.version, by: second.actor,
        under: screened.analyst(second.member))
    }
    #expect(atDesk?.code == "no-proposal")
    let back = try await desk.decide(
      item, #"{"decision":"give_back","version":\#(item.version),"notes":"Look again."}"#, by: second)
    #expect(back.state == "open")
    // Two who may, decide.
    let again = try await desk.judged(by: second)
    let third = try await desk.app.agent("third@bank.example")
    #expect(try await desk.decide(again, Self.approval(again), by: third).state == "false_positive")
  }

  @Test("an officer is told since which version an entry is off its list, and when the whole list was removed")
  func delisted() async throws {
    let desk = try await Desk()
    let (officer, lists) = (try await desk.app.agent(), ScreeningLists(desk.app.core))
    func update(_ row: String, _ version: String) async throws {
      desk.app.clock.advance(by: .minutes(1))
      let file = ListReader.File(name: "sdn.csv", bytes: Data("ref,name\n\(row)\n".utf8))
      let readings = try ListReader.read([file], code: "OFAC_SDN", version: version, countries: CountryNames([]))
      _ = try await lists.update(readings, by: "operator:test")
    }
    func shown() async throws -> [String?] {
      let item = try #require(try await desk.approvals.cases(of: desk.customer.id, by: officer).cases.first)
      return [item.delisted_since, item.list_removed_at]
    }
    try await update("entity-1,ERIKA LISTED", "2026-11-20")
    #expect(try await shown() == [nil, nil])
    try await update("entity-2,BRUNO OTHER", "2026-11-21")
    #expect(try await shown() == ["2026-11-21", nil])
    try await update("entity-1,ERIKA LISTED AGAIN", "2026-11-22")
    #expect(try await shown() == [nil, nil])
    desk.app.clock.advance(by: .minutes(1))
    _ = try await lists.remove("OFAC_SDN", takesLast: true, by: "operator:test")
    #expect(try await shown() == [nil, desk.app.clock.now.rfc3339])
  }
}
