// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import GatehouseApp
import Kit
import RubixOnboarding
import Specimens

/// Where the stories are played: one server, one clock, one log.
package struct DemoStage: Sendable {
  let address: URL
  let folder: String
  let seed: UInt64
  let clock: DemoClock
  let log: DemoLog

  /// - Parameters:
  ///   - folder: where the phones keep what they keep.
  ///   - seed: the same one plays the same people with the same papers.
  package init(address: URL, folder: String, seed: UInt64, clock: DemoClock, log: DemoLog) {
    (self.address, self.folder, self.seed, self.clock, self.log) = (address, folder, seed, clock, log)
  }

  /// Plays every story of the Rubix onboarding; one that breaks does not keep the next from being played.
  func playRubix() async throws {
    for story in [playCustomer, playWrongCard, playHit] {
      do { try await story() } catch is DemoStory.Broken {}
    }
  }

  var today: WireDate { clock.today }
  var day: CalendarDate { clock.day }

  func story(_ number: Int, _ title: String) throws -> DemoStory {
    DemoStory(title: title, phone: try DemoPhone(number: number, address: address, folder: folder), log: log)
  }

  /// A person whose name has no letter beyond A–Z: the reader of print knows no Ø and no Ł, and a name that it reads
  /// otherwise than the zone is one for an agent.
  func holder(_ number: UInt64) -> Holder {
    var holder = Holder.random(seed: seed &+ number, reference: day)
    holder.surname = Transliteration.words(of: holder.surname).joined(separator: " ")
    holder.givenNames = Transliteration.words(of: holder.givenNames).joined(separator: " ")
    return holder
  }
}

// MARK: - What several stories begin or end with

extension DemoStage {
  func register(_ story: DemoStory) async throws {
    let now = WireInstant(millisecondsSince1970: clock.now.milliseconds)
    try await story.step("register", to: .init(.registrationInitiated, next: .session)) { app in
      let view = try await app.register(
        RegisterRequest(
          deviceID: story.phone.deviceID, platform: .ios, contactNo: story.phone.contactNo, email: story.phone.email,
          locale: "en",
          consents: ConsentCode.known.map { ConsentGrant(code: $0, version: "2026-01", acceptedAt: now) }))
      return DemoAnswer("application \(view.id.suffix(12))")
    }
    try await story.step("open a capture session", to: .init(.registrationInitiated, next: .selfie)) { app in
      let session = try await app.createSession()
      return DemoAnswer("at least \(session.captureRequirements.minSidePixels) pixels a side")
    }
  }

  func faces(of holder: Holder, _ story: DemoStory) async throws {
    let pictures = try (0...3).map { try Selfie.draw(of: holder, seed: seed &+ $0, reference: day).data }
    try await story.step("three selfies", to: .init(.selfieUploaded, next: .liveness)) { app in
      var answer = DemoAnswer("")
      for (picture, subType) in zip(pictures, SelfieSubType.known) {
        let taken = try await app.uploadSelfie(picture, subType: subType)
        answer.text = "\(taken.subType.rawValue) accepted"
      }
      return answer
    }
    try await story.step(
      "liveness", to: .init(.livenessUploaded, next: .uploadDocument(.nationalIDFront))
    ) { app in
      let challenge = try await app.livenessChallenge()
      let taken = try await app.uploadLiveness(pictures[3], challengeID: challenge.challengeID)
      return DemoAnswer("\(challenge.kind.rawValue) challenge, \(taken.status.rawValue)")
    }
  }

  /// One code by SMS and one by e-mail, the first one mistyped once if asked for.
  func contacts(_ story: DemoStory, mistyping: Bool) async throws {
    for channel in OTPChannel.allCases {
      try await story.step(
        "code by \(channel.rawValue)", to: .init(channel.sentStep, next: .verifyOTP(channel))
      ) { app in
        let sent = try await app.sendOTP(channel)
        return DemoAnswer("to \(sent.destination), for \(sent.expiresIn) s")
      }
      let code = try await story.phone.code(channel)
      if mistyping {
        try await story.step(
          "a wrong code by \(channel.rawValue)", to: .init(channel.sentStep, next: .verifyOTP(channel))
        ) { app in
          try await DemoStory.refused(422, .otpMismatch) {
            _ = try await app.verifyOTP(channel, code: code == "123456" ? "654321" : "123456")
          }
        }
      }
      let next: OnboardingScreen = channel == .sms ? .sendOTP(.email) : .screening
      try await story.step(
        "the right code by \(channel.rawValue)", to: .init(channel.verifiedStep, next: next)
      ) { app in
        DemoAnswer(try await app.verifyOTP(channel, code: code).status.rawValue)
      }
    }
  }

  func forms(_ story: DemoStory) async throws {
    guard let forms = ComplianceForms(try await story.phone.app.me().customer, today: today) else {
      throw DemoStory.Broken()
    }
    try await story.step("CRS self-certification", to: .init(.crsSubmitted, next: .fatca)) { app in
      DemoAnswer("revision \(try await app.submitCRS(forms.crs).revision)")
    }
    try await story.step("FATCA, W-8BEN", to: .init(.fatcaSubmitted, next: .kyc)) { app in
      let receipt = try await app.submitFATCA(forms.fatca)
      return DemoAnswer("valid until \(receipt.validUntil?.description ?? "–")")
    }
    try await story.step("KYC questions", to: .init(.kycSubmitted, next: .appointment)) { app in
      DemoAnswer("revision \(try await app.submitKYC(forms.kyc).revision)")
    }
  }
}

extension DocumentVerification {
  /// The rules that did not pass, with their results.
  var notPassed: String {
    rules.filter { $0.result != .pass }.map { "\($0.code) \($0.result.rawValue)" }.joined(separator: ", ")
  }
}
