// SPDX-License-Identifier: Apache-2.0

import PowerAuth2
import WultraDigitalOnboarding
import WultraPowerAuthNetworking

extension WultraStory {
  package static let all = [
    verified, replaced, lostChoice, wrongCodes, endedAndBegunAnew, blocked, wrongActivationCodes, hiddenRefusal,
  ]

  static let verified = WultraStory(1, "A customer is verified") { run in
    try await run.onboard()
    try await run.consent()
    try await run.step("the flag says so", shows: "verificationInProgress") { StoryAnswer(try await $0.flags()) }
    try await run.choose()
    try await run.step("starts the scanner's library", shows: "scanDocument idCard notUploaded") { phone in
      let text = try await phone.informed().documentsInitSDK(challenge: "scanner")
      return StoryAnswer(try await phone.shown().shown, note: "\(text.count) characters for it")
    }
    try await run.send()
    try await run.step("waits", shows: "presenceCheck") { try await $0.shown() }
    try await run.showFace()
    let code = try await run.phone.code()
    try await run.step("mistypes the code", shows: "otp 4 left") { phone in
      StoryAnswer(try await phone.informed().verifyOTP(otp: StoryPhone.wrong(code)).state.line)
    }
    try await run.step("types the code", shows: "processing other") { phone in
      StoryAnswer(try await phone.informed().verifyOTP(otp: code).state.line)
    }
    try await run.step("waits", shows: "success") { try await $0.shown() }
    try await run.step("the flags are gone", shows: "no verification needed") { StoryAnswer(try await $0.flags()) }
  }

  static let replaced = WultraStory(2, "A picture is taken again") { run in
    try await run.onboard()
    try await run.consent()
    try await run.choose()
    try await run.send(front: .blurredCardFront)
    try await run.step("waits", shows: "scanDocument idCard rejected") { try await $0.shown() }
    try await run.step("sends it again, with a new one", shows: "DOCUMENT_SUBMIT_FAILED") { phone in
      let files = [try await phone.again(.cardFront), try phone.file(.passport, .front, .cardFront)]
      return try await StoryRun.refused { _ = try await phone.informed().documentsSubmit(files: files) }
    }
    try await run.step("sends it again", shows: "processing documentUpload") { phone in
      let files = [try await phone.again(.cardFront)]
      return StoryAnswer(try await phone.informed().documentsSubmit(files: files).state.line)
    }
    try await run.step("waits", shows: "presenceCheck") { try await $0.shown() }
  }

  static let lostChoice = WultraStory(3, "An app forgets what was chosen") { run in
    try await run.onboard()
    try await run.consent()
    try await run.choose()
    try await run.send(front: .blurredCardFront)
    try await run.step("waits", shows: "scanDocument idCard rejected") { try await $0.shown() }
    try await run.step("loses a part of its data", shows: "failed") { phone in
      phone.loseChoice()
      return try await phone.shown()
    }
    try await run.restart()
  }

  static let wrongCodes = WultraStory(4, "Five wrong codes") { run in
    try await run.onboard()
    try await run.handInDocuments()
    try await run.showFace()
    let wrong = StoryPhone.wrong(try await run.phone.code())
    for left in [4, 3, 2, 1] {
      try await run.step("a wrong code", shows: "otp \(left) left") { phone in
        StoryAnswer(try await phone.informed().verifyOTP(otp: wrong).state.line)
      }
    }
    try await run.step("a wrong code", shows: "wdo_verification_otpFailed") { phone in
      try await StoryRun.refused { _ = try await phone.informed().verifyOTP(otp: wrong) }
    }
    try await run.step("opens the app", shows: "failed") { try await $0.shown() }
    try await run.restart()
  }

  static let endedAndBegunAnew = WultraStory(5, "Another's licence, too many tries") { run in
    try await run.onboard()
    try await run.consent()
    try await run.choose()
    try await run.send(licence: .foreignLicence)
    try await run.step("waits", shows: "endstate rejected") { try await $0.shown() }
    try await run.cancel()
    try await run.onboard()
    for _ in 0..<5 {
      try await run.consent()
      try await run.restart()
    }
    try await run.step("begins", shows: "consent") { StoryAnswer(try await $0.informed().consentGet().state.line) }
    try await run.step("consents", shows: "ONBOARDING_PROCESS_LIMIT_REACHED, endstate limitReached") { phone in
      try await StoryRun.refused { _ = try await phone.informed().consentApprove() }
    }
    try await run.cancel()
  }

