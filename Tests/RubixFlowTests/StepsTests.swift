// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import RubixWire
import HTTP
import Kit
import Testing
import TestSupport

@testable import RubixFlow

@Suite("Rubix: how a step is run")
struct StepsTests {
  @Test("the session is checked before the application, that before the order, and the body last")
  func checkOrder() async throws {
    let app = try await AgentTestApp()
    let bad = RequestContent(bytes: Data(#"{"surprise":1}"#.utf8))
    func code(_ customer: Customer) async throws -> String? {
      try await problem {
        try await app.screenings.screen(AgentTestApp.request(customer, bad))
      }?.code
    }
    let closed = try await app.customer(at: .expired)
    #expect(try await code(closed) == "application-closed")
    #expect(try await code(app.customer(at: .awaitingReviewCall)) == "application-in-review")
    let early = try await app.customer(at: .capturingSelfies)
    #expect(try await code(early) == "step-out-of-order")
    #expect(try await code(app.customer(at: .awaitingScreening)) == "unknown-field")
    try await app.registration.logout(closed)
    #expect(try await code(closed) == "token-revoked")
    // A refusal stores nothing.
    let application = try await app.application(of: early)
    #expect(application.phase == .capturingSelfies && application.version == 2)
    #expect(try await app.effects().isEmpty)
  }

  @Test("the same key and body get the stored answer, also of a wrong code, which counts once")
  func replay() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let code = try await app.code(.sms, of: customer)
    let wrong = VerifyOTPRequest(code: code == "000000" ? "000001" : "000000")
    let key = UUID().uuidString
    let first = try await app.contacts.verify(.sms, app.request(customer, wrong, key: key))
    let again = try await app.contacts.verify(.sms, app.request(customer, wrong, key: key))
    #expect(first.status == 422 && !first.isReplay)
    #expect(again.answer == first.answer && again.isReplay)
    let other = try await problem {
      try await app.contacts.verify(.sms, app.request(customer, VerifyOTPRequest(code: code), key: key))
    }
    #expect(other?.category == .conflict && other?.code == "idempotency-conflict")
    let next = try await app.contacts.verify(.sms, app.request(customer, wrong))
    #expect(try Self.attemptsLeft(first) == 4)
    #expect(try Self.attemptsLeft(next) == 3)
  }

  @Test("a step changes nothing when its session ends while its work is done")
  func ended() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let core = CoreDependencies(
      database: OvertakenDatabase(app.core.database, beforeWrite: 2) { try await app.registration.logout(customer) },
      world: app.core.world, vault: app.core.vault, blobs: app.core.blobs)
    let rubix = RubixService(
      core: core, tenants: app.rubix.tenants, sessions: app.rubix.sessions, agentSessions: app.rubix.agentSessions)
    let (effects, version) = (try await app.effects(), try await app.application(of: customer).version)
    let refusal = try await problem { try await rubix.contacts.send(.sms, app.request(customer)) }
    #expect(refusal?.code == "token-revoked")
    #expect(try await app.effects() == effects)
    #expect(try await app.application(of: customer).version == version)
  }

