import RubixWire
import HTTP
import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: screening")
struct ScreeningTests {
  private static let partner = PartnerCredentials(name: "provider", password: "between us")

  private func callback(_ house: DeskHouse) -> ScreeningCallback {
    house.rubix.screeningCallback(house.screenings, partner: Self.partner)
  }

  private func alert(_ status: ScreeningStatus, _ reference: String = "ref-1") throws -> RequestContent {
    try DeskHouse.content(ScreeningAlertCallback(referenceNo: reference, responseCode: "OK.1", status: status))
  }

  @Test("a clean result leads to the forms, and is not asked for again for a day")
  func clean() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .awaitingScreening)
    let first = try await house.screenings.screen(house.request(customer))
    #expect(try first.view(CustomerScreening.self).status == .clean)
    let application = try await house.application(of: customer)
    #expect(application.phase == .submittingForms)
    #expect(application.lastStep == .amlScreeningSuccessful)
    #expect(application.screenedAt == house.clock.now)
    house.clock.advance(by: .hours(23))
    _ = try await house.screenings.screen(house.request(customer))
    #expect(house.provider.withLock { $0.searches } == 1)
    house.clock.advance(by: .hours(2))
    _ = try await house.screenings.screen(house.request(customer))
    #expect(house.provider.withLock { $0.searches } == 2)
  }

  @Test("a hit stops the application, and its subject learns nothing of it")
  func hit() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .awaitingScreening)
    house.provider.withLock { $0.outcome = DeskHouse.hits(1) }
    let answer = try await house.screenings.screen(house.request(customer))
    #expect(answer.text.contains("under_review"))
    for secret in ["OFAC", "LISTED", "0.9", "sanction", "match"] { #expect(!answer.text.contains(secret)) }
    let application = try await house.application(of: customer)
    #expect(application.phase == .reviewingScreening)
    #expect(application.lastStep == .amlScreeningFailed)
    #expect(application.reviewReason == .screening)
    #expect(try await house.screenings.current(for: customer).status == .underReview)
    let again = try await problem { try await house.screenings.screen(house.request(customer)) }
    #expect(again?.code == "application-in-review")
  }

  @Test("a provider that fails changes nothing, and may be asked again")
  func failure() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .awaitingScreening)
    house.provider.withLock { $0.outcome = .failed(reason: "the list is gone") }
    let key = house.clock.world.uuid()
    let refusal = try await problem { try await house.screenings.screen(house.request(customer, key: key)) }
    #expect(refusal?.code == "provider-error")
    #expect(refusal?.category == .providerFailed)
    #expect(try await house.application(of: customer).phase == .awaitingScreening)
    #expect(try await house.actions(of: customer).isEmpty)
    house.provider.withLock { $0.outcome = DeskHouse.clean }
    _ = try await house.screenings.screen(house.request(customer, key: key))
    #expect(try await house.application(of: customer).phase == .submittingForms)
  }

  @Test("a pending result moves nothing until the provider calls back, and a repeated call changes nothing")
  func pending() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .awaitingScreening)
    house.provider.withLock { $0.outcome = .pending(referenceNo: "ref-1") }
    let answer = try await house.screenings.screen(house.request(customer))
    #expect(try answer.view(CustomerScreening.self).status == .pending)
    #expect(try await house.application(of: customer).phase == .awaitingScreening)
    try await callback(house).receive(try alert(.clean), from: Self.partner)
    #expect(try await house.application(of: customer).phase == .submittingForms)
    let lines = try await house.actions(of: customer)
    try await callback(house).receive(try alert(.potentialMatch), from: Self.partner)
    #expect(try await house.application(of: customer).phase == .submittingForms)
    #expect(try await house.actions(of: customer) == lines)
  }

  @Test("a late callback is kept and reopens nothing")
  func late() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .awaitingScreening)
    house.provider.withLock { $0.outcome = .pending(referenceNo: "ref-1") }
    _ = try await house.screenings.screen(house.request(customer))
    try await house.core.database.write { tx in
      var dossier = try house.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx)
      try house.rubix.applications.move(&dossier, on: .superseded, by: "system", in: tx)
      try house.rubix.applications.save(&dossier, in: tx)
    }
    try await callback(house).receive(try alert(.trueMatch), from: Self.partner)
    #expect(try await house.application(of: customer).phase == .abandoned)
    #expect(try await house.actions(of: customer).last == "screening.answered_late")
  }

  @Test(
    "only the partner may call back",
    arguments: [nil, PartnerCredentials(name: "provider", password: "wrong"), .init(name: "", password: "")])
  func strangers(caller: PartnerCredentials?) async throws {
    let house = try await DeskHouse()
    let body = try alert(.clean)
    let refusal = try await problem { try await callback(house).receive(body, from: caller) }
    #expect(refusal?.category == .unauthenticated)
    let closed = house.rubix.screeningCallback(house.screenings, partner: nil)
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
    try DeskHouse.content(ScreeningDecisionRequest(hits: hits, notes: "Another year of birth."))
  }

  private func reviewed(_ house: DeskHouse, hits: Int) async throws -> Customer {
    let customer = try await house.customer(at: .awaitingScreening)
    house.provider.withLock { $0.outcome = DeskHouse.hits(hits) }
    _ = try await house.screenings.screen(house.request(customer))
    return customer
  }

  @Test("false positives all, and the customer goes on; a second decision is refused")
  func cleared() async throws {
    let house = try await DeskHouse()
    let (customer, officer) = (try await reviewed(house, hits: 2), try await house.agent())
    let open = try await house.decisions.decide(customer.id, decision(hit(1, .falsePositive)), by: officer)
    #expect(open.status == .potentialMatch)
    #expect(try await house.application(of: customer).phase == .reviewingScreening)
    let closed = try await house.decisions.decide(customer.id, decision(hit(2, .falsePositive)), by: officer)
    #expect(closed.status == .clean)
    let application = try await house.application(of: customer)
    #expect(application.phase == .submittingForms)
    #expect(application.completedSteps.suffix(1) == [.amlScreeningSuccessful])
    #expect(!application.completedSteps.contains(.amlScreeningFailed))
    let body = try decision(hit(2, .falsePositive))
    let again = try await problem { try await house.decisions.decide(customer.id, body, by: officer) }
    #expect(again?.code == "step-already-completed")
  }

  @Test("one true match rejects and calls the booked call off")
  func confirmed() async throws {
    let house = try await DeskHouse()
    let officer = try await house.agent()
    let customer = try await house.customer(at: .awaitingAppointment)
    _ = try await house.calls.book(house.request(customer, AppointmentRequest(callTime: DeskHouse.slot())))
    house.provider.withLock { $0.outcome = DeskHouse.hits(1) }
    _ = try await house.screenings.screen(house.request(customer))
    _ = try await house.decisions.decide(customer.id, decision(hit(1, .trueMatch)), by: officer)
    #expect(try await house.application(of: customer).status == .rejected)
    #expect(try await house.effects().sorted() == ["rubix.notifyRejected", "rubix.scheduleErasure"])
    let live = try await house.core.database.read { tx in
      try house.rubix.applications.appointments(of: customer.tenant).current(for: customer.id.rawValue, in: tx)
    }
    #expect(live == nil)
    #expect(try await house.screenings.current(for: customer).status == .underReview)
  }

  @Test("not without the permission, not in one's own case, not of another bank")
  func forbidden() async throws {
    let house = try await DeskHouse()
    let customer = try await reviewed(house, hits: 1)
    let body = try decision(hit(1, .falsePositive))
    for (agent, code) in [
      (try await house.agent("reader@bank.example", may: [.readCustomers]), "forbidden"),
      (try await house.agent("Erika@Example.com"), "forbidden"),
      (try await house.agent("far@bank.example", tenant: "other"), "not-found"),
    ] {
      let refusal = try await problem { try await house.decisions.decide(customer.id, body, by: agent) }
      #expect(refusal?.code == code)
    }
    #expect(try await house.application(of: customer).phase == .reviewingScreening)
  }

  @Test("hits that are not there, named twice or left open are refused")
  func invalid() async throws {
    let house = try await DeskHouse()
    let (customer, officer) = (try await reviewed(house, hits: 1), try await house.agent())
    for body in [
      try decision(hit(9, .falsePositive)), try decision(hit(1, .open)),
      try decision(hit(1, .falsePositive), hit(1, .trueMatch)), try decision(),
    ] {
      let refusal = try await problem { try await house.decisions.decide(customer.id, body, by: officer) }
      #expect(refusal?.code == "validation-failed")
    }
  }
}
