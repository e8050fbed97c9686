// SPDX-License-Identifier: Apache-2.0

import Synchronization
import WultraDigitalOnboarding

/// What several stories begin or end with.
extension StoryRun {
  /// As far as an activation with a PIN.
  func onboard() async throws {
    try await step("says who they are", shows: "activationInProgress") { phone in
      try await phone.start()
      return StoryAnswer(try await phone.activation().status().word)
    }
    try await step("types the code, chooses a PIN", shows: "verificationPending") { phone in
      try await phone.activate(phone.code())
      return phone.activation().hasActiveProcess ? StoryAnswer("a process") : StoryAnswer(try await phone.flags())
    }
    try await step("opens the app", shows: "intro") { try await $0.shown() }
  }

  /// As far as the choice of documents.
  func consent() async throws {
    try await step("begins", shows: "consent") { phone in
      let state = try await phone.informed().consentGet().state
      guard case .consent(let text) = state else { return StoryAnswer(state.line) }
      return StoryAnswer(state.line, note: "\(text.count) characters to consent to")
    }
    try await step("consents", shows: "documentsToScanSelect") { phone in
      StoryAnswer(try await phone.informed().consentApprove().state.line)
    }
  }

  func choose() async throws {
    let types: [WDODocumentType] = [.idCard, .driversLicense]
    try await step("chooses a card and a licence", shows: "scanDocument idCard notUploaded") { phone in
      let requirements = try await phone.verification().documentRequirements()
      let state = try await phone.verification().documentsSetSelectedTypes(types: types).state
      return StoryAnswer(
        state.line,
        note: requirements.map { "they \($0.areMet(by: types) ? "will" : "will not") do" } ?? "")
    }
  }

  /// Sends a card and a licence, with a progress that only rises.
  func send(front: StoryPicture = .cardFront, licence: StoryPicture = .licence) async throws {
    try await step("sends three pictures", shows: "processing documentUpload") { phone in
      let fractions = Mutex<[Double]>([])
      let files = [
        try phone.file(.idCard, .front, front), try phone.file(.idCard, .back, .cardBack),
        try phone.file(.driversLicense, .front, licence),
      ]
      let sent = try await phone.informed().documentsSubmit(files: files) { fraction in
        fractions.withLock { $0.append(fraction) }
      }
      let told = fractions.withLock { $0 }
      guard told.last == 1, zip(told, told.dropFirst()).allSatisfy({ $0 < $1 }) else {
        return StoryAnswer("a progress of \(told)")
      }
      return StoryAnswer(sent.state.line, note: "progress rose in \(told.count) steps")
    }
  }

  /// As far as the presence check.
  func handInDocuments() async throws {
    try await consent()
    try await choose()
    try await send()
    try await step("waits", shows: "presenceCheck") { try await $0.shown() }
  }

  /// As far as the code, which a person's judgement of the face comes before.
  func showFace() async throws {
    try await step("shows the face", shows: "processing verifyingPresence") { phone in
      let service = try await phone.informed()
      try await phone.takeFace(try await service.presenceCheckInit())
      return StoryAnswer(try await service.presenceCheckSubmit().state.line)
    }
    try await step("waits while an agent compares the faces", shows: "otp 5 left") { phone in
      for _ in 0..<600 {
        if try await phone.stage.staff.decide(true) { return try await phone.shown() }
        try await phone.stage.wait()
      }
      throw StoryPhone.NothingCame()
    }
  }

  func typeCode() async throws {
    try await step("types the code", shows: "processing other") { phone in
      let code = try await phone.code()
      return StoryAnswer(try await phone.informed().verifyOTP(otp: code).state.line)
    }
    try await step("waits", shows: "success") { try await $0.shown() }
  }
}

extension StoryPhone {
  /// What the activation says of the verification.
  func flags() async throws -> String {
    let status = try await powerAuth().fetchActivationStatus()
    if status.verificationPending { return "verificationPending" }
    return status.verificationInProgress ? "verificationInProgress" : "no verification needed"
  }
}

extension WDOActivationService.Status {
  var word: String { description.split(separator: ".").last.map(String.init) ?? "" }
}
