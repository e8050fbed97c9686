// SPDX-License-Identifier: Apache-2.0

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
    let app = try await WultraTestApp()
    let person = try await app.activated()
    #expect(try await person.state() == "NONE/NOT_INITIALIZED")
    let text = try await app.consents.text(.init(processId: person.process, consentType: .gdpr), by: person.caller)
    #expect(text.consentText == "<p>Yes?</p>")
    try await person.begin()
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    #expect(try await person.flags() == ["VERIFICATION_IN_PROGRESS"])
    #expect(try await person.documents() == Wultra.DocumentStates(status: .inProgress, documents: []))
    try await person.submitAll()
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
    let documents = try await person.documents()
    #expect(documents.status == .accepted && documents.documents.count == 3)
    // The verification has gone on: an app that asked for the state before waits and asks again (decision 72).
    #expect(documents.documents.allSatisfy { $0.status == .verificationInProgress && $0.errors == nil })
    try await person.checkPresence()
    #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
    let code = try app.lastCode()
    #expect(app.bank.messages.last?.otpType == .userVerification)
    let wrong = try await person.verify(WultraTestApp.wrong(code))
    #expect(!wrong.verified && !wrong.expired && wrong.remainingAttempts == 4)
    #expect(wrong.onboardingStatus == .verificationInProgress)
    let right = try await person.verify(code)
    #expect(right.verified && right.onboardingStatus == .finished && right.remainingAttempts == 0)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await person.flags().isEmpty)
    #expect(app.bank.notices == ["user-1 verifying -", "user-1 finished -"])
    #expect(app.bank.decisions.map { "\($0.userId ?? "") \($0.approved) \($0.version ?? "")" } == ["user-1 true 7"])
    #expect(try await app.auditFaults().isEmpty)
    // Who is verified is not undone by a caller who knows the process's id.
    #expect(
      try await refusal { try await app.processes.cleanUp(person.process, by: app.caller) } == "ONBOARDING_FAILED")
    #expect(try await app.activations.find(person.activation).state == .active)
  }

  @Test("an institution without presence checks asks for the code at once, and without codes for nothing")
  func fewerPhases() async throws {
    let noPresence = try await WultraTestApp { $0.checksPresence = false }
    var person = try await noPresence.activated()
    try await person.documentsAccepted()
    #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
    #expect(
      try await refusal { _ = try await noPresence.presence.initiate(person.process, by: person.caller) }
        == "PRESENCE_CHECK_NOT_ENABLED")
    #expect(try await person.verify(noPresence.lastCode()).verified)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")

    let noOTP = try await WultraTestApp { $0.asksOTP = false }
    person = try await noOTP.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.mismatch)
    #expect(try await person.state() == "PRESENCE_CHECK/REJECTED")
    try await noOTP.verifications.cleanUp(person.process, by: person.caller)
    try await person.documentsAccepted()
    try await person.checkPresence()
    #expect(try await person.state() == "COMPLETED/ACCEPTED")

    let neither = try await WultraTestApp {
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
    let app = try await WultraTestApp()
    let person = try await app.activated()
    func begin() async throws -> String? {
      try await refusal { try await app.verifications.initiate(person.process, by: person.caller) }
    }
    #expect(try await begin() == "IDENTITY_VERIFICATION_FAILED")
    try await app.consents.decide(
      .init(processId: person.process, approved: false, consentType: .gdpr), by: person.caller)
    #expect(try await begin() == "IDENTITY_VERIFICATION_FAILED")
    try await person.approve()
    #expect(try await begin() == nil)
    // The app that did not hear of it asks again.
    #expect(try await begin() == nil)
    try await person.submit([(.passport, .front, FakePicture.good)])
    #expect(try await begin() == "IDENTITY_VERIFICATION_FAILED")
  }

  @Test("a consent that is taken back ends the taking of pictures until it is given again")
  func consentTakenBack() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    func answer(_ approved: Bool) async throws {
      try await app.consents.decide(
        .init(processId: person.process, approved: approved, consentType: .gdpr), by: person.caller)
    }
    try await person.begin()
    try await answer(false)
    let picture = [(type: Wultra.DocumentType.passport, side: Wultra.DocumentSide.front, picture: FakePicture.good)]
    // Before the body is read, and by each way in which a picture comes.
    let early = try await refusal { try await app.documents.requireUploading(person.activation) }
    #expect(early == "DOCUMENT_SUBMIT_FAILED")
    #expect(try await refusal { try await person.submit(picture) } == "DOCUMENT_SUBMIT_FAILED")
    let upload = ZipFixture([("card.jpg", FakePicture.good)]).data
    #expect(
      try await refusal { _ = try await app.documents.upload(upload, by: person.caller) } == "DOCUMENT_SUBMIT_FAILED")
    try await answer(true)
    try await person.submitAll()
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
    try await answer(false)
    #expect(
      try await refusal { _ = try await app.presence.initiate(person.process, by: person.caller) }
        == "PRESENCE_CHECK_FAILED")
    try await answer(true)
    let session = try await app.presence.initiate(person.process, by: person.caller)
    let token = try #require(session.sessionAttributes["sessionToken"]?.stringValue)
    try await answer(false)
    #expect(try await refusal { try await app.presence.admitCapture(token: token) } == "POWERAUTH_AUTH_FAIL")
    #expect(
      try await refusal { try await app.presence.capture(FakePicture.good, token: token) } == "POWERAUTH_AUTH_FAIL")
    try await answer(true)
    try await app.presence.capture(FakePicture.good, token: token)
  }

  @Test("giving up leads back to the beginning, five times in a process")
  func restarts() async throws {
    let app = try await WultraTestApp { $0.errorScoreMax = 1000 }
    let person = try await app.activated()
    for _ in 0..<5 {
      try await person.begin()
      try await app.verifications.cleanUp(person.process, by: person.caller)
      #expect(try await person.state() == "NONE/NOT_INITIALIZED")
      #expect(try await person.flags() == ["VERIFICATION_PENDING"])
    }
    #expect(try await refusal { try await person.begin() } == "ONBOARDING_PROCESS_LIMIT_REACHED")
    #expect(try await app.process(person.process).failure == .maxFailedAttemptsIdentityVerification)
    #expect(try await refusal { try await person.begin() } == "ONBOARDING_FAILED")
    // The activation goes after the app had a moment to hear why.
    try await app.settle()
    #expect(try await app.activations.find(person.activation).state == .active)
    app.clock.advance(by: .seconds(60))
    try await app.settle()
    #expect(try await app.activations.find(person.activation).state == .removed)
  }

  @Test("too many errors end the process")
  func score() async throws {
    let app = try await WultraTestApp { $0.verificationsMax = 100 }
    let person = try await app.activated()
    for _ in 0..<5 {
      try await person.begin()
      try await app.verifications.cleanUp(person.process, by: person.caller)
    }
    #expect(try await app.process(person.process).errorScore == 15)
    try await person.begin()
    let code = try await refusal { try await app.verifications.cleanUp(person.process, by: person.caller) }
    #expect(code == "ONBOARDING_PROCESS_LIMIT_REACHED")
    #expect(try await app.process(person.process).failure == .maxProcessErrorScoreExceeded)
    #expect(try await person.state() == "COMPLETED/FAILED")
  }

  @Test("a verification that takes longer than an hour has failed")
  func expiry() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    app.clock.advance(by: .hours(1) - .seconds(1))
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    app.clock.advance(by: .seconds(1))
    #expect(try await person.state() == "COMPLETED/FAILED")
    #expect(try await app.process(person.process).failure == .expiredProcessIdentityVerification)
    let code = try await refusal { try await app.verifications.cleanUp(person.process, by: person.caller) }
    #expect(code == "ONBOARDING_FAILED")
  }

  @Test("a client whom the institution refuses is refused; one that cannot be evaluated has failed after five tries")
  func evaluation() async throws {
    let app = try await WultraTestApp()
    app.bank.change { $0.verdict = .rejected }
    let refused = try await app.activated("1")
    try await refused.documentsAccepted()
    #expect(try await refused.state() == "CLIENT_EVALUATION/REJECTED")

    let waiting = try await app.activated("2")
    try await waiting.begin()
    app.bank.change { $0.isDown = true }
    try await waiting.submitAll()
    #expect(try await waiting.state() == "CLIENT_EVALUATION/IN_PROGRESS")
    let before = app.bank.evaluations
    for _ in 0..<10 {
      app.clock.advance(by: .seconds(60))
      try await app.settle()
    }
    #expect(app.bank.evaluations - before == 4)
    #expect(try await waiting.state() == "CLIENT_EVALUATION/FAILED")
  }

  @Test("another device's process, and one that is over, have the same answer in every call")
  func foreign() async throws {
    let app = try await WultraTestApp()
    let (person, other) = (try await app.activated("1"), try await app.activated("2"))
    try await person.begin()
    let (id, caller) = (person.process, other.caller)
    let calls: [() async throws -> Void] = [
      { try await app.verifications.initiate(id, by: caller) },
      { try await app.verifications.cleanUp(id, by: caller) },
      { _ = try await app.consents.text(.init(processId: id, consentType: .gdpr), by: caller) },
      { try await app.consents.decide(.init(processId: id, approved: true, consentType: .gdpr), by: caller) },
      { _ = try await app.documents.initSDK(.init(processId: id, attributes: [:]), by: caller) },
      { try await app.documents.submit(person.submission([(.passport, .front, FakePicture.good)]), by: caller) },
      { _ = try await app.documents.status(.init(processId: id), by: caller) },
      { _ = try await app.presence.initiate(id, by: caller) },
      { try await app.presence.submit(id, by: caller) },
      { try await app.otp.resend(id, by: caller) },
      { _ = try await app.otp.verify(.init(processId: id, otpCode: "1"), by: caller) },
    ]
    for call in calls { #expect(try await refusal(call) == "ONBOARDING_FAILED") }
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }

  @Test("cancelling the whole process takes the activation with it")
  func cancelled() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    try await app.processes.cleanUp(person.process, by: app.caller)
    // In the call: the worker has not run yet.
    #expect(try await app.activations.find(person.activation).state == .removed)
    try await app.settle()
    try await app.processes.cleanUp(person.process, by: app.caller)
    #expect(app.bank.notices.last == "user-1 failed canceledProcess")
  }

  @Test("what a verification was decided on is gone an hour after it ended, and the decision stays")
  func erased() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence()
    try await person.verify(app.lastCode())
    let keys = app.blobs.keys
    #expect(keys.count == 7)
    let named = try await app.database.read { try WultraBlobStore.referenced(keys.sorted() + ["0123456789"], in: $0) }
    #expect(named == keys)
    app.clock.advance(by: .hours(1) - .seconds(1))
    try await app.settle()
    #expect(app.blobs.keys == keys)
    app.clock.advance(by: .seconds(1))
    try await app.settle()
    #expect(app.blobs.keys.isEmpty)
    #expect(try await app.database.read { try WultraBlobStore.referenced(keys.sorted(), in: $0) }.isEmpty)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await app.actions(person.process).contains("wultra.evidence.erased"))
  }
}
