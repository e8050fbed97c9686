// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import WultraWire
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Synchronization
import Testing
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: verification", .timeLimit(.minutes(5)))
struct VerificationTests {
  typealias Fail = WDOVerificationService.Fail

  let server = OnboardingPeer()

  private func activated() async throws -> WDOVerificationService {
    WDOVerificationService(networking: server.networking(try await server.phone.activated()))
  }

  private func name(_ state: WDOVerificationState?) -> String {
    (state?.description ?? "none").replacing("WDOVerificationState.", with: "")
      .replacing("ProcessingItem.", with: "").replacing("EndstateReason.", with: "")
  }

  private func document(
    _ id: String, _ type: Wultra.DocumentType, _ side: Wultra.DocumentSide, _ status: Wultra.DocumentStatus,
    errors: [String]? = nil
  ) -> Wultra.DocumentState {
    Wultra.DocumentState(filename: "f", id: id, type: type, side: side, status: status, errors: errors)
  }

  private var picture: WDODocumentFile {
    WDODocumentFile(data: Data([1, 2, 3]), type: .idCard, side: .front, originalDocumentId: nil)
  }

  @Test("the whole way, each step by a fresh start of the app, each call proved and hidden as the wire says")
  func wholeWay() async throws {
    _ = try await server.phone.activated()
    func step(_ work: (WDOVerificationService) async throws -> WDOVerificationState) async throws -> String {
      let service = server.verification()
      _ = try await service.status()
      return name(try await work(service))
    }
    #expect(name(try await server.verification().status()) == "intro")
    #expect(try await step { try await $0.consentGet().state } == "consent")
    #expect(try await step { try await $0.consentApprove().state } == "documentsToScanSelect")
    server.at(.documentUpload, .inProgress)
    #expect(name(try await server.verification().status()) == "documentsToScanSelect")
    #expect(
      name(try await server.verification().documentsSetSelectedTypes(types: [.idCard, .driversLicense]).state)
        == "scanDocument")
    guard case .scanDocument(let process) = try await server.verification().status() else {
      Issue.record("no process")
      return
    }
    #expect(process.documents.map(\.type) == [.idCard, .driversLicense])
    #expect(try await step { try await $0.documentsSubmit(files: [picture]).state } == "processing:documentUpload")
    server.set { $0.documents = [document("1", .idCard, .front, .verificationPending)] }
    #expect(name(try await server.verification().status()) == "processing:documentVerification")
    server.at(.clientEvaluation, .inProgress)
    #expect(name(try await server.verification().status()) == "processing:clientVerification")
    server.at(.presenceCheck, .notInitialized)
    #expect(name(try await server.verification().status()) == "presenceCheck")
    #expect(try await step { try await $0.presenceCheckSubmit().state } == "processing:verifyingPresence")
    server.at(.otpVerification, .verificationPending)
    #expect(name(try await server.verification().status()) == "otp")
    #expect(try await step { try await $0.verifyOTP(otp: "12345678").state } == "processing:other")
    server.at(.completed, .accepted)
    #expect(name(try await server.verification().status()) == "success")
    // Every call was taken, so every one kept the rules of its endpoint.
    #expect(server.phone.peer.signatures.allSatisfy { $0.counter != nil && $0.ahead == 0 })
    #expect(server.phone.peer.count(of: .createToken) == 1)
    #expect(
      Set(server.endpoints)
        == [
          .identityStatus, .consentText, .approveConsent, .initiate, .documentStatus, .submitDocuments,
          .submitPresenceCheck, .verifyOTP, .configuration,
        ])
  }

  @Test("each call says what the wire asks for, and carries the process of the last status")
  func bodies() async throws {
    let service = try await activated()
    _ = try await service.status()
    _ = try await service.consentGet()
    _ = try await service.consentApprove()
    #expect(try await service.documentsInitSDK(challenge: "c") == "token")
    _ = try await service.documentsSubmit(files: [picture])
    let presence = try await service.presenceCheckInit()
    #expect(presence["token"] as? String == "t" && (presence["deep"] as? [String: Any])?["n"] as? Int == 3)
    _ = try await service.presenceCheckSubmit()
    _ = try await service.verifyOTP(otp: "12345678")
    try await service.resendOTP()
    #expect(try await service.getOTP() == "1234")
    #expect(name(try await service.restartVerification().state) == "intro")
    try await service.cancelWholeProcess()
    server.set { $0.requirements = Wultra.DocumentRequirements(primary: [.idCard], distinctCount: 2) }
    #expect(try await service.documentRequirements()?.distinctCount == 2)
    let received = server.received
    let expected: [(Wultra.Endpoint, [String: JSONValue])] = [
      (.identityStatus, [:]), (.consentText, ["consentType": .string("GDPR")]),
      (.approveConsent, ["consentType": .string("GDPR"), "approved": .bool(true)]), (.initiate, [:]),
      (.initDocumentSDK, ["attributes": .object(["sdk-init-token": .string("c")])]),
      (.submitDocuments, ["resubmit": .bool(false)]), (.initPresenceCheck, [:]), (.submitPresenceCheck, [:]),
      (.verifyOTP, ["otpCode": .string("12345678")]), (.resendOTP, [:]),
      (.otpDetail, ["otpType": .string("USER_VERIFICATION")]), (.cleanUpIdentity, [:]), (.cleanUpProcess, [:]),
      (.configuration, [:]),
    ]
    #expect(received.map(\.endpoint) == expected.map(\.0))
    for (call, (endpoint, members)) in zip(received, expected) {
      for (member, value) in members { #expect(call.object[member] == value, "\(endpoint)") }
      let needsProcess = ![.identityStatus, .configuration].contains(endpoint)
      #expect((call.object["processId"]?.stringValue == OnboardingPeer.process) == needsProcess, "\(endpoint)")
    }
  }

  /// The calls that need a status, each with why it fails.
  private static let needStatus: [@Sendable (WDOVerificationService) async -> WPNErrorReason?] = [
    { service in await fail { () async throws(Fail) in _ = try await service.consentGet() }?.cause.reason },
    { service in await fail { () async throws(Fail) in _ = try await service.consentApprove() }?.cause.reason },
    { service in
      await fail { () async throws(Fail) in _ = try await service.documentsInitSDK(challenge: "c") }?.cause.reason
    },
    { service in
      let file = WDODocumentFile(data: Data(), type: .passport, side: .front, originalDocumentId: nil)
      return await fail { () async throws(Fail) in _ = try await service.documentsSubmit(files: [file]) }?.cause.reason
    },
    { service in await fail { () async throws(Fail) in _ = try await service.presenceCheckInit() }?.cause.reason },
    { service in await fail { () async throws(Fail) in _ = try await service.presenceCheckSubmit() }?.cause.reason },
    { service in await fail { () async throws(Fail) in _ = try await service.verifyOTP(otp: "1") }?.cause.reason },
    { service in await fail { () async throws(Fail) in try await service.resendOTP() }?.cause.reason },
    { service in await fail { () async throws(Fail) in _ = try await service.getOTP() }?.cause.reason },
    { service in await fail { () async throws(Fail) in _ = try await service.restartVerification() }?.cause.reason },
    { service in await fail { () async throws(Fail) in try await service.cancelWholeProcess() }?.cause.reason },
  ]

  @Test(
    "calls that need a status fail without one, after a failed one as well, and send nothing",
    arguments: needStatus.indices)
  func missingStatus(index: Int) async throws {
    let service = try await activated()
    let call = Self.needStatus[index]
    #expect(await call(service) == .wdo_verification_missingStatus)
    #expect(server.endpoints.isEmpty)
    _ = try await service.status()
    server.refuse(.identityStatus, "ERROR_GENERIC", status: 500)
    #expect(await fail { () async throws(Fail) in _ = try await service.status() } != nil)
    #expect(await call(service) == .wdo_verification_missingStatus)
  }

  @Test("the time to the next code is known after a status", arguments: [("PT1M30S", 90), ("rubbish", 77)])
  func resendPeriod(text: String, seconds: Int) async throws {
    let service = try await activated()
    #expect(service.otpResendPeriodInSeconds == nil)
    server.set { $0.resendPeriod = text }
    _ = try await service.status()
    #expect(service.otpResendPeriodInSeconds == seconds)
  }

  @Test(
    "no server has apps calculate with a time that does not fit",
    arguments: [("rubbish", Int.max, 86_400), ("rubbish", Int.min, 0), ("PT999999999H", 77, 86_400)])
  func hostileResendPeriod(text: String, told: Int, seconds: Int) async throws {
    let service = try await activated()
    server.set { ($0.resendPeriod, $0.resendSeconds) = (text, told) }
    _ = try await service.status()
    #expect(service.otpResendPeriodInSeconds == seconds)
  }

  @Test(
    "unknown phases, statuses and documents are failures",
    arguments: [
      (Wultra.VerificationPhase(rawValue: "NEW"), Wultra.VerificationStatus.inProgress),
      (.completed, .init(rawValue: "NEW")), (nil, .accepted), (.otpVerification, .accepted),
    ] as [(Wultra.VerificationPhase?, Wultra.VerificationStatus)])
  func unknown(phase: Wultra.VerificationPhase?, status: Wultra.VerificationStatus) async throws {
    let service = try await activated()
    server.at(phase, status)
    let failure = await fail { () async throws(Fail) in _ = try await service.status() }
    #expect(failure?.cause.reason == .unknown && failure?.state == nil)
    server.at(.documentUpload, .inProgress)
    _ = try await service.documentsSetSelectedTypes(types: [.idCard])
    server.set { $0.documents = [document("1", .idCard, .front, .init(rawValue: "NEW"))] }
    #expect(await fail { () async throws(Fail) in _ = try await service.status() }?.cause.reason == .unknown)
  }

  @Test("the choice is kept under its published name, and forgotten when it is of no use")
  func selection() async throws {
    let service = try await activated()
    let store = try #require(server.phone.store as? MemorySecureStore)
    for status in [Wultra.VerificationStatus.failed, .rejected, .accepted] {
      server.at(.documentUpload, .inProgress)
      _ = try await service.documentsSetSelectedTypes(types: [.idCard, .driversLicense])
      #expect(store.contents["wdocp_default"] == Data("v1:idCard,driversLicense".utf8))
      #expect(name(try await service.status()) == "scanDocument")
      server.at(.documentVerification, status)
      _ = try await service.status()
      #expect(store.contents["wdocp_default"] == nil)
    }
    server.at(.documentUpload, .inProgress)
    server.set { $0.documents = [document("1", .idCard, .front, .accepted)] }
    #expect(name(try await service.status()) == "failed")
    // Without an activation nothing is worth keeping.
    _ = try await service.documentsSetSelectedTypes(types: [.passport])
    let sdk = server.phone.start()
    sdk.removeActivationLocal()
    _ = WDOVerificationService(networking: server.networking(sdk))
    #expect(store.contents["wdocp_default"] == nil)
  }

  @Test("a refused picture is asked for again, and its replacement carries its id")
  func again() async throws {
    let service = try await activated()
    server.at(.documentUpload, .inProgress)
    _ = try await service.documentsSetSelectedTypes(types: [.idCard])
    server.set {
      $0.documents = [
        document("7", .idCard, .front, .rejected, errors: ["Error verifying the document."]),
        document("8", .idCard, .back, .accepted),
      ]
    }
    guard case .scanDocument(let process) = try await service.status() else {
      Issue.record("no process")
      return
    }
    let next = try #require(process.nextDocumentToScan)
    #expect(next.uploadState == .rejected && next.sides.map(\.uploadState) == [.rejected, .accepted])
    _ = try await service.documentsSubmit(files: [next.createFileForUpload(side: .front, data: Data([4]))])
    let sent = try #require(server.received.last { $0.endpoint == .submitDocuments }).object
    #expect(sent["resubmit"] == .bool(true))
    #expect(sent["documents"]?.arrayValue?.first?["originalDocumentId"]?.stringValue == "7")
    server.refuse(.submitDocuments, "DOCUMENT_SUBMIT_FAILED")
    let failure = await fail { () async throws(Fail) in _ = try await service.documentsSubmit(files: [self.picture]) }
    #expect(failure?.cause.restApiError?.errorCode == .documentSubmitFailed && failure?.state == nil)
  }

  @Test("what the server did between its two answers is asked for: the user is not told to scan what was accepted")
  func between() async throws {
    let service = try await activated()
    server.at(.documentUpload, .inProgress)
    _ = try await service.documentsSetSelectedTypes(types: [.idCard])
    server.set { $0.documents = [document("1", .idCard, .front, .accepted), document("2", .idCard, .back, .accepted)] }
    let before = Wultra.IdentityState(
      processId: OnboardingPeer.process, identityVerificationStatus: .inProgress,
      identityVerificationPhase: .documentUpload, config: Wultra.ProcessConfiguration(otpResendPeriod: "PT30S"))
    let body = String(decoding: try JSONEncoder().encode(ResponseEnvelope(before)), as: UTF8.self)
    server.override(.identityStatus, body)
    server.at(.presenceCheck, .notInitialized)
    #expect(name(try await service.status()) == "presenceCheck")
    #expect(server.endpoints.suffix(3) == [.identityStatus, .documentStatus, .identityStatus])
    // Where the server goes on asking for documents, it is not asked for ever.
    server.at(.documentUpload, .inProgress)
    _ = try await service.documentsSetSelectedTypes(types: [.idCard])
    #expect(name(try await service.status()) == "scanDocument")
    #expect(server.endpoints.suffix(4) == [.identityStatus, .documentStatus, .identityStatus, .documentStatus])
  }

  @Test("progress of the pictures grows to the end before the call completes")
  func progress() async throws {
    let service = try await activated()
    _ = try await service.status()
    let (stream, told) = AsyncStream<Double>.makeStream()
    service.documentsSubmit(
      files: [picture], progressCallback: { fraction in told.yield(fraction) },
      completion: { _ in
        told.yield(-1)
        told.finish()
      })
    var all: [Double] = []
    for await fraction in stream { all.append(fraction) }
    #expect(all.count == 4 && all.suffix(2) == [1, -1] && all[0] < all[1] && all[1] < 1)
  }

  @Test(
    "what came of a code",
    arguments: [
      (true, false, 5, "processing:other"), (true, true, 0, "processing:other"), (false, false, 4, "otp"),
      (false, false, 0, nil), (false, true, 4, nil), (false, true, 0, nil),
    ] as [(Bool, Bool, Int, String?)])
  func verdicts(verified: Bool, expired: Bool, left: Int, expected: String?) async throws {
    let service = try await activated()
    _ = try await service.status()
    server.set {
      $0.verdict = Wultra.OTPVerdict(
        processId: OnboardingPeer.process, onboardingStatus: .verificationInProgress, verified: verified,
        expired: expired, remainingAttempts: left)
    }
    do throws(Fail) {
      let state = try await service.verifyOTP(otp: "1").state
      #expect(name(state) == expected)
      if case .otp(let remaining) = state { #expect(remaining == left) }
    } catch {
      #expect(expected == nil && error.cause.reason == .wdo_verification_otpFailed && error.state == nil)
    }
  }

  @Test(
    "a refusal that says what to show shows it, and keeps the server's words",
    arguments: [
      ("ONBOARDING_FAILED", "endstate"), ("IDENTITY_VERIFICATION_FAILED", "failed"),
      ("ONBOARDING_PROCESS_LIMIT_REACHED", "endstate"), ("PRESENCE_CHECK_LIMIT_REACHED", "failed"),
      ("IDENTITY_VERIFICATION_LIMIT_REACHED", "failed"), ("INVALID_REQUEST", "none"), ("NEW_CODE", "none"),
    ])
  func refusals(code: String, shown: String) async throws {
    let service = try await activated()
    _ = try await service.status()
    // Once in the clear, once as the answer to an encrypted call.
    server.refuse(.consentText, code)
    server.refuse(.initPresenceCheck, code, status: 429)
    let failures = [
      await fail { () async throws(Fail) in _ = try await service.consentGet() },
      await fail { () async throws(Fail) in _ = try await service.presenceCheckInit() },
    ]
    for failure in failures {
      #expect(failure?.cause.restApiError?.code == code && name(failure?.state) == shown)
    }
  }

  @Test("a scanning library that gets no text gets an error")
  func noText() async throws {
    let service = try await activated()
    _ = try await service.status()
    server.override(.initDocumentSDK, #"{"status":"OK","responseObject":{"attributes":{"a":1}}}"#)
    let failure = await fail { () async throws(Fail) in _ = try await service.documentsInitSDK(challenge: "c") }
    #expect(failure?.cause.reason == .network_invalidResponseObject)
  }

  @Test("a server that does not tell its requirements is no error")
  func requirements() async throws {
    let service = try await activated()
    server.override(.configuration, #"{"status":"OK","responseObject":{"onboarding":{"enabled":true}}}"#)
    #expect(try await service.documentRequirements() == nil)
    server.override(.configuration, "", status: 404)
    #expect(try await service.documentRequirements() == nil)
    server.override(.configuration, "", status: 500)
    #expect(await fail { () async throws(Fail) in _ = try await service.documentRequirements() } != nil)
  }
}
