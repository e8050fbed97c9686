// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Kit
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: presence and the last code")
struct OTPTests {
  private func ready(_ change: (inout WultraPolicy) -> Void = { _ in }) async throws -> (WultraTestApp, Person) {
    let app = try await WultraTestApp(change: change)
    let person = try await app.activated()
    try await person.documentsAccepted()
    return (app, person)
  }

  @Test("a refused presence check shows as a code that was not right, and is repeated", arguments: [true, false])
  func neutral(hasPicture: Bool) async throws {
    let (app, person) = try await ready()
    try await person.checkPresence(hasPicture ? FakePicture.mismatch : nil)
    // Nothing tells it from one that went well.
    #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
    let verdict = try await person.verify(app.lastCode())
    #expect(!verdict.verified && !verdict.expired && verdict.remainingAttempts == 0)
    #expect(verdict.onboardingStatus == .verificationInProgress)
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
    #expect(try await app.process(person.process).errorScore == 2)
    // At once, with a code of its own.
    try await person.checkPresence()
    #expect(try await person.verify(app.lastCode()).verified)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
  }

  @Test("five wrong codes end the verification, which can be begun anew")
  func exhausted() async throws {
    let (app, person) = try await ready()
    try await person.checkPresence()
    // Told with the state as well, so that an app knows it before the first try.
    #expect(try await person.attemptsLeft() == 5)
    for left in [4, 3, 2, 1, 0] {
      let verdict = try await person.verify(WultraTestApp.wrong(app.lastCode()))
      #expect(!verdict.verified && verdict.remainingAttempts == left)
      #expect(try await person.attemptsLeft() == (left > 0 ? left : nil))
    }
    #expect(try await person.state() == "COMPLETED/FAILED")
    #expect(try await refusal { try await person.verify(app.lastCode()) } == "ONBOARDING_OTP_FAILED")
    try await app.verifications.cleanUp(person.process, by: person.caller)
    #expect(try await person.state() == "NONE/NOT_INITIALIZED")
    #expect(try await app.process(person.process).errorScore == 13)
  }

  @Test("a code is good for five minutes; another is sent after thirty seconds")
  func expired() async throws {
    let (app, person) = try await ready()
    try await person.checkPresence()
    #expect(
      try await refusal { try await app.otp.resend(person.process, by: person.caller) } == "ONBOARDING_OTP_FAILED")
    app.clock.advance(by: .minutes(5))
    let late = try await person.verify(app.lastCode())
    #expect(late.expired && !late.verified && late.remainingAttempts == 0)
    try await app.otp.resend(person.process, by: person.caller)
    try await app.settle()
    #expect(app.bank.messages.last?.resend == true)
    #expect(try await person.verify(app.lastCode()).verified)
  }

  @Test("no code is asked for, none is checked")
  func order() async throws {
    let (app, person) = try await ready()
    #expect(try await refusal { try await person.verify("12345678") } == "ONBOARDING_OTP_FAILED")
    #expect(
      try await refusal { try await app.otp.resend(person.process, by: person.caller) } == "ONBOARDING_OTP_FAILED")
    #expect(
      try await refusal { try await app.presence.submit(person.process, by: person.caller) }
        == "PRESENCE_CHECK_FAILED")
  }

  @Test(
    "what the machine cannot judge waits for an agent, and the app sees that it is judged", arguments: [true, false])
  func inconclusive(isAccepted: Bool) async throws {
    let (app, person) = try await ready()
    try await person.checkPresence(FakePicture.doubt)
    #expect(try await person.state() == "PRESENCE_CHECK/VERIFICATION_PENDING")
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    #expect(review.subject == .presence && review.codes == ["face-no-model"])
    #expect(try await app.reviews.detail(of: review.id, tenant: "acme", by: "test").pictures.count == 4)
    #expect(
      try await app.reviews.picture(4, of: review.id, tenant: "acme", by: "agent:a1") == FakePicture.doubt)
    try await app.reviews.decide(review.id, isAccepted ? .accepted : .rejected, tenant: "acme", by: "agent:a1")
    try await app.settle()
    #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
    #expect(try await person.verify(app.lastCode()).verified == isAccepted)
  }

  @Test("a review is of no use any more when its verification is given up")
  func abandoned() async throws {
    let (app, person) = try await ready()
    try await person.checkPresence(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    try await app.verifications.cleanUp(person.process, by: person.caller)
    let code = try await refusal {
      try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:a1")
    }
    #expect(code == "not-found")
    #expect(try await person.state() == "NONE/NOT_INITIALIZED")
    #expect(try await app.reviews.queue(tenant: "acme").isEmpty)
  }

  @Test("a sixth presence check ends the process")
  func limit() async throws {
    let (app, person) = try await ready()
    for _ in 0..<5 { _ = try await app.presence.initiate(person.process, by: person.caller) }
    let code = try await refusal { _ = try await app.presence.initiate(person.process, by: person.caller) }
    #expect(code == "PRESENCE_CHECK_LIMIT_REACHED")
    #expect(try await app.process(person.process).failure == .maxFailedAttemptsPresenceCheck)
  }

  @Test("a session takes up to five pictures, under its own token, while it lives")
  func session() async throws {
    let (app, person) = try await ready()
    func token() async throws -> String {
      try await app.presence.initiate(person.process, by: person.caller).sessionAttributes["sessionToken"]?
        .stringValue ?? ""
    }
    func capture(_ picture: Data, _ token: String) async throws -> String? {
      try await refusal { try await app.presence.capture(picture, token: token) }
    }
    let first = try await token()
    let second = try await token()
    #expect(try await capture(FakePicture.good, first) == "POWERAUTH_AUTH_FAIL")
    #expect(try await capture(FakePicture.good, "x") == "POWERAUTH_AUTH_FAIL")
    #expect(try await capture(FakePicture.broken, second) == "PRESENCE_CHECK_FAILED")
    for _ in 0..<5 { #expect(try await capture(FakePicture.good, second) == nil) }
    #expect(try await capture(FakePicture.good, second) == "PRESENCE_CHECK_FAILED")
    let third = try await token()
    app.clock.advance(by: .minutes(10))
    #expect(try await capture(FakePicture.good, third) == "POWERAUTH_AUTH_FAIL")
    try await app.presence.submit(person.process, by: person.caller)
    #expect(try await capture(FakePicture.good, third) == "POWERAUTH_AUTH_FAIL")
  }

  @Test("a verification whose activation was blocked meanwhile does not end well")
  func blocked() async throws {
    let (app, person) = try await ready()
    try await person.checkPresence()
    _ = try await app.activations.block(person.activation, by: .system)
    _ = try await person.verify(app.lastCode())
    #expect(try await person.state() == "COMPLETED/FAILED")
    #expect(try await app.process(person.process).status == .verifying)
  }

  @Test("of racing right codes one ends the verification")
  func race() async throws {
    let (app, person) = try await ready()
    try await person.checkPresence()
    let code = try app.lastCode()
    let verified = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          do {
            return try await app.otp.verify(.init(processId: person.process, otpCode: code), by: person.caller)
              .verified
          } catch is Problem {
            return false
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(verified == 1)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
  }
}
