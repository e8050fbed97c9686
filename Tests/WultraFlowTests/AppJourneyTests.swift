import Foundation
import GatehouseWire
import Kit
import PowerAuth2
import Synchronization
import TestSupport
import Testing
import WultraDigitalOnboarding
import WultraPowerAuthNetworking

@testable import WultraFlow

/// The acceptance scenarios of wultra-onboarding.md §8, by our SDK. The app is started anew for every step (scenario 3).
@Suite("Wultra journeys: our SDK on our server, the app killed between any two steps")
struct AppJourneyTests {
  private typealias Fail = WDOVerificationService.Fail

  @Test("a user is onboarded and verified, shown what the server says at each step")
  func happy() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      let house = phone.house
      try await phone.activation().start(credentials: AppPhone.Credentials())
      try await house.settle()
      #expect(try await phone.activation().status() == .activationInProgress)
      let code = try await phone.activation().getOTP()
      #expect(try code == house.lastCode())
      let sdk = phone.start()
      _ = try await WDOActivationService(networking: phone.networking(sdk)).activate(otp: code)
      try sdk.persistActivation(withPassword: AppPhone.pin)
      #expect(try await phone.start().fetchActivationStatus().verificationPending)
      #expect(!phone.activation().hasActiveProcess)

      #expect(try await phone.shown() == "intro")
      guard case .consent(let text) = try await phone.informed().consentGet().state else {
        Issue.record("no consent")
        return
      }
      #expect(text == "<p>Yes?</p>")
      #expect(AppPhone.name(try await phone.informed().consentApprove().state) == "documentsToScanSelect")
      #expect(try await phone.start().fetchActivationStatus().verificationInProgress)
      #expect(try await phone.shown() == "documentsToScanSelect")
      let requirements = try #require(try await phone.verification().documentRequirements())
      #expect(requirements.areMet(by: [.idCard, .driversLicense]) && !requirements.areMet(by: [.idCard]))
      _ = try await phone.verification().documentsSetSelectedTypes(types: [.idCard, .driversLicense])
      #expect(try await phone.shown() == "scanDocument")
      #expect(try await phone.informed().documentsInitSDK(challenge: "c") == "for c")
      let fractions = Mutex<[Double]>([])
      let sent = try await phone.informed().documentsSubmit(
        files: [
          phone.file(.idCard, .front, FakePicture.good), phone.file(.idCard, .back, FakePicture.good),
          phone.file(.driversLicense, .front, FakePicture.good),
        ], progressCallback: { fraction in fractions.withLock { $0.append(fraction) } })
      #expect(AppPhone.name(sent.state) == "documentUpload")
      let told = fractions.withLock { $0 }
      #expect(told.last == 1 && zip(told, told.dropFirst()).allSatisfy { $0 < $1 })
      #expect(try await phone.shown() == "presenceCheck")
      try await phone.checkPresence()
      #expect(try await phone.shown() == "otp -")
      let right = try await phone.informed().getOTP()
      #expect(
        AppPhone.name(try await phone.informed().verifyOTP(otp: WultraHouse.wrong(right)).state) == "otp 4")
      #expect(AppPhone.name(try await phone.informed().verifyOTP(otp: right).state) == "other")
      #expect(try await phone.shown() == "success")
      #expect(try await !phone.start().fetchActivationStatus().needVerification)
      #expect(try await house.auditFaults().isEmpty)
    }
  }

  @Test("a picture that cannot be read is asked for again and replaced; with a new one beside it nothing is taken")
  func again() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      try await phone.onboard()
      try await phone.consent()
      try await phone.submit(front: FakePicture.unreadable)
      guard case .scanDocument(let process) = try await phone.verification().status() else {
        Issue.record("not asked for again")
        return
      }
      let next = try #require(process.nextDocumentToScan)
      #expect(next.type == .idCard && next.uploadState == .rejected)
      let file = next.createFileForUpload(side: .front, data: FakePicture.good)
      #expect(file.originalDocumentId != nil)
      let mixed = [file, phone.file(.passport, .front, FakePicture.good)]
      let refused = await failure { () async throws(Fail) in
        _ = try await phone.informed().documentsSubmit(files: mixed)
      }
      #expect(refused?.cause.restApiError?.errorCode == .documentSubmitFailed)
      _ = try await phone.informed().documentsSubmit(files: [file])
      #expect(try await phone.shown() == "presenceCheck")
    }
  }

  @Test("an app that lost what the user chose after the upload shows that it failed, and can begin again")
  func lostChoice() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      try await phone.onboard()
      try await phone.consent()
      try await phone.submit(front: FakePicture.unreadable)
      phone.store.remove("wdocp_app")
      #expect(try await phone.shown() == "failed")
      #expect(AppPhone.name(try await phone.informed().restartVerification().state) == "intro")
      #expect(try await phone.shown() == "intro")
    }
  }

  @Test("five wrong codes fail the verification, which can be begun again")
  func wrongCodes() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      try await phone.onboard()
      try await phone.consent()
      try await phone.submit()
      try await phone.checkPresence()
      let wrong = WultraHouse.wrong(try phone.house.lastCode())
      for left in [4, 3, 2, 1] {
        #expect(AppPhone.name(try await phone.informed().verifyOTP(otp: wrong).state) == "otp \(left)")
      }
      let last = await failure { () async throws(Fail) in _ = try await phone.informed().verifyOTP(otp: wrong) }
      #expect(last?.cause.reason == .wdo_verification_otpFailed)
      #expect(try await phone.shown() == "failed")
      #expect(AppPhone.name(try await phone.informed().restartVerification().state) == "intro")
      #expect(try await phone.shown() == "intro")
    }
  }

  @Test("documents of two persons end the process; after cancelling a new one can begin")
  func rejected() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      try await phone.onboard()
      try await phone.consent()
      try await phone.submit(front: FakePicture.mismatch)
      #expect(try await phone.shown() == "endstate rejected")
      try await phone.informed().cancelWholeProcess()
      phone.start().removeActivationLocal()
      #expect(phone.start().canStartActivation())
      try await phone.onboard()
      #expect(try await phone.shown() == "intro")
    }
  }

  @Test("beginning again too often ends the process")
  func limit() async throws {
    try await AppPhone.run(WultraHouse { $0.errorScoreMax = 1000 }) { phone in
      try await phone.onboard()
      for _ in 0..<5 {
        try await phone.consent()
        _ = try await phone.informed().restartVerification()
      }
      let last = await failure { () async throws(Fail) in _ = try await phone.informed().consentApprove() }
      #expect(AppPhone.name(last?.state) == "endstate limitReached")
      #expect(last?.cause.httpStatusCode == 429)
    }
  }

  @MainActor
  private final class Screen: WDOVerificationServiceDelegate {
    private(set) var states: [PowerAuthActivationState] = []
    nonisolated init() {}
    func powerAuthActivationStatusChanged(_ sender: WDOVerificationService, status: PowerAuthActivationStatus) {
      states.append(status.state)
    }
    func verificationStatusChanged(_ sender: WDOVerificationService, status: WDOVerificationState) {}
  }

  @Test("an activation that is blocked in the middle is told as such, to the delegate as well")
  func blocked() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      try await phone.onboard()
      try await phone.consent()
      let service = try await phone.informed()
      let screen = Screen()
      service.delegate = screen
      let id = try #require(phone.start().activationIdentifier)
      _ = try await phone.house.activations.block(.init(rawValue: id), by: .system)
      let failed = await failure { () async throws(Fail) in _ = try await service.status() }
      #expect(failed?.cause.reason == .wdo_verification_activationNotActive)
      #expect(await screen.states == [.blocked])
    }
  }

  @Test("a wrong activation code counts down; the last one ends the process on the phone")
  func activationCodes() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      try await phone.activation().start(credentials: AppPhone.Credentials())
      try await phone.house.settle()
      let wrong = WultraHouse.wrong(try phone.house.lastCode())
      for left in [4, 3, 2, 1, 0] {
        do throws(WPNError) {
          _ = try await phone.activation().activate(otp: wrong)
          Issue.record("activated")
        } catch {
          #expect(error.onboardingOtpRemainingAttempts == left && error.allowOnboardingOtpRetry == (left > 0))
        }
        #expect(phone.activation().hasActiveProcess == (left > 0))
      }
    }
  }

  @Test("a presence check that was refused still asks for the code, and begins again after it")
  func neutral() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      try await phone.onboard()
      try await phone.consent()
      try await phone.submit()
      try await phone.checkPresence(nil)
      #expect(try await phone.shown() == "otp -")
      let code = try phone.house.lastCode()
      let failed = await failure { () async throws(Fail) in _ = try await phone.informed().verifyOTP(otp: code) }
      #expect(failed?.cause.reason == .wdo_verification_otpFailed)
      #expect(try await phone.shown() == "presenceCheck")
      try await phone.checkPresence()
      _ = try await phone.informed().verifyOTP(otp: try phone.house.lastCode())
      #expect(try await phone.shown() == "success")
    }
  }

  @Test("an unknown user and a known one look the same to the app")
  func unknown() async throws {
    try await AppPhone.run(WultraHouse()) { phone in
      for _ in 0..<2 {
        let service = WDOActivationService(networking: phone.networking(phone.start()), canRestoreSession: false)
        try await service.start(credentials: AppPhone.Credentials(clientNumber: "nobody"))
        try await phone.house.settle()
        #expect(try await service.status() == .activationInProgress)
      }
      #expect(phone.house.bank.messages.isEmpty)
    }
  }

  private func failure<Value>(_ work: () async throws(Fail) -> Value) async -> Fail? {
    do throws(Fail) { _ = try await work() } catch { return error }
    return nil
  }
}
