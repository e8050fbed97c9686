// SPDX-License-Identifier: Apache-2.0

import RubixWire
import HTTP
import Kit
import Screening
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: screening")
struct ScreeningTests {
  private static let partner = PartnerCredentials(name: "provider", password: "between us")

  private func callback(_ app: AgentTestApp) -> ScreeningCallback {
    app.rubix.screeningCallback(app.screenings, partner: Self.partner)
  }

  private func alert(_ status: ScreeningStatus, _ reference: String = "ref-1") throws -> RequestContent {
    try AgentTestApp.content(ScreeningAlertCallback(referenceNo: reference, responseCode: "OK.1", status: status))
  }

  @Test("a clean result leads to the forms, and is not asked for again for a day")
  func clean() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    let first = try await app.screenings.screen(app.request(customer))
    #expect(try first.view(CustomerScreening.self).status == .clean)
    let application = try await app.application(of: customer)
    #expect(application.phase == .submittingForms)
    #expect(application.lastStep == .amlScreeningSuccessful)
    #expect(application.screenedAt == app.clock.now)
    app.clock.advance(by: .hours(23))
    _ = try await app.screenings.screen(app.request(customer))
    #expect(app.provider.withLock { $0.searches } == 1)
    app.clock.advance(by: .hours(2))
    _ = try await app.screenings.screen(app.request(customer))
    #expect(app.provider.withLock { $0.searches } == 2)
  }

  @Test("a hit stops the application, and its subject learns nothing of it")
  func hit() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = AgentTestApp.hits(1) }
    let answer = try await app.screenings.screen(app.request(customer))
    #expect(answer.text.contains("under_review"))
    for secret in ["OFAC", "LISTED", "0.9", "sanction", "match"] { #expect(!answer.text.contains(secret)) }
    let application = try await app.application(of: customer)
    #expect(application.phase == .reviewingScreening)
    #expect(application.lastStep == .amlScreeningFailed)
    #expect(application.reviewReason == .screening)
    #expect(try await app.screenings.current(for: customer).status == .underReview)
    let again = try await problem { try await app.screenings.screen(app.request(customer)) }
    #expect(again?.code == "application-in-review")
  }

  @Test("a provider that fails changes nothing, and may be asked again")
  func failure() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = .failed(reason: "the list is gone") }
    let key = app.clock.world.uuid()
    let refusal = try await problem { try await app.screenings.screen(app.request(customer, key: key)) }
    #expect(refusal?.code == "provider-error")
    #expect(refusal?.category == .providerFailed)
    #expect(try await app.application(of: customer).phase == .awaitingScreening)
    #expect(try await app.actions(of: customer).isEmpty)
    app.provider.withLock { $0.outcome = AgentTestApp.clean }
    _ = try await app.screenings.screen(app.request(customer, key: key))
    #expect(try await app.application(of: customer).phase == .submittingForms)
  }

  @Test("a pending result moves nothing until the provider calls back, and a repeated call changes nothing")
  func pending() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = .pending(referenceNo: "ref-1") }
    let answer = try await app.screenings.screen(app.request(customer))
    #expect(try answer.view(CustomerScreening.self).status == .pending)
    #expect(try await app.application(of: customer).phase == .awaitingScreening)
    try await callback(app).receive(try alert(.clean), from: Self.partner)
    #expect(try await app.application(of: customer).phase == .submittingForms)
    let lines = try await app.actions(of: customer)
    try await callback(app).receive(try alert(.potentialMatch), from: Self.partner)
    #expect(try await app.application(of: customer).phase == .submittingForms)
    #expect(try await app.actions(of: customer) == lines)
  }

  @Test("a late callback is kept and reopens nothing")
  func late() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = .pending(referenceNo: "ref-1") }
    _ = try await app.screenings.screen(app.request(customer))
    try await app.core.database.write { tx in
      var dossier = try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx)
      try app.rubix.applications.move(&dossier, on: .superseded, by: "system", in: tx)
      try app.rubix.applications.save(&dossier, in: tx)
    }
    try await callback(app).receive(try alert(.trueMatch), from: Self.partner)
    #expect(try await app.application(of: customer).phase == .abandoned)
    #expect(try await app.actions(of: customer).last == "screening.answered_late")
  }

  @Test(
    "only the partner may call back",
    arguments: [nil, PartnerCredentials(name: "provider", password: "wrong"), .init(name: "", password: "")])
  func strangers(caller: PartnerCredentials?) async throws {
    let app = try await AgentTestApp()
    let body = try alert(.clean)
    let refusal = try await problem { try await callback(app).receive(body, from: caller) }
    #expect(refusal?.category == .unauthenticated)
    let closed = app.rubix.screeningCallback(app.screenings, partner: nil)
    #expect(try await problem { try await closed.receive(body, from: caller) }?.category == .unauthenticated)
  }

  @Test("Basic credentials are read from their field, and from nothing else", .storeless)
  func basic() {
    let read = PartnerCredentials(authorization: "Basic cHJvdmlkZXI6YmV0d2VlbjogdXM=")
    #expect(read?.name == "provider")
    #expect(read?.password == "between: us")
    for field in [nil, "", "Bearer abc", "Basic ?", "Basic cHJvdmlkZXI="] {
      #expect(PartnerCredentials(authorization: field) == nil)
    }
  }
}