  static let blocked = WultraStory(6, "The activation is blocked in the middle") { run in
    try await run.onboard()
    try await run.consent()
    try await run.step("opens the app", shows: "wdo_verification_activationNotActive") { phone in
      let (service, screen) = (try await phone.informed(), StoryScreen())
      service.delegate = screen
      guard let id = phone.powerAuth().activationIdentifier else { return StoryAnswer("no activation") }
      try await phone.stage.staff.block(id)
      var answer = try await StoryRun.refused { _ = try await service.status() }
      let told = await screen.states
      if told != [.blocked] { answer.shown += ", told \(told)" }
      answer.note = "the delegate is told that it is blocked"
      return answer
    }
  }

  static let wrongActivationCodes = WultraStory(7, "Five wrong activation codes") { run in
    try await run.step("says who they are", shows: "activationInProgress") { phone in
      try await phone.start()
      return StoryAnswer(try await phone.activation().status().word)
    }
    let wrong = StoryPhone.wrong(try await run.phone.code())
    for left in [4, 3, 2, 1, 0] {
      let expected = left > 0 ? "\(left) left" : "0 left, process forgotten"
      try await run.step("a wrong code", shows: expected) { phone in
        do throws(WPNError) { _ = try await phone.activation().activate(otp: wrong) } catch {
          guard let remaining = error.onboardingOtpRemainingAttempts, error.allowOnboardingOtpRetry == (remaining > 0)
          else { return StoryAnswer(error.reason.rawValue) }
          return StoryAnswer("\(remaining) left" + (phone.activation().hasActiveProcess ? "" : ", process forgotten"))
        }
        return StoryAnswer("activated")
      }
    }
  }

  static let hiddenRefusal = WultraStory(8, "A presence check that is refused") { run in
    try await run.onboard()
    try await run.handInDocuments()
    try await run.step("shows no face", shows: "processing verifyingPresence") { phone in
      let service = try await phone.informed()
      _ = try await service.presenceCheckInit()
      return StoryAnswer(try await service.presenceCheckSubmit().state.line)
    }
    try await run.step("waits", shows: "otp 5 left") { try await $0.shown() }
    try await run.step("types the code", shows: "wdo_verification_otpFailed") { phone in
      let code = try await phone.code()
      return try await StoryRun.refused { _ = try await phone.informed().verifyOTP(otp: code) }
    }
    try await run.step("opens the app", shows: "presenceCheck") { try await $0.shown() }
    try await run.showFace()
    try await run.typeCode()
  }
}

extension StoryRun {
  fileprivate func restart() async throws {
    try await step("begins anew", shows: "intro") { phone in
      StoryAnswer(try await phone.informed().restartVerification().state.line)
    }
    try await step("opens the app", shows: "intro") { try await $0.shown() }
  }

  fileprivate func cancel() async throws {
    try await step("gives up", shows: "nothing, as freshly installed") { phone in
      try await phone.informed().cancelWholeProcess()
      phone.powerAuth().removeActivationLocal()
      return StoryAnswer(phone.powerAuth().canStartActivation() ? "nothing, as freshly installed" : "an activation")
    }
  }
}

extension StoryPhone {
  struct NotAskedFor: Error {}

  /// In place of the picture that was refused.
  fileprivate func again(_ picture: StoryPicture) async throws -> WDODocumentFile {
    guard case .scanDocument(let process) = try await verification().status(), let next = process.nextDocumentToScan
    else { throw NotAskedFor() }
    return next.createFileForUpload(side: .front, data: try stage.picture(picture))
  }
}

/// Who is told beside the caller.
@MainActor
private final class StoryScreen: WDOVerificationServiceDelegate {
  private(set) var states: [PowerAuthActivationState] = []

  nonisolated init() {}

  func powerAuthActivationStatusChanged(_ sender: WDOVerificationService, status: PowerAuthActivationStatus) {
    states.append(status.state)
  }

  func verificationStatusChanged(_ sender: WDOVerificationService, status: WDOVerificationState) {}
}
