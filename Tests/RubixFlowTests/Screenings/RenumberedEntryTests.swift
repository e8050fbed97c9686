// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import RubixWire
import Screening
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: an applicant's hits of which the last search has not all")
struct RenumberedEntryTests {
  private static func outcome(of entities: String...) -> Screening.Outcome {
    let hits = entities.map { entity in
      Screening.Hit(
        list: "OFAC_SDN", entityID: entity, caption: "ERIKA LISTED", score: 0.91, topics: ["sanction"],
        nameScore: 0.95, dateOfBirth: .year, nationality: true, documentNumber: false)
    }
    return .screened(.init(lists: [.init(code: "OFAC_SDN", version: "2026-11-21")], threshold: 0.85, hits: hits))
  }

  private static func verdict(_ entity: String, _ disposition: HitDisposition = .falsePositive) throws -> RequestContent
  {
    try AgentTestApp.content(
      ScreeningDecisionRequest(
        hits: [HitDecision(list: "OFAC_SDN", entityID: entity, disposition: disposition)], notes: "Another person."))
  }

  /// An applicant whose entry has another number in the list since their own search.
  private func renumbered(_ app: AgentTestApp) async throws -> Customer {
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = Self.outcome(of: "old") }
    _ = try await app.screenings.screen(app.request(customer))
    try await app.core.database.write { [core = app.core] tx in
      let screening = Screening(core)
      let seen = try #require(try screening.latest(for: customer.id.rawValue, in: tx))
      _ = try screening.record(
        Self.outcome(of: "new"), of: seen.subject, for: customer.id.rawValue, origin: .listChange, in: tx)
    }
    return customer
  }

  private func states(_ app: AgentTestApp, _ customer: Customer) async throws -> [String: Screening.CaseState] {
    try await app.core.database.read { [core = app.core] tx in
      Dictionary(
        uniqueKeysWithValues: try Screening(core).cases(of: customer.id.rawValue, in: tx).map {
          ($0.hit.entityID, $0.state)
        })
    }
  }

  @Test("it goes on when each of them was decided, the earlier one over the API too", arguments: Engine.available)
  func waits(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let (customer, officer) = (try await renumbered(app), try await app.agent())
    _ = try await app.decisions.decide(customer.id, Self.verdict("new"), by: officer)
    #expect(try await states(app, customer) == ["old": .open, "new": .falsePositive])
    #expect(try await app.application(of: customer).phase == .reviewingScreening)

    let body = try Self.verdict("third")
    let unknown = try await problem { try await app.decisions.decide(customer.id, body, by: officer) }
    #expect(unknown?.code == "validation-failed")
    _ = try await app.decisions.decide(customer.id, Self.verdict("old"), by: officer)
    #expect(try await states(app, customer) == ["old": .falsePositive, "new": .falsePositive])
    let application = try await app.application(of: customer)
    #expect(application.phase == .submittingForms && application.completedSteps.last == .amlScreeningSuccessful)
    let again = try Self.verdict("old", .trueMatch)
    let late = try await problem { try await app.decisions.decide(customer.id, again, by: officer) }
    #expect(late?.code == "step-already-completed")
  }

  @Test("the same verdict on the earlier one again changes nothing, and another one is refused")
  func again() async throws {
    let app = try await AgentTestApp()
    let (customer, officer) = (try await renumbered(app), try await app.agent())
    for _ in 0..<2 {
      _ = try await app.decisions.decide(customer.id, Self.verdict("old"), by: officer)
      #expect(try await states(app, customer) == ["old": .falsePositive, "new": .open])
    }
    let body = try Self.verdict("old", .trueMatch)
    let other = try await problem { try await app.decisions.decide(customer.id, body, by: officer) }
    #expect(other?.code == "step-already-completed")
  }

  @Test("a true match on the earlier one rejects, though the last search has another entry")
  func matched() async throws {
    let app = try await AgentTestApp()
    let (customer, officer) = (try await renumbered(app), try await app.agent())
    _ = try await app.decisions.decide(customer.id, Self.verdict("old", .trueMatch), by: officer)
    #expect(try await app.application(of: customer).phase == .rejected)
  }

  @Test("where two officers decide, the second one's word on the earlier one lets it go on")
  func twoOfficers() async throws {
    let app = try await AgentTestApp()
    let customer = try await renumbered(app)
    let (agent, second) = (try await app.agent(), try await app.agent("second@bank.example"))
    var tenant = agent.tenant
    tenant.screeningNeedsTwo = true
    let officer = Agent(member: agent.member, identity: agent.identity, tenant: tenant)
    for entity in ["old", "new"] {
      _ = try await app.decisions.decide(customer.id, Self.verdict(entity), by: officer)
    }
    #expect(try await states(app, customer).values.allSatisfy { $0 == .awaitingApproval })
    for number in [0, 1] {
      #expect(try await app.application(of: customer).phase == .reviewingScreening, "\(number)")
      let item = try #require(
        try await app.rubix.screeningApprovals.cases(of: customer.id, by: second).cases
          .first { $0.state == "awaiting_approval" })
      let body = #"{"decision":"approve","disposition":"false_positive","version":\#(item.version)}"#
      _ = try await app.rubix.screeningApprovals.decide(
        .init(rawValue: item.case_id), of: customer.id, RequestContent(bytes: Data(body.utf8)), by: second)
    }
    #expect(try await app.application(of: customer).phase == .submittingForms)
  }
}