@Suite("Rubix: an officer decides on hits")
struct ScreeningDecisionTests {
  private func hit(_ number: Int, _ disposition: HitDisposition) -> HitDecision {
    HitDecision(list: "OFAC_SDN", entityID: "entity-\(number)", disposition: disposition)
  }

  private func decision(_ hits: HitDecision...) throws -> RequestContent {
    try AgentTestApp.content(ScreeningDecisionRequest(hits: hits, notes: "Another year of birth."))
  }

  private func reviewed(_ app: AgentTestApp, hits: Int) async throws -> Customer {
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = AgentTestApp.hits(hits) }
    _ = try await app.screenings.screen(app.request(customer))
    return customer
  }

  @Test("false positives all, and the customer goes on; a second decision is refused")
  func cleared() async throws {
    let app = try await AgentTestApp()
    let (customer, officer) = (try await reviewed(app, hits: 2), try await app.agent())
    let open = try await app.decisions.decide(customer.id, decision(hit(1, .falsePositive)), by: officer)
    #expect(open.status == .potentialMatch)
    #expect(try await app.application(of: customer).phase == .reviewingScreening)
    let closed = try await app.decisions.decide(customer.id, decision(hit(2, .falsePositive)), by: officer)
    #expect(closed.status == .clean)
    let application = try await app.application(of: customer)
    #expect(application.phase == .submittingForms)
    #expect(application.completedSteps.suffix(1) == [.amlScreeningSuccessful])
    #expect(!application.completedSteps.contains(.amlScreeningFailed))
    let body = try decision(hit(2, .falsePositive))
    let again = try await problem { try await app.decisions.decide(customer.id, body, by: officer) }
    #expect(again?.code == "step-already-completed")
  }

  @Test("a verdict on a result that another one has replaced is refused, and nothing is decided")
  func replaced() async throws {
    let app = try await AgentTestApp()
    let (customer, officer) = (try await reviewed(app, hits: 1), try await app.agent())
    func latest() async throws -> Screening.Record {
      try await app.core.database.read { [core = app.core] tx in
        try #require(try Screening(core).latest(for: customer.id.rawValue, in: tx))
      }
    }
    let seen = try await latest()
    try await app.core.database.write { [core = app.core] tx in
      _ = try Screening(core).record(
        AgentTestApp.hits(1), of: seen.subject, for: customer.id.rawValue, origin: .listChange, in: tx)
    }
    func body(_ id: String) throws -> RequestContent {
      try AgentTestApp.content(
        ScreeningDecisionRequest(hits: [hit(1, .falsePositive)], notes: "Another year.", screeningID: id))
    }
    let stale = try body(seen.id.rawValue)
    let refusal = try await problem { try await app.decisions.decide(customer.id, stale, by: officer) }
    #expect(refusal?.code == "case-changed" && refusal?.category == .conflict)
    #expect(try await app.application(of: customer).phase == .reviewingScreening)
    let nonsense = try body("the last one")
    let invalid = try await problem { try await app.decisions.decide(customer.id, nonsense, by: officer) }
    #expect(invalid?.code == "validation-failed")
    let decided = try await app.decisions.decide(customer.id, try body(latest().id.rawValue), by: officer)
    #expect(decided.status == .clean)
    #expect(try await app.application(of: customer).phase == .submittingForms)
  }

  @Test("one true match rejects and calls the booked call off")
  func confirmed() async throws {
    let app = try await AgentTestApp()
    let officer = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    app.provider.withLock { $0.outcome = AgentTestApp.hits(1) }
    _ = try await app.screenings.screen(app.request(customer))
    _ = try await app.decisions.decide(customer.id, decision(hit(1, .trueMatch)), by: officer)
    #expect(try await app.application(of: customer).status == .rejected)
    #expect(
      try await app.effects().sorted() == [
        "rubix.notifyInReview", "rubix.notifyRejected", "rubix.remindOfCall", "rubix.scheduleErasure",
      ])
    let live = try await app.core.database.read { tx in
      try app.rubix.applications.appointments(of: customer.tenant).current(for: customer.id.rawValue, in: tx)
    }
    #expect(live == nil)
    #expect(try await app.screenings.current(for: customer).status == .underReview)
  }

  @Test("not without the permission, not in one's own case, not of another bank")
  func forbidden() async throws {
    let app = try await AgentTestApp()
    let customer = try await reviewed(app, hits: 1)
    let body = try decision(hit(1, .falsePositive))
    for (agent, code) in [
      (try await app.agent("reader@bank.example", may: [.readCustomers]), "forbidden"),
      (try await app.agent("Erika@Example.com"), "forbidden"),
      (try await app.agent("far@bank.example", tenant: "other"), "not-found"),
    ] {
      let refusal = try await problem { try await app.decisions.decide(customer.id, body, by: agent) }
      #expect(refusal?.code == code)
    }
    #expect(try await app.application(of: customer).phase == .reviewingScreening)
  }

  @Test("hits that are not there, named twice or left open are refused")
  func invalid() async throws {
    let app = try await AgentTestApp()
    let (customer, officer) = (try await reviewed(app, hits: 1), try await app.agent())
    for body in [
      try decision(hit(9, .falsePositive)), try decision(hit(1, .open)),
      try decision(hit(1, .falsePositive), hit(1, .trueMatch)), try decision(),
    ] {
      let refusal = try await problem { try await app.decisions.decide(customer.id, body, by: officer) }
      #expect(refusal?.code == "validation-failed")
    }
  }
}
