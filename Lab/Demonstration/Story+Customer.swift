// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import GatehouseWire
import RubixOnboarding
import Specimens

extension DemoStage {
  /// From registration to a customer: passport, codes, screening, forms, a call with an agent.
  @Sendable
  func playCustomer() async throws {
    let story = try story(1, "A customer")
    let holder = holder(1)
    try await register(story)
    try await faces(of: holder, story)
    try await renewal(story)
    try await passport(of: holder, story)
    try await restart(story, at: .init(.documentsMatched, next: .sendOTP(.sms)))
    try await contacts(story, mistyping: true)
    try await story.step("screening", to: .init(.amlScreeningSuccessful, next: .crs)) { app in
      let screening = try await app.screenAML()
      var answer = DemoAnswer(screening.status.rawValue)
      answer.expect(screening.status == .clean, "the screening should be clean")
      return answer
    }
    try await forms(story)
    try await call(story)
  }

  /// The access token dies of age; the SDK notices, renews it and repeats the call.
  private func renewal(_ story: DemoStory) async throws {
    clock.advance(by: .seconds(16 * 60))
    let before = try await story.phone.keptTokens()
    try await story.step(
      "16 minutes later: new tokens", to: .init(.livenessUploaded, next: .uploadDocument(.nationalIDFront))
    ) { app in
      _ = try await app.steps()
      let after = try await story.phone.keptTokens()
      var answer = DemoAnswer("both tokens are new")
      answer.expect(
        after?.accessToken != before?.accessToken && after?.refreshToken != before?.refreshToken,
        "the tokens were not renewed")
      return answer
    }
  }

  func passport(of holder: Holder, _ story: DemoStory) async throws {
    let hasty = try DemoPapers(.passport, of: holder, seed: seed, on: day, DemoPapers.blurred)
    let careful = try DemoPapers(.passport, of: holder, seed: seed, on: day, DemoPapers.careful)
    try await story.step(
      "passport, a blurred picture", to: .init(.livenessUploaded, next: .uploadDocument(.nationalIDFront))
    ) { app in
      try await DemoStory.refused(422, .imageQuality) {
        _ = try await app.upload(.passport, file: hasty.picture(.page))
      }
    }
    try await story.step("passport, a good picture", to: .init(.passportUploaded, next: .processDocument(.passport))) {
      DemoAnswer(try await $0.upload(.passport, file: careful.picture(.page)).status.rawValue)
    }
    try await story.step("passport, read", to: .init(.passportProcessed, next: .verifyDocuments)) { app in
      let document = try await app.process(.passport)
      var answer = DemoAnswer(document.status.rawValue, read: careful.compare(zone: document))
      answer.expect(document.mrz?.lines == careful.truth.mrz, "the zone differs from the printed one")
      return answer
    }
    try await story.step("verification", to: .init(.documentsMatched, next: .sendOTP(.sms))) { app in
      let verification = try await app.verifyDocuments()
      let face = verification.rules.first { $0.code.hasPrefix("face") }?.result.rawValue ?? "–"
      var answer = DemoAnswer("\(verification.status.rawValue), faces \(face): no model")
      answer.expect(verification.status == .match, "the verification should match: \(verification.notPassed)")
      return answer
    }
  }

  /// The app is killed and opened again; only the token file is left.
  private func restart(_ story: DemoStory, at place: DemoStory.Place) async throws {
    let before = try await story.phone.app.resume()
    try await story.phone.restart()
    try await story.step("killed, opened again", to: place) { app in
      let after = try await app.resume()
      var answer = DemoAnswer("resumes where it was")
      answer.expect(after == before, "the app resumes elsewhere")
      return answer
    }
  }

  private func call(_ story: DemoStory) async throws {
    try await story.step("a call is booked", to: .init(.agentVerificationScheduled, next: nil)) { [today] app in
      let soon = WireDate(daysSince1970: today.daysSince1970 + 2)
      let slots = try await app.slots(from: today, to: soon, gender: .female)
      guard let slot = slots.slots.first else { return DemoAnswer("no slot", differences: ["no agent is free"]) }
      let appointment = try await app.book(AppointmentRequest(callTime: slot.start, gender: .female, language: "en"))
      return DemoAnswer("\(appointment.callTime), one of \(slots.slots.count) slots")
    }
    let me = try await story.phone.app.me()
    let now = clock.now.milliseconds
    let call = CallRecord(
      startedAt: WireInstant(millisecondsSince1970: now - 60_000), endedAt: WireInstant(millisecondsSince1970: now))
    try await story.step(
      "the agent looks and decides", to: .init(.agentVerificationSuccessful, next: nil, .completed)
    ) { _ in
      let agent = try await AgentClient.signIn(DemoApp.agentEmail, at: story.phone.address)
      let customer = try await agent.customer(me.id)
      let verdict = try await agent.decide(
        AgentVerificationRequest(
          appointmentID: me.appointment?.id ?? "", customerID: me.id, verdict: .successful,
          checklist: ["face-matches-document", "document-shown-live", "customer-understands", "no-coercion"].map {
            ChecklistItem(code: $0, result: .yes)
          }, call: call))
      var answer = DemoAnswer("\(verdict.verdict.rawValue) after \(customer.timeline.count) lines of history")
      answer.expect(customer.readings.count == 1, "the 360° view shows \(customer.readings.count) readings, not one")
      answer.expect(customer.compliance.count == 3, "the 360° view shows \(customer.compliance.count) forms, not three")
      answer.expect(customer.customer.lastName == me.customer.lastName, "the 360° view shows another name")
      return answer
    }
  }
}