  @Test("a code that is tried before its message left is wrong, and all tries are left")
  func earlyCode() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    _ = try await app.contacts.send(.sms, app.request(customer))
    let early = try await app.contacts.verify(.sms, app.request(customer, VerifyOTPRequest(code: "000000")))
    #expect(early.status == 422)
    #expect(try Self.attemptsLeft(early) == 5)
  }

  @Test("a key belongs to its customer and its path")
  func keyScope() async throws {
    let app = try await AgentTestApp()
    let key = UUID().uuidString
    let one = try await app.registered()
    let other = try await app.registered(
      app.registerRequest(device: "device-other-0123", contactNo: "+96550005678"))
    for customer in [one, other] {
      let answer = try await app.contacts.send(.sms, app.request(customer, key: key))
      #expect(!answer.isReplay)
    }
    #expect(try await !app.capture.createSession(app.request(one, key: key)).isReplay)
  }

  @Test("a selfie of a later sub-type is out of order, and the refusal names the last step and those that are due")
  func laterSelfie() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .capturingSelfies)
    // The order is looked at before the picture.
    let request = SelfieUploadRequest(file: Data("no picture".utf8), subType: .deviceRegistration)
    let refusal = try await problem { try await app.capture.uploadSelfie(app.request(customer, request)) }
    #expect(refusal?.code == "step-out-of-order" && refusal?.expectedSteps == ["/faces/selfie/upload"])
    #expect(refusal?.lastStep == "RBX_ONB_STEP_REG_INITIATED")
  }

  @Test("a refused step frees its key for the step in its time")
  func released() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let key = UUID().uuidString
    let request = try app.request(customer, VerifyOTPRequest(code: "123456"), key: key)
    let refusal = try await problem { try await app.contacts.verify(.sms, request) }
    #expect(refusal?.code == "step-out-of-order")
    _ = try await app.code(.sms, of: customer)
    #expect(try await app.contacts.verify(.sms, request).isReplay == false)
  }

  @Test("work that takes too long is told to be tried again, and when, and frees its key")
  func late() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    let request = try app.request(customer, key: UUID().uuidString)
    let steps = app.screenings.steps
    let step = try await steps.admit(.screen, request)
    let answer = await steps.abandon(step, after: Deadline.Exceeded()) as? Problem
    #expect(answer?.category == .unavailable && answer?.retryAfterSeconds == 5)
    #expect(try await steps.admit(.screen, request).earlier == nil)
  }

  @Test("a key that is no UUID is refused")
  func badKey() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let refusal = try await problem { try await app.contacts.send(.sms, app.request(customer, key: "again")) }
    #expect(refusal?.category == .badRequest)
  }

  @Test("an application that was not changed for ninety days has expired when its customer comes back")
  func lapsed() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingReviewAppointment)
    app.clock.advance(by: .days(90))
    let stale = try await app.core.database.read { [app] tx in
      try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx).application.phase
    }
    #expect(stale == .awaitingReviewAppointment)
    try await app.core.database.write(retrying: .outdated) { [app] tx in
      _ = try app.rubix.applications.open(customer, in: tx)
    }
    #expect(try await app.application(of: customer).phase == .expired)
    #expect(try await app.effects() == ["rubix.scheduleErasure"])
  }

  @Test("customers are limited over all their calls")
  func overall() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let standing = Steps.overall.count
    for _ in 0..<standing { _ = try await app.capture.createSession(app.request(customer)) }
    let refusal = try await problem { try await app.capture.createSession(app.request(customer)) }
    #expect(refusal?.code == "rate-limited")
    #expect((1...60).contains(refusal?.retryAfterSeconds ?? 0))
  }

  @Test("asking again under the same key is no further use of the step's own limit")
  func repetitionIsNoUse() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    let key = UUID().uuidString
    // Five screenings an hour: an app that lost its answers may ask more often than that.
    for _ in 0..<8 { _ = try await app.screenings.screen(app.request(customer, key: key)) }
    #expect(try await app.screenings.screen(app.request(customer)).status == 200)
  }

  @Test("a step out of order is no use of its own limit: the step in its time is not refused for it")
  func outOfOrderIsNoUse() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    // Five screenings an hour: before, the sixth was told to come back later, and so was the one in its time.
    for _ in 0..<6 {
      let refusal = try await problem { try await app.screenings.screen(app.request(customer)) }
      #expect(refusal?.code == "step-out-of-order")
    }
  }

  @Test("a step out of order is told so where its own limit is used up, also before its body is read")
  func orderBeforeLimit() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let (limit, subject) = (try #require(RubixCall.screen.limit), try await app.application(of: customer).id.rawValue)
    for _ in 0...limit.count {
      _ = try await app.core.database.write(retrying: .outdated) { [app] tx in
        try app.core.limits.count(limit, by: subject, in: tx)
      }
    }
    for isLarge in [false, true] {
      let request = StepRequest(customer: customer, idempotencyKey: nil, correlationID: "", isLarge: isLarge) {
        try AgentTestApp.content(EmptyBody())
      }
      #expect(try await problem { try await app.screenings.screen(request) }?.code == "step-out-of-order")
    }
  }

  private static func attemptsLeft(_ answer: StepAnswer) throws -> Int? {
    try answer.view(ProblemDetails.self).attemptsLeft
  }
}
