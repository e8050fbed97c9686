import Foundation
import GatehouseWire
import RubixWire
import HTTP
import Kit
import Testing

@testable import RubixFlow

@Suite("Rubix: how a step is run")
struct StepsTests {
  @Test("the session is checked before the application, that before the order, and the body last")
  func checkOrder() async throws {
    let house = try await DeskHouse()
    let bad = RequestContent(bytes: Data(#"{"surprise":1}"#.utf8))
    func code(_ customer: Customer) async throws -> String? {
      try await problem {
        try await house.screenings.screen(StepRequest(customer: customer, body: bad, idempotencyKey: nil))
      }?.code
    }
    let closed = try await house.customer(at: .expired)
    #expect(try await code(closed) == "application-closed")
    #expect(try await code(house.customer(at: .awaitingReviewCall)) == "application-in-review")
    let early = try await house.customer(at: .capturingSelfies)
    #expect(try await code(early) == "step-out-of-order")
    #expect(try await code(house.customer(at: .awaitingScreening)) == "unknown-field")
    try await house.registration.logout(closed)
    #expect(try await code(closed) == "token-revoked")
    // A refusal stores nothing.
    let application = try await house.application(of: early)
    #expect(application.phase == .capturingSelfies && application.version == 2)
    #expect(try await house.effects().isEmpty)
  }

  @Test("the same key and body get the stored answer, also of a wrong code, which counts once")
  func replay() async throws {
    let house = try await DeskHouse()
    let customer = try await house.registered()
    let code = try await house.code(.sms, of: customer)
    let wrong = VerifyOTPRequest(code: code == "000000" ? "000001" : "000000")
    let key = UUID().uuidString
    let first = try await house.contacts.verify(.sms, house.request(customer, wrong, key: key))
    let again = try await house.contacts.verify(.sms, house.request(customer, wrong, key: key))
    #expect(first.status == 422 && !first.isReplay)
    #expect(again.answer == first.answer && again.isReplay)
    let other = try await problem {
      try await house.contacts.verify(.sms, house.request(customer, VerifyOTPRequest(code: code), key: key))
    }
    #expect(other?.category == .conflict && other?.code == "idempotency-conflict")
    let next = try await house.contacts.verify(.sms, house.request(customer, wrong))
    #expect(try Self.attemptsLeft(first) == 4)
    #expect(try Self.attemptsLeft(next) == 3)
  }

  @Test("a key belongs to its customer and its path")
  func keyScope() async throws {
    let house = try await DeskHouse()
    let key = UUID().uuidString
    let one = try await house.registered()
    let other = try await house.registered(
      house.registerRequest(device: "device-other-0123", contactNo: "+96550005678"))
    for customer in [one, other] {
      let answer = try await house.contacts.send(.sms, house.request(customer, key: key))
      #expect(!answer.isReplay)
    }
    #expect(try await !house.capture.createSession(house.request(one, key: key)).isReplay)
  }

  @Test("a refused step frees its key for the step in its time")
  func released() async throws {
    let house = try await DeskHouse()
    let customer = try await house.registered()
    let key = UUID().uuidString
    let request = try house.request(customer, VerifyOTPRequest(code: "123456"), key: key)
    let refusal = try await problem { try await house.contacts.verify(.sms, request) }
    #expect(refusal?.code == "step-out-of-order")
    _ = try await house.code(.sms, of: customer)
    #expect(try await house.contacts.verify(.sms, request).isReplay == false)
  }

  @Test("a key that is no UUID is refused")
  func badKey() async throws {
    let house = try await DeskHouse()
    let customer = try await house.registered()
    let refusal = try await problem { try await house.contacts.send(.sms, house.request(customer, key: "again")) }
    #expect(refusal?.category == .badRequest)
  }

  @Test("an application that nobody touched for ninety days has expired when its customer comes back")
  func lapsed() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .awaitingReviewAppointment)
    house.clock.advance(by: .days(90))
    let stale = try await house.core.database.read { [house] tx in
      try house.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx).application.phase
    }
    #expect(stale == .awaitingReviewAppointment)
    try await house.core.database.write(retrying: .outdated) { [house] tx in
      _ = try house.rubix.applications.open(customer, in: tx)
    }
    #expect(try await house.application(of: customer).phase == .expired)
    #expect(try await house.effects() == ["rubix.scheduleErasure"])
  }

  @Test("customers are limited over all their calls")
  func overall() async throws {
    let house = try await DeskHouse()
    let customer = try await house.registered()
    let standing = Steps.overall.count
    for _ in 0..<standing { _ = try await house.capture.createSession(house.request(customer)) }
    let refusal = try await problem { try await house.capture.createSession(house.request(customer)) }
    #expect(refusal?.code == "rate-limited")
    #expect((1...60).contains(refusal?.retryAfterSeconds ?? 0))
  }

  @Test("asking again under the same key is no further use of the step's own limit")
  func repetitionIsNoUse() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .awaitingScreening)
    let key = UUID().uuidString
    // Five screenings an hour: an app that lost its answers may ask more often than that.
    for _ in 0..<8 { _ = try await house.screenings.screen(house.request(customer, key: key)) }
    #expect(try await house.screenings.screen(house.request(customer)).status == 200)
  }

  private static func attemptsLeft(_ answer: StepAnswer) throws -> Int? {
    try answer.view(ProblemDetails.self).attemptsLeft
  }
}
