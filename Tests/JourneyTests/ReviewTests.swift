// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import RubixWire
import RubixFlow
import RubixOnboarding
import Testing

@testable import Demonstration
@testable import GatehouseApp

/// Checklist lines 8, 9, 11 and 12 through the whole stack.
@Suite("Journey: people decide")
struct ReviewTests {
  @Test("8. third mismatch: in_review, and the appointment is next with a reason; the agent's yes lets it go on")
  func thirdMismatch() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      let (own, foreign) = (try JourneyPapers.card, try JourneyPapers.otherCard)
      try await phone.document(.nationalIDFront, own, next: .uploadDocument(.nationalIDBack))
      try await phone.document(.nationalIDBack, foreign)
      for attempt in 1...3 {
        if attempt > 1 { try await phone.document(.nationalIDBack, foreign) }
        let verification = try await phone.app.verifyDocuments()
        #expect(verification.status == .mismatch && verification.attempt == attempt)
        #expect(verification.attemptsLeft == 3 - attempt)
        // Scores are for agents.
        #expect(verification.rules.allSatisfy { $0.score == nil && $0.threshold == nil })
      }
      try await phone.expect(.documentsMismatched, next: .appointment, .inReview)
      #expect(try await phone.app.me().nextSteps.first?.reason != nil)
      #expect(
        try await problem { _ = try await phone.app.upload(.nationalIDBack, file: own.picture(.back)) }?.code
          == .applicationInReview)
      let slots = try await phone.app.slots(from: journey.today, to: journey.today)
      let call = try await phone.app.book(AppointmentRequest(callTime: try #require(slots.slots.first).start))
      let agent = try await journey.agent(DemoApp.agentEmail)
      _ = try await agent.decide(phone.verdict(.successful, on: call))
      #expect(try await phone.app.me().status == .pending)
      #expect(try await phone.app.me().nextSteps.first?.screen == .sendOTP(.sms))
    }
  }

  @Test(
    "the app's barcode of another person names no customer: the desk is told, and asks for the picture again",
    .onOneEngine)
  func foreignBarcode() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      let payload =
        "@\n\u{1E}\rANSI 636000100101DL00310200DLDAQT64235789\nDCSSAMPLE\nDACMICHAEL\nDBD06062024\nDBB06061986\n"
        + "DBA12102034\nDBC1\nDAJVA\nDCFX1\nDCGUSA\r"
      _ = try await phone.app.upload(
        .drivingLicense, DocumentUploadRequest(file: JourneyPapers.licence.picture(.front), barcode: payload))
      let read = try await phone.app.process(.drivingLicense)
      #expect(read.barcode == nil)
      #expect(read.checks.contains(DocumentCheck(code: "barcode-consistency", result: .inconclusive)))
      for _ in 1...2 { #expect(try await phone.app.verifyDocuments().status == .undetermined) }
      let view = try await phone.app.me()
      #expect(view.status == .inReview && view.nextSteps.first?.screen == .appointment)
      #expect(view.customer.lastName == read.visualZone?.surname && view.customer.lastName != "SAMPLE")
      #expect(view.customer.dateOfBirth?.description == JourneyPapers.holder.birthDate.isoText)

      let slots = try await phone.app.slots(from: journey.today, to: journey.today)
      _ = try await phone.app.book(AppointmentRequest(callTime: try #require(slots.slots.first).start))
      let desk = try await journey.browser(DemoApp.agentEmail)
      let list = try await desk.open("/console/queue")
      let path = String(try #require(list.html.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
      #expect(try await desk.open(path).html.contains("The app sent the barcode of another holder: it was left out"))
      let words = "The front of your licence, please."
      let agent = try await journey.agent(DemoApp.agentEmail)
      await #expect(throws: AgentClient.Refused.self) { try await agent.ask(view.id, for: [.passport], words: words) }
      try await agent.ask(view.id, for: [.drivingLicense], words: words)
      let asked = try await phone.app.me()
      #expect(asked.status == .pending && asked.nextSteps.first?.screen == .uploadDocument(.drivingLicense))
      #expect(asked.nextSteps.first?.message == words)
    }
  }

  @Test("9. AML: a hit is under review for the customer, and nothing of list, hit or score leaks", .onOneEngine)
  func hit() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport(JourneyPapers.listedPassport)
      try await phone.contacts()
      #expect(try await phone.app.screenAML().status == .underReview)
      try await phone.expect(.amlScreeningFailed, next: nil, .inReview)
      #expect(try await phone.app.resume() == .waiting(.review))
      #expect(try await problem { _ = try await phone.app.screenAML() }?.code == .applicationInReview)
      for path in ["aml/screening", "auth/me", "steps"] {
        let text = try await Self.raw(path, phone)
        for word in ["UTOPIA_DEMO", "UD-001", "score", "hit", "list", "sanction"] {
          #expect(!text.contains(word), "\(path) says \(word)")
        }
      }
      let officer = try await journey.agent(DemoApp.officerEmail)
      let id = try await phone.app.me().id
      let screening = try #require(try await officer.customer(id).screening)
      #expect(screening.hits.first?.entityID == "UD-001")
      // Taking calls is no leave to decide on hits.
      let agent = try await journey.agent(DemoApp.agentEmail)
      await #expect(throws: AgentClient.Refused.self) { try await agent.clear(id, screening) }
    }
  }

  @Test("9. AML: provider down is 502 and changes no step; 12. without the permission a verdict is 403", .onOneEngine)
  func providerDown() async throws {
    try await JourneyTestApp.run(lists: false) { journey in
      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport()
      try await phone.contacts()
      let down = try await problem { _ = try await phone.app.screenAML() }
      #expect(down?.status == 502 && down?.code == .providerError)
      try await phone.expect(.emailOTPVerified, next: .screening)
      let officer = try await journey.agent(DemoApp.officerEmail)
      let nobody = AgentVerificationRequest(
        appointmentID: try await phone.app.me().id, customerID: try await phone.app.me().id, verdict: .successful,
        checklist: [])
      do {
        _ = try await officer.decide(nobody)
        Issue.record("an officer without attend:video decided on a call")
      } catch let refused as AgentClient.Refused {
        #expect(refused.description.contains("403 forbidden"))
      }
    }
  }

  @Test(
    "11. the last place: one customer gets it, the other is told slot-taken; 12. a verdict twice is one verdict",
    .onOneEngine)
  func lastPlace() async throws {
    try await JourneyTestApp.run { journey in
      let phones = [JourneyPhone(journey, number: 1), JourneyPhone(journey, number: 2)]
      for phone in phones {
        try await phone.matchedByPassport()
        try await phone.contacts()
        try await phone.screened()
        try await phone.forms()
      }
      let slot = try #require(try await phones[0].app.slots(from: journey.today, to: journey.today).slots.first)
      #expect(slot.capacityLeft == 1)
      let wish = AppointmentRequest(callTime: slot.start)
      async let first = problem { _ = try await phones[0].app.book(wish) }
      async let second = problem { _ = try await phones[1].app.book(wish) }
      let refusals = try await [first, second]
      #expect(refusals.compactMap { $0?.code } == [.slotTaken])
      let winner = phones[refusals[0] == nil ? 0 : 1]
      let call = try #require(try await winner.app.currentAppointment())
      let agent = try await journey.agent(DemoApp.agentEmail)
      let verdict = try await winner.verdict(.successful, on: call)
      let said = try await agent.decide(verdict)
      #expect(try await agent.decide(verdict) == said)
      var other = verdict
      other.notes = "On second thoughts"
      let changed = other
      await #expect(throws: AgentClient.Refused.self) { _ = try await agent.decide(changed) }
      #expect(try await problem { _ = try await winner.app.createSession() }?.code == .applicationClosed)
    }
  }

  private static func raw(_ path: String, _ phone: JourneyPhone) async throws -> String {
    let answer = try await phone.journey.transport.send(
      TransportRequest(
        method: "GET", url: JourneyTestApp.address.appending(path: "api/v1/onboarding/\(path)"),
        headers: [OnboardingHeader.accessToken: try #require(try await phone.store.load()).accessToken]))
    #expect(answer.status == 200)
    return String(decoding: answer.body, as: UTF8.self)
  }
}
