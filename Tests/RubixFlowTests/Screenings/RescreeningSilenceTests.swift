// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Kit
import RubixWire
import Screening
import Storage
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: what a change of a list finds, its customer does not notice")
struct RescreeningSilenceTests {
  private static let countries = CountryNames([("DE", "DEU", ["Germany"])])

  /// Searches for every customer in a list that has this name.
  private func rescreen(
    _ app: AgentTestApp, for name: String = "Erika Mustermann", version: String = "1",
    customers: (any ScreenedCustomers)? = nil
  ) async throws {
    let list = try WatchList(
      Data("ref,name\n1,\(name)\n".utf8), version: .init(code: "OWN", version: version), countries: Self.countries)
    try await Rescreening(
      app.core, source: ScreeningSource([list], countries: Self.countries), lists: ScreeningLists(app.core),
      customers: [customers ?? app.rubix.screened]
    ).run()
  }

  private func cases(_ app: AgentTestApp, _ customer: Customer) async throws -> [Screening.Case] {
    let screening = Screening(app.core)
    return try await app.core.database.read { try screening.cases(of: customer.id.rawValue, in: $0) }
  }

  private func desk(_ app: AgentTestApp) -> ScreeningCaseService {
    ScreeningCaseService(app.core, customers: [app.rubix.screened])
  }

  /// A customer who was found clean and goes on from there.
  private func clean(
    _ app: AgentTestApp, at phase: ApplicationPhase, email: String = "erika@example.com"
  ) async throws -> Customer {
    let customer = try await app.customer(at: .awaitingScreening, email: email)
    _ = try await app.screenings.screen(app.request(customer))
    if phase != .submittingForms { try await app.put(customer, at: phase) }
    return customer
  }

  /// Everything that a customer is told: answers, messages and their rights' export.
  private func seen(_ app: AgentTestApp, _ customer: Customer) async throws -> [String] {
    let current = try WireJSON.encode(try await app.screenings.current(for: customer))
    let me = try await app.rubix.views().me(customer)
    let export = try await app.exporter.export(customer.id, of: customer.tenant, by: "operator").customer
    let history = export.history.map(\.action).filter { $0 != "customer.exported" }
    let messages = try await app.effects().filter { $0.hasPrefix("rubix.") }
    return [String(decoding: current, as: UTF8.self), String(decoding: me, as: UTF8.self)]
      + [String(decoding: try WireJSON.encode(export.screenings), as: UTF8.self)] + history + messages
  }

  @Test(
    "answers, messages and exports are the same before and after the hit",
    arguments: [ApplicationPhase.submittingForms, .awaitingAppointment, .completed])
  func silent(phase: ApplicationPhase) async throws {
    let app = try await AgentTestApp()
    let customer = try await clean(app, at: phase)
    let before = try await seen(app, customer)
    let application = try await app.application(of: customer)
    app.clock.advance(by: .hours(1))
    try await rescreen(app)
    #expect(try await cases(app, customer).map(\.state) == [.open])
    let work = try #require(app.cases.waiting.first { $0.kind == "screening-hit" })
    #expect(work.person == customer.id.rawValue && work.tenant == "default" && work.email == "erika@example.com")
    #expect(try await seen(app, customer) == before)
    #expect(try await app.application(of: customer) == application)
    // Asking again within the day gives what the customer was told.
    if phase == .submittingForms {
      let again = try await app.screenings.screen(app.request(customer))
      #expect(try again.view(CustomerScreening.self).status == .clean)
    }
    // The officers see it.
    let officer = try await app.agent()
    #expect(try await app.customerReader.view(customer.id, by: officer).screening?.status == .potentialMatch)
    // Cleared by an officer over the API, it is as if nothing had been.
    let body = try AgentTestApp.content(
      ScreeningDecisionRequest(
        hits: [HitDecision(list: "OWN", entityID: "1", disposition: .falsePositive)], notes: "Another person."))
    #expect(try await app.decisions.decide(customer.id, body, by: officer).status == .clean)
    #expect(try await cases(app, customer).map(\.state) == [.falsePositive])
    #expect(try await app.application(of: customer).phase == phase)
  }

  @Test("a true match rejects an application that is under way, and leaves a customer to the bank")
  func trueMatch() async throws {
    for (phase, after) in [
      (ApplicationPhase.submittingForms, ApplicationPhase.rejected), (.completed, .completed),
    ] {
      let app = try await AgentTestApp()
      let customer = try await clean(app, at: phase)
      try await rescreen(app)
      let item = try #require(try await cases(app, customer).first)
      _ = try await desk(app).judge(item.id, .init(.trueMatch, text: "The same passport."), by: "agent:1")
      #expect(try await app.application(of: customer).phase == after)
    }
  }

