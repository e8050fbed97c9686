// SPDX-License-Identifier: Apache-2.0

import RubixWire
import RubixFlow
import RubixOnboarding
import Testing

@testable import Demonstration
@testable import GatehouseApp

/// Door to door. Inside, after every step, the app is killed and has to be told the same next steps (checklist line 3),
/// and every answer is held against the files of docs/api, joined.
@Suite("Journey: from registration to customer")
struct WholeJourneyTests {
  @Test("2. each document path alone: the passport; and every call sent twice under its key is answered alike")
  func passport() async throws {
    try await JourneyTestApp.run(repeating: true) { journey in
      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport()
      try await phone.completed()
    }
  }

  @Test("2. each document path alone: the national id, front and back")
  func nationalID() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      try await phone.document(.nationalIDFront, JourneyPapers.card, next: .uploadDocument(.nationalIDBack))
      try await phone.document(.nationalIDBack, JourneyPapers.card)
      try await phone.matched()
      try await phone.completed()
    }
  }

  @Test("2. each document path alone: the driving licence")
  func drivingLicence() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      try await phone.document(.drivingLicense, JourneyPapers.licence)
      try await phone.matched()
      try await phone.completed()
    }
  }

  @Test(
    "2. every constant is reached: all_of all documents, a mismatch, a cleared hit, a call that is made again")
  func everyStep() async throws {
    let policy = DocumentPolicy(allOf: [
      [.nationalIDFrontSide, .nationalIDBackSide], [.passport], [.drivingLicense],
    ])
    try await JourneyTestApp.run(documents: policy) { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      let (listed, card) = (try JourneyPapers.listedPassport, try JourneyPapers.listedCard)
      try await phone.document(.nationalIDFront, card, next: .uploadDocument(.nationalIDBack))
      try await phone.document(.nationalIDBack, JourneyPapers.otherCard, next: .uploadDocument(.passport))
      try await phone.document(.passport, listed, next: .uploadDocument(.drivingLicense))
      try await phone.document(.drivingLicense, JourneyPapers.listedLicence)
      let mismatch = try await phone.app.verifyDocuments()
      #expect(mismatch.status == .mismatch && mismatch.reupload.contains(.nationalIDBackSide))
      try await phone.expect(
        .documentsMismatched, next: DocumentKind(documentType: mismatch.reupload[0]).map { .uploadDocument($0) })
      try await phone.document(.nationalIDBack, card)
      try await phone.matched()
      try await phone.contacts()
      #expect(try await phone.app.screenAML().status == .underReview)
      try await phone.expect(.amlScreeningFailed, next: nil, .inReview)
      let officer = try await journey.agent(DemoApp.officerEmail)
      let id = try await phone.app.me().id
      let screening = try #require(try await officer.customer(id).screening)
      #expect(try await officer.clear(id, screening).status == .clean)
      try await phone.expect(.amlScreeningSuccessful, next: .crs)
      try await phone.forms()
      let agent = try await journey.agent(DemoApp.agentEmail)
      let first = try await phone.verdict(.failed, on: phone.booked(), reason: .technical, retry: true)
      #expect(try await agent.decide(first).retryAllowed)
      try await phone.expect(.agentVerificationFailed, next: .appointment)
      #expect(try await agent.decide(phone.verdict(.successful, on: phone.booked())).customerStatus == .completed)
      try await phone.expect(.agentVerificationSuccessful, next: nil, .completed)
      #expect(OnboardingStep.known.filter { !journey.record.steps.contains($0) } == [])
    }
  }
}
