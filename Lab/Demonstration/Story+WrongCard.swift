// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import RubixOnboarding
import Specimens

extension DemoStage {
  /// The front of one person's card and the back of another's do not match; with the right back they do.
  @Sendable
  func playWrongCard() async throws {
    let story = try story(2, "The wrong card")
    let (holder, other) = (holder(2), holder(3))
    let own = try DemoPapers(.idCard, of: holder, seed: seed &+ 2, on: day, DemoPapers.careful)
    let foreign = try DemoPapers(.idCard, of: other, seed: seed &+ 3, on: day, DemoPapers.careful)
    try await register(story)
    try await faces(of: holder, story)
    try await side(.front, of: own, story, then: .uploadDocument(.nationalIDBack))
    try await side(.back, of: foreign, story, then: .verifyDocuments)
    try await story.step(
      "verification", to: .init(.documentsMismatched, next: .uploadDocument(.nationalIDFront))
    ) { app in
      let verification = try await app.verifyDocuments()
      let failed = verification.rules.filter { $0.result == .fail }.map(\.code).joined(separator: ", ")
      var answer = DemoAnswer("\(verification.status.rawValue): \(failed)")
      answer.expect(verification.status == .mismatch, "two people's sides should not match")
      answer.expect(verification.reupload.contains(.nationalIDBackSide), "the back should be taken again")
      return answer
    }
    try await side(.back, of: own, story, then: .verifyDocuments)
    try await story.step("verification", to: .init(.documentsMatched, next: .sendOTP(.sms))) { app in
      let verification = try await app.verifyDocuments()
      var answer = DemoAnswer("\(verification.status.rawValue) at attempt \(verification.attempt)")
      answer.expect(verification.status == .match, "the two sides should match: \(verification.notPassed)")
      return answer
    }
  }

  /// The back of another's card until the attempts are used up: a call is to decide, and is booked.
  @Sendable
  func playReview() async throws {
    let story = try story(14, "Documents that a call decides on")
    let own = try DemoPapers(.idCard, of: holder(2), seed: seed &+ 2, on: day, DemoPapers.careful)
    let foreign = try DemoPapers(.idCard, of: holder(3), seed: seed &+ 3, on: day, DemoPapers.careful)
    try await register(story)
    try await faces(of: holder(2), story)
    try await side(.front, of: own, story, then: .uploadDocument(.nationalIDBack))
    for left in [2, 1, 0] {
      try await side(.back, of: foreign, story, then: .verifyDocuments)
      let next: OnboardingScreen = left > 0 ? .uploadDocument(.nationalIDFront) : .appointment
      try await story.step(
        "verification", to: .init(.documentsMismatched, next: next, left > 0 ? .pending : .inReview)
      ) { app in
        let verification = try await app.verifyDocuments()
        return DemoAnswer("\(verification.status.rawValue), \(verification.attemptsLeft) attempts left")
      }
    }
    try await book(story, .inReview)
  }

  private func side(
    _ side: SpecimenSide, of papers: DemoPapers, _ story: DemoStory, then next: OnboardingScreen
  ) async throws {
    let kind: DocumentKind = side == .front ? .nationalIDFront : .nationalIDBack
    try await story.step("card, \(side.rawValue)", to: .init(kind.uploadedStep, next: .processDocument(kind))) { app in
      DemoAnswer(try await app.upload(kind, file: papers.picture(side)).status.rawValue)
    }
    try await story.step("card, \(side.rawValue) read", to: .init(kind.processedStep, next: next)) { app in
      let document = try await app.process(kind)
      let read = side == .front ? papers.compare(print: document, .front) : papers.compare(zone: document)
      return DemoAnswer(document.status.rawValue, read: read)
    }
  }
}