  @Test("an institution that wants it so has the application wait for an officer, and go on when it is cleared")
  func holds() async throws {
    let app = try await AgentTestApp()
    var tenant = app.tenant
    tenant.screeningHitHolds = true
    let customers = ScreenedApplications(
      core: app.core, applications: Applications(core: app.core, tenants: Tenants([tenant]), callPages: ""))
    let customer = try await clean(app, at: .submittingForms)
    try await rescreen(app, customers: customers)
    #expect(try await app.application(of: customer).phase == .reviewingScreening)
    #expect(try await app.effects().contains("rubix.notifyInReview"))
    let item = try #require(try await cases(app, customer).first)
    let other = Screening.Judgement(.falsePositive, reason: .nameOnly, text: "Another person.")
    _ = try await desk(app).judge(item.id, other, by: "agent:1")
    #expect(try await app.application(of: customer).phase == .submittingForms)
  }

  @Test("where two officers decide, the first verdict over the API waits for the second person")
  func fourEyes() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = AgentTestApp.hits(1) }
    _ = try await app.screenings.screen(app.request(customer))
    let agent = try await app.agent()
    var tenant = agent.tenant
    tenant.screeningNeedsTwo = true
    let officer = Agent(member: agent.member, identity: agent.identity, tenant: tenant)
    let body = try AgentTestApp.content(
      ScreeningDecisionRequest(
        hits: [HitDecision(list: "OFAC_SDN", entityID: "entity-1", disposition: .falsePositive)],
        notes: "Another person."))
    #expect(try await app.decisions.decide(customer.id, body, by: officer).status == .potentialMatch)
    #expect(try await app.application(of: customer).phase == .reviewingScreening)
    let item = try #require(try await cases(app, customer).first)
    #expect(item.state == .awaitingApproval && item.proposedBy == officer.actor)
    let again = try await problem { try await app.decisions.decide(customer.id, body, by: officer) }
    #expect(again?.code == "awaiting-approval")
    let own = try await problem {
      try await desk(app).approve(item.id, .falsePositive, version: item.version, by: officer.actor)
    }
    #expect(own?.code == "same-person")
    _ = try await desk(app).approve(item.id, .falsePositive, version: item.version, by: "agent:2")
    #expect(try await app.application(of: customer).phase == .submittingForms)
  }

  @Test("a customer whose key was destroyed is passed over, and the others are searched for")
  func keyless() async throws {
    let app = try await AgentTestApp()
    let gone = try await clean(app, at: .completed)
    let other = try await clean(app, at: .completed, email: "other@example.com")
    let core = app.core
    let destroyed = try await core.database.write { try core.vault.destroySubjectKey(of: gone.id.rawValue, in: $0) }
    #expect(destroyed != nil)
    try await rescreen(app)
    #expect(try await cases(app, other).map(\.state) == [.open])
    let count = try await core.database.read { try $0.query("SELECT id FROM screening_case").count }
    #expect(count == 1)
  }

  @Test("an applicant with a hit that waits is erased only when the operator asks for it, until the hit is cleared")
  func duty() async throws {
    let app = try await AgentTestApp()
    let customer = try await clean(app, at: .submittingForms)
    let (eraser, database) = (app.erasure, app.core.database)
    func erase() async throws -> CustomerErasure.Outcome {
      try await eraser.erase(customer.id, of: customer.tenant, for: ErasureTests.reason, by: "operator")
    }
    let subject = DataSubject(customer.id.rawValue, of: customer.tenant.id, by: "operator")
    func asked() async throws -> Problem? {
      try await problem { try await database.read { try eraser.requireNoDuty(subject, in: $0) } }
    }
    #expect(try await asked() == nil)
    try await rescreen(app)
    #expect(try await asked()?.code == "duty-to-keep")
    #expect(try await problem { try await erase() }?.code == "duty-to-keep")
    let item = try #require(try await cases(app, customer).first)
    let other = Screening.Judgement(.falsePositive, reason: .nameOnly, text: "Another person.")
    _ = try await desk(app).judge(item.id, other, by: "agent:1")
    #expect(try await asked() == nil)
    #expect(try await erase() == .erased(images: 0, related: []))
  }

  @Test("staff decide on their own institution's customers, and not on themselves")
  func analysts() async throws {
    let app = try await AgentTestApp()
    let customer = try await clean(app, at: .completed)
    let (screened, database) = (app.rubix.screened, app.core.database)
    for (email, tenant, code) in [
      ("officer@bank.example", nil, nil), ("Erika@Example.com", nil, "forbidden"),
      ("far@bank.example", "other", "not-found"),
    ] as [(String, String?, String?)] {
      let member = try await app.agent(email, tenant: tenant).member
      let refusal = try await problem {
        try await database.read { try screened.analyst(member).require(decisionOn: customer.id.rawValue, in: $0) }
      }
      #expect(refusal?.code == code, "\(email)")
    }
  }
}
