// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseUI
import GatehouseWire
import Kit
import OnboardingUI
import RubixOnboarding
import Testing

@testable import Demonstration
@testable import GatehouseApp

/// The screens of the onboarding, pressed by their ids, over the product's own router.
@Suite("Journey: the screens of the Rubix onboarding", .onOneEngine)
struct ScreenJourneyTests {
  @Test("from consent to an open account by pressing what is shown; an app that is killed shows the same again")
  func whole() async throws {
    try await JourneyTestApp.run { journey in
      let customer = await ScreenCustomer(journey)
      try await customer.play()
    }
  }
}

/// A customer who presses what the screens show.
@MainActor
private final class ScreenCustomer {
  private let journey: JourneyTestApp
  private let store = SecureTokenStore(MemorySecureStore())
  private var driver: ScreenDriver<RubixScreens>
  private static let documents = ConsentCode.known.map {
    ConsentDocument(code: $0, version: "2026-01", title: $0.rawValue, text: "Text.")
  }

  init(_ journey: JourneyTestApp) {
    self.journey = journey
    driver = Self.start(journey, store)
  }

  private static func start(_ journey: JourneyTestApp, _ store: SecureTokenStore) -> ScreenDriver<RubixScreens> {
    let clock = ClientClock(wallTime: { Double(journey.clock.now.milliseconds) / 1000 }) {
      (_) async throws(CancellationError) in
      // Instead of waiting, whatever is owed is done.
      do { try await journey.settle() } catch { throw CancellationError() }
    }
    let onboarding = RubixOnboarding(
      baseURL: JourneyTestApp.address, tokenStore: store, transport: journey.transport, clock: clock,
      policy: OnboardingPolicy(retry: .never))
    // The clock does not wait, so it would look without end.
    var ports = RubixPorts { _ in }
    ports.looksMax = 0
    let performer = RubixPerformer(
      onboarding, device: RubixDevice(id: "screen-journey-phone-1"), language: .english, ports: ports, clock: clock)
    return ScreenDriver(RubixScreens(language: .english, documents: documents, needsEmail: true)) {
      await performer.perform($0, $1)
    }
  }

  func play() async throws {
    try await send(.started, to: "consent")
    for code in ConsentCode.known { try await press("consent-\(code.rawValue)", to: "consent") }
    try await press("next", to: "contact")
    try await type("+965 5000 7001", into: "phone", to: "contact")
    try await type("screens@example.com", into: "email", to: "contact")
    try await press("register", to: "selfie.capture.aiming")
    for _ in SelfieSubType.known { try await photograph(JourneyPapers.selfie) }
    try await photograph(JourneyPapers.selfie)
    expect("documents")
    try await press("passport", to: "passport.capture.aiming")
    try await press("back", to: "documents")
    try await press("passport", to: "passport.capture.aiming")
    try await photograph(JourneyPapers.passport.picture(.page))
    expect("sms.code.offered")
    try await press("send", to: "sms.code.asking")
    try await restart(at: "sms.code.asking")
    try await code("+96550007001", mistyped: true)
    expect("email.code.offered")
    try await press("send", to: "email.code.asking")
    try await code("screens@example.com", mistyped: false)
    try await forms()
    try await call()
  }

  // MARK: Steps

  private func code(_ recipient: String, mistyped: Bool) async throws {
    let code = try await journey.code(to: recipient)
    if mistyped {
      try await type(code == "000000" ? "111111" : "000000", into: "code", to: nil)
      if screen.usable.contains("confirm") { try await press("confirm", to: nil) }
      #expect(screen.id.hasSuffix("-again") && screen.text().contains("Attempts left"), "\(screen.text())")
    }
    try await type(code, into: "code", to: nil)
    if screen.usable.contains("confirm") { try await press("confirm", to: nil) }
  }

