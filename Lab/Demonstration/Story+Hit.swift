// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import GatehouseApp
import RubixOnboarding
import Screening
import Specimens

extension DemoStage {
  /// A person with the name and birthday of a listed person: an officer looks, and finds another person.
  @Sendable
  func playHit() async throws {
    let story = try story(3, "A hit")
    try await underReview(story, of: 4)
    let id = try await story.phone.app.me().id
    try await story.step("an officer finds no match", to: .init(.amlScreeningSuccessful, next: .crs)) { _ in
      let agent = try await AgentClient.signIn(DemoApp.officerEmail, at: story.phone.address)
      guard let screening = try await agent.customer(id).screening, let hit = screening.hits.first else {
        return DemoAnswer("no hit", differences: ["the officer sees no hit"])
      }
      let cleared = try await agent.clear(id, screening)
      return DemoAnswer("\(hit.caption) \(percent(hit.score)), \(cleared.status.rawValue)")
    }
    try await forms(story)
  }

  /// A woman who is called as somebody of the list.
  /// - Parameter born: `YYYY-MM-DD`.
  func holder(_ number: UInt64, surname: String, givenNames: String, born: String) -> Holder {
    var holder = holder(number)
    (holder.surname, holder.givenNames, holder.sex) = (surname, givenNames, .female)
    holder.birthDate = CalendarDate(born) ?? holder.birthDate
    return holder
  }

  /// As far as the review of compliance.
  func underReview(_ story: DemoStory, of number: UInt64) async throws {
    let holder = holder(
      number, surname: DemoScreeningList.listedSurname, givenNames: DemoScreeningList.listedGivenNames,
      born: DemoScreeningList.listedDateOfBirth)
    try await register(story)
    try await faces(of: holder, story)
    try await licence(of: holder, story)
    try await contacts(story, mistyping: false)
    try await story.step("screening", to: .init(.amlScreeningFailed, next: nil, .inReview)) { app in
      let screening = try await app.screenAML()
      var answer = DemoAnswer("\(screening.status.rawValue), and no word more")
      answer.expect(screening.status == .underReview, "a listed person should be under review")
      return answer
    }
  }

  func licence(of holder: Holder, _ story: DemoStory) async throws {
    let papers = try DemoPapers(.drivingLicence, of: holder, seed: seed &+ 4, on: day, DemoPapers.careful)
    try await story.step(
      "driving licence", to: .init(.drivingLicenceUploaded, next: .processDocument(.drivingLicense))
    ) { app in
      DemoAnswer(try await app.upload(.drivingLicense, file: papers.picture(.front)).status.rawValue)
    }
    try await story.step("driving licence, read", to: .init(.drivingLicenceProcessed, next: .verifyDocuments)) { app in
      let document = try await app.process(.drivingLicense)
      return DemoAnswer(document.status.rawValue, read: papers.compare(print: document, .front))
    }
    try await story.step("verification", to: .init(.documentsMatched, next: .sendOTP(.sms))) { app in
      let verification = try await app.verifyDocuments()
      var answer = DemoAnswer(verification.status.rawValue)
      answer.expect(verification.status == .match, "the licence should match: \(verification.notPassed)")
      return answer
    }
  }

  private func percent(_ score: Double) -> String { "\(Int((score * 100).rounded())) %" }
}
