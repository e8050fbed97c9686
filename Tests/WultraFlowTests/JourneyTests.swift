import Foundation
import WultraWire
import Kit
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: the verification from beginning to end")
struct VerificationJourneyTests {
  @Test("consent, documents, presence and code make a verified user without flags")
  func whole() async throws {
    let house = try await WultraHouse()
    let person = try await house.activated()
    #expect(try await person.state() == "NONE/NOT_INITIALIZED")
    let text = try await house.consents.text(.init(processId: person.process, consentType: .gdpr), by: person.caller)
    #expect(text.consentText == "<p>Yes?</p>")
    try await person.begin()
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    #expect(try await person.flags() == ["VERIFICATION_IN_PROGRESS"])
    #expect(try await person.documents() == Wultra.DocumentStates(status: .inProgress, documents: []))
    try await person.submitAll()
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
    let documents = try await person.documents()
    #expect(documents.status == .accepted && documents.documents.count == 3)
    #expect(documents.documents.allSatisfy { $0.status == .accepted && $0.errors == nil })
    try await person.checkPresence()
    #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
    let code = try house.lastCode()
    #expect(house.bank.messages.last?.otpType == .userVerification)
    let wrong = try await person.verify(WultraHouse.wrong(code))
    #expect(!wrong.verified && !wrong.expired && wrong.remainingAttempts == 4)
    #expect(wrong.onboardingStatus == .verificationInProgress)
    let right = try await person.verify(code)
    #expect(right.verified && right.onboardingStatus == .finished && right.remainingAttempts == 0)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await person.flags().isEmpty)
    #expect(house.bank.news == ["user-1 verifying -", "user-1 finished -"])
    #expect(house.bank.decisions.map { "\($0.userId ?? "") \($0.approved) \($0.version ?? "")" } == ["user-1 true 7"])
    #expect(try await house.auditFaults().isEmpty)
    // Who is verified is not undone by whoever knows the process's id.
    #expect(
      try await refusal { try await house.processes.cleanUp(person.process, by: house.app) } == "ONBOARDING_FAILED")
    #expect(try await house.activations.find(person.activation).state == .active)
  }

  @Test("an institution without presence checks asks for the code at once, and without codes for nothing")
  func fewerPhases() async throws {
    let noPresence = try await WultraHouse { $0.checksPresence = false }
    var person = try await noPresence.activated()
    try await person.documentsAccepted()
    #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
    #expect(
      try await refusal { _ = try await noPresence.presence.initiate(person.process, by: person.caller) }
        == "PRESENCE_CHECK_NOT_ENABLED")
    #expect(try await person.verify(noPresence.lastCode()).verified)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")

    let noOTP = try await WultraHouse { $0.asksOTP = false }
    person = try await noOTP.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.mismatch)
    #expect(try await person.state() == "PRESENCE_CHECK/REJECTED")
    try await noOTP.verifications.cleanUp(person.process, by: person.caller)
    try await person.documentsAccepted()
    try await person.checkPresence()
    #expect(try await person.state() == "COMPLETED/ACCEPTED")

    let neither = try await WultraHouse {
      $0.asksOTP = false
      $0.checksPresence = false
    }
    person = try await neither.activated()
    try await person.documentsAccepted()
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await person.flags().isEmpty)
  }

  @Test("without the consent that the institution asks for, no verification begins")
  func consent() async throws {
    let house = try await WultraHouse()
    let person = try await house.activated()
    func begin() async throws -> String? {
      try await refusal { try await house.verifications.initiate(person.process, by: person.caller) }
    }
    #expect(try await begin() == "IDENTITY_VERIFICATION_FAILED")
    try await house.consents.decide(
      .init(processId: person.process, approved: false, consentType: .gdpr), by: person.caller)
    #expect(try await begin() == "IDENTITY_VERIFICATION_FAILED")
    try await person.approve()
    #expect(try await begin() == nil)
    // The app that did not hear of it asks again.
    #expect(try await begin() == nil)
    try await person.submit([(.passport, .front, FakePicture.good)])
    #expect(try await begin() == "IDENTITY_VERIFICATION_FAILED")
  }

  @Test("giving up leads back to the beginning, five times in a process")
  func restarts() async throws {
    let house = try await WultraHouse { $0.errorScoreMax = 1000 }
    let person = try await house.activated()
    for _ in 0..<5 {
      try await person.begin()
      try await house.verifications.cleanUp(person.process, by: person.caller)
      #expect(try await person.state() == "NONE/NOT_INITIALIZED")
      #expect(try await person.flags() == ["VERIFICATION_PENDING"])
    }
    #expect(try await refusal { try await person.begin() } == "ONBOARDING_PROCESS_LIMIT_REACHED")
    #expect(try await house.process(person.process).failure == .maxFailedAttemptsIdentityVerification)
    #expect(try await refusal { try await person.begin() } == "ONBOARDING_FAILED")
    // The activation goes after the app had a moment to hear why.
    try await house.settle()
    #expect(try await house.activations.find(person.activation).state == .active)
    house.clock.advance(by: .seconds(60))
    try await house.settle()
    #expect(try await house.activations.find(person.activation).state == .removed)
  }

  @Test("too many errors end the process")
  func score() async throws {
    let house = try await WultraHouse { $0.verificationsMax = 100 }
    let person = try await house.activated()
    for _ in 0..<5 {
      try await person.begin()
      try await house.verifications.cleanUp(person.process, by: person.caller)
    }
    #expect(try await house.process(person.process).errorScore == 15)
    try await person.begin()
    let code = try await refusal { try await house.verifications.cleanUp(person.process, by: person.caller) }
    #expect(code == "ONBOARDING_PROCESS_LIMIT_REACHED")
    #expect(try await house.process(person.process).failure == .maxProcessErrorScoreExceeded)
    #expect(try await person.state() == "COMPLETED/FAILED")
  }

  @Test("a verification that takes longer than an hour has failed")
  func expiry() async throws {
    let house = try await WultraHouse()
    let person = try await house.activated()
    try await person.begin()
    house.clock.advance(by: .hours(1) - .seconds(1))
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    house.clock.advance(by: .seconds(1))
    #expect(try await person.state() == "COMPLETED/FAILED")
    #expect(try await house.process(person.process).failure == .expiredProcessIdentityVerification)
    let code = try await refusal { try await house.verifications.cleanUp(person.process, by: person.caller) }
    #expect(code == "ONBOARDING_FAILED")
  }

  @Test("a client whom the institution refuses is refused; one that cannot be evaluated has failed after five tries")
  func evaluation() async throws {
    let house = try await WultraHouse()
    house.bank.change { $0.verdict = .rejected }
    let refused = try await house.activated("1")
    try await refused.documentsAccepted()
    #expect(try await refused.state() == "CLIENT_EVALUATION/REJECTED")

    let waiting = try await house.activated("2")
    try await waiting.begin()
    house.bank.change { $0.isDown = true }
    try await waiting.submitAll()
    #expect(try await waiting.state() == "CLIENT_EVALUATION/IN_PROGRESS")
    let before = house.bank.evaluations
    for _ in 0..<10 {
      house.clock.advance(by: .seconds(60))
      try await house.settle()
    }
    #expect(house.bank.evaluations - before == 4)
    #expect(try await waiting.state() == "CLIENT_EVALUATION/FAILED")
  }

  @Test("somebody else's process, and one that is over, have one answer in every call")
  func foreign() async throws {
    let house = try await WultraHouse()
    let (person, other) = (try await house.activated("1"), try await house.activated("2"))
    try await person.begin()
    let (id, caller) = (person.process, other.caller)
    let calls: [() async throws -> Void] = [
      { try await house.verifications.initiate(id, by: caller) },
      { try await house.verifications.cleanUp(id, by: caller) },
      { _ = try await house.consents.text(.init(processId: id, consentType: .gdpr), by: caller) },
      { try await house.consents.decide(.init(processId: id, approved: true, consentType: .gdpr), by: caller) },
      { _ = try await house.documents.initSDK(.init(processId: id, attributes: [:]), by: caller) },
      { try await house.documents.submit(person.submission([(.passport, .front, FakePicture.good)]), by: caller) },
      { _ = try await house.documents.status(.init(processId: id), by: caller) },
      { _ = try await house.presence.initiate(id, by: caller) },
      { try await house.presence.submit(id, by: caller) },
      { try await house.otp.resend(id, by: caller) },
      { _ = try await house.otp.verify(.init(processId: id, otpCode: "1"), by: caller) },
    ]
    for call in calls { #expect(try await refusal(call) == "ONBOARDING_FAILED") }
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }

  @Test("cancelling the whole process takes the activation with it")
  func cancelled() async throws {
    let house = try await WultraHouse()
    let person = try await house.activated()
    try await person.begin()
    try await house.processes.cleanUp(person.process, by: house.app)
    try await house.settle()
    #expect(try await house.activations.find(person.activation).state == .removed)
    #expect(house.bank.news.last == "user-1 failed canceledProcess")
  }

  @Test("what a verification was decided on is gone an hour after it ended, and the decision stays")
  func erased() async throws {
    let house = try await WultraHouse()
    let person = try await house.activated()
    try await person.documentsAccepted()
    try await person.checkPresence()
    try await person.verify(house.lastCode())
    let keys = house.blobs.keys
    #expect(keys.count == 7)
    let named = try await house.database.read { try WultraBlobStore.referenced(keys.sorted() + ["0123456789"], in: $0) }
    #expect(named == keys)
    house.clock.advance(by: .hours(1) - .seconds(1))
    try await house.settle()
    #expect(house.blobs.keys == keys)
    house.clock.advance(by: .seconds(1))
    try await house.settle()
    #expect(house.blobs.keys.isEmpty)
    #expect(try await house.database.read { try WultraBlobStore.referenced(keys.sorted(), in: $0) }.isEmpty)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await house.actions(person.process).contains("wultra.evidence.erased"))
  }
}