  private func forms() async throws {
    let home = ["line1": "Block 4, Street 12, House 7", "city": "Salmiya", "country": "Kuwait"]
    let view = try #require(driver.machine.view)
    let name = "\(view.customer.firstName ?? "") \(view.customer.lastName ?? "")"
    var typed = [
      "account_holder.place_of_birth.city": "Amaurot", "account_holder.place_of_birth.country": "Kuwait",
      "tax_residences/0/country": "Kuwait", "declaration.signed_name": name, "w8ben.citizenship_country": "Kuwait",
      "certification.signed_name": name, "signature": name,
    ]
    for (part, value) in home {
      typed["residence_address/\(part)"] = value
      typed["w8ben.permanent_address/\(part)"] = value
    }
    let chosen: Set<String> = [
      "tax_residences/0/no_tin_reason=A", "declaration.accepted=true", "declaration.capacity=self",
      "is_us_person=false", "form=W-8BEN", "w8ben.ftin_not_required=true", "certification.accepted=true",
      "certification.capacity=self", "employment_status=retired", "source_of_funds=pension",
      "monthly_volume=up_to_1000", "account_purpose=savings", "pep=false", "own_account=true",
    ]
    var pages = 0
    while screen.id.hasPrefix("form."), pages < 40 {
      pages += 1
      let before = screen
      for case .input(let input) in before.elements where input.value.isEmpty {
        if let text = typed[input.id] { try await type(text, into: input.id, to: nil) }
      }
      for case .row(let row) in before.elements where row.badge.isEmpty {
        if chosen.contains(row.id) || row.id.hasPrefix("us_indicia.") && row.id.hasSuffix("=false") {
          try await press(row.id, to: nil)
        }
      }
      try await press("next", to: nil)
      try #require(!screen.id.hasSuffix("-again"), "\(screen.text())")
      if pages == 3 { try await restart(at: "form.crs.account_holder") }
    }
  }

  private func call() async throws {
    expect("appointment.days")
    try await press("day-1", to: "appointment.times")
    let time = try #require(screen.usable.first { $0.hasPrefix("time-") })
    try await press(time, to: "call.booked")
    let view = try #require(driver.machine.view)
    let questions = ["face-matches-document", "document-shown-live", "customer-understands", "no-coercion"]
    let now = journey.clock.now.milliseconds
    let call = CallRecord(
      startedAt: WireInstant(millisecondsSince1970: now - 60_000), endedAt: WireInstant(millisecondsSince1970: now))
    let verdict = AgentVerificationRequest(
      appointmentID: try #require(view.appointment?.id), customerID: view.id, verdict: .successful,
      checklist: questions.map { ChecklistItem(code: $0, result: .yes) }, failureReason: nil, retryAllowed: false,
      call: call)
    _ = try await journey.agent(DemoApp.agentEmail).decide(verdict)
    try await press("look", to: "over.completed")
    try await restart(at: "over.completed")
  }

  // MARK: Acts

  private var screen: Screen<RubixEvent> {
    let now = WireInstant(millisecondsSince1970: journey.clock.now.milliseconds)
    return driver.machine.screen(
      in: ScreenContext(language: .english, now: now) { String($0.description.prefix(10)) })
  }

  private func send(_ event: RubixEvent, to id: String?) async throws {
    driver.send(event)
    while driver.isBusy { await driver.next() }
    if let id { expect(id) }
  }

  private func expect(_ id: String) { #expect(screen.id == id, "\(screen.text())") }

  private func press(_ name: String, to id: String?) async throws {
    try await send(try #require(screen.press(name), "\(name) on \(screen.text())"), to: id)
  }

  private func type(_ text: String, into name: String, to id: String?) async throws {
    try await send(try #require(screen.type(text, into: name), "\(name) on \(screen.text())"), to: id)
  }

  private func photograph(_ picture: Data) async throws {
    try await send(try #require(screen.photograph(picture), "\(screen.text())"), to: nil)
    try await press("use", to: nil)
  }

  /// The app is killed; only the token store is left.
  private func restart(at id: String) async throws {
    driver.stop()
    driver = Self.start(journey, store)
    try await send(.started, to: id)
  }
}
