// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import Kit
import RubixOnboarding
import Specimens
import Testing

@testable import Demonstration
@testable import GatehouseApp

/// A customer's phone in a test: the real SDK over the in-process router. After every step the app is killed, and a new
/// one over the same token store has to be told the same next steps.
struct JourneyPhone: Sendable {
  let journey: JourneyTestApp
  let contactNo: String
  let email: String
  let deviceID: String
  let app: RubixOnboarding
  let store: SecureTokenStore

  init(_ journey: JourneyTestApp, number: Int = 1, deviceID: String? = nil) {
    self.journey = journey
    contactNo = "+9655000\(1000 + number)"
    email = "customer\(number)@example.com"
    self.deviceID = deviceID ?? "journey-phone-\(1_000_000 + number)"
    store = SecureTokenStore(MemorySecureStore())
    app = Self.start(journey, store)
  }

  /// The app as it is after a kill: only the token store is left.
  func restarted() -> RubixOnboarding { Self.start(journey, store) }

  private static func start(_ journey: JourneyTestApp, _ store: SecureTokenStore) -> RubixOnboarding {
    RubixOnboarding(
      baseURL: JourneyTestApp.address, tokenStore: store, transport: journey.transport,
      // Instead of waiting, whatever is owed is done.
      clock: ClientClock { (_) async throws(CancellationError) in
        do { try await journey.settle() } catch { throw CancellationError() }
      },
      policy: OnboardingPolicy(retry: .never))
  }

  /// Expects the application to stand there, also for an app that was killed meanwhile.
  func expect(
    _ last: OnboardingStep, next: OnboardingScreen?, _ status: OnboardingStatus = .pending,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    // The limit on auth/me is by the minute.
    journey.clock.advance(by: .seconds(5))
    let view = try await app.me()
    #expect(view.lastStep == last, sourceLocation: sourceLocation)
    #expect(view.nextSteps.first?.screen == next, sourceLocation: sourceLocation)
    #expect(view.status == status, sourceLocation: sourceLocation)
    let again = restarted()
    #expect(try await again.me().nextSteps == view.nextSteps, sourceLocation: sourceLocation)
    #expect(try await again.resume() == Resumption(view), sourceLocation: sourceLocation)
    journey.record.reached(view)
  }

  // MARK: The straight way

  func register() async throws {
    _ = try await app.register(registration)
    try await expect(.registrationInitiated, next: .session)
  }

  var registration: RegisterRequest {
    RegisterRequest(
      deviceID: deviceID, platform: .android, contactNo: contactNo, email: email, locale: "en",
      consents: ConsentCode.known.map {
        ConsentGrant(
          code: $0, version: "2026-01",
          acceptedAt: WireInstant(millisecondsSince1970: journey.clock.now.milliseconds))
      })
  }

  /// - Parameters:
  ///   - next: the first document that the institution asks for.
  ///   - check: is told the path of each upload when it is in order.
  func faces(
    next: OnboardingScreen = .uploadDocument(.nationalIDFront), checking check: (String) async throws -> Void = { _ in }
  ) async throws {
    _ = try await app.createSession()
    try await expect(.registrationInitiated, next: .selfie)
    try await check("/faces/selfie/upload")
    let picture = try JourneyPapers.selfie
    for subType in SelfieSubType.known {
      let isLast = subType == SelfieSubType.known.last
      _ = try await app.uploadSelfie(picture, subType: subType)
      try await expect(isLast ? .selfieUploaded : .registrationInitiated, next: isLast ? .liveness : .selfie)
    }
    try await check("/faces/liveness/upload")
    _ = try await app.uploadLiveness(picture, challengeID: app.livenessChallenge().challengeID)
    try await expect(.livenessUploaded, next: next)
  }

  @discardableResult
  func document(
    _ kind: DocumentKind, _ papers: DemoPapers, next: OnboardingScreen = .verifyDocuments
  ) async throws -> ProcessedDocument {
    let side: SpecimenSide = kind == .passport ? .page : kind == .nationalIDBack ? .back : .front
    _ = try await app.upload(kind, file: papers.picture(side))
    try await expect(kind.uploadedStep, next: .processDocument(kind))
    let document = try await app.process(kind)
    let readings = side == .front ? papers.compare(print: document, side) : papers.compare(zone: document)
    #expect(readings.filter { !$0.isRight }.map(\.field) == [])
    try await expect(kind.processedStep, next: next)
    return document
  }

  func matched() async throws {
    #expect(try await app.verifyDocuments().status == .match)
    try await expect(.documentsMatched, next: .sendOTP(.sms))
  }

  /// Registered, and matched by a passport.
  func matchedByPassport(_ papers: DemoPapers? = nil) async throws {
    try await register()
    try await faces()
    try await document(.passport, papers ?? JourneyPapers.passport)
    try await matched()
  }

  func contacts() async throws {
    for channel in OTPChannel.allCases {
      _ = try await app.sendOTP(channel)
      try await expect(channel.sentStep, next: .verifyOTP(channel))
      let code = try await journey.code(to: channel == .sms ? contactNo : email)
      #expect(try await app.verifyOTP(channel, code: code).status == .verified)
      try await expect(channel.verifiedStep, next: channel == .sms ? .sendOTP(.email) : .screening)
    }
  }

  func screened() async throws {
    #expect(try await app.screenAML().status == .clean)
    try await expect(.amlScreeningSuccessful, next: .crs)
  }

  func forms() async throws {
    let forms = try #require(ComplianceForms(try await app.me().customer, today: journey.today))
    for form in [ComplianceForm.crs, .fatca, .kyc] { _ = try await app.template(form) }
    _ = try await app.submitCRS(forms.crs)
    try await expect(.crsSubmitted, next: .fatca)
    _ = try await app.submitFATCA(forms.fatca)
    try await expect(.fatcaSubmitted, next: .kyc)
    _ = try await app.submitKYC(forms.kyc)
    try await expect(.kycSubmitted, next: .appointment)
  }

  func booked() async throws -> AppointmentView {
    let slots = try await app.slots(from: journey.today, to: journey.today)
    let appointment = try await app.book(AppointmentRequest(callTime: try #require(slots.slots.first).start))
    try await expect(.agentVerificationScheduled, next: nil)
    return appointment
  }

  /// What an agent says after the call.
  func verdict(
    _ verdict: AgentVerdict, on appointment: AppointmentView, reason: AgentFailureReason? = nil, retry: Bool = false
  ) async throws -> AgentVerificationRequest {
    let questions = ["face-matches-document", "document-shown-live", "customer-understands", "no-coercion"]
    let now = journey.clock.now.milliseconds
    let call = CallRecord(
      startedAt: WireInstant(millisecondsSince1970: now - 60_000), endedAt: WireInstant(millisecondsSince1970: now))
    return AgentVerificationRequest(
      appointmentID: appointment.id, customerID: try await app.me().id, verdict: verdict,
      checklist: questions.map { ChecklistItem(code: $0, result: .yes) }, failureReason: reason, retryAllowed: retry,
      call: call)
  }

  /// From matched documents to a customer.
  func completed() async throws {
    try await contacts()
    try await screened()
    try await forms()
    let appointment = try await booked()
    let view = try await journey.agent(DemoApp.agentEmail).decide(try await verdict(.successful, on: appointment))
    #expect(view.customerStatus == .completed)
    try await expect(.agentVerificationSuccessful, next: nil, .completed)
  }
}

/// The problem of a call that was refused; nil when it was accepted.
func problem(_ call: () async throws -> Void) async throws -> ProblemDetails? {
  do { try await call() } catch RubixError.problem(let problem) { return problem }
  return nil
}
