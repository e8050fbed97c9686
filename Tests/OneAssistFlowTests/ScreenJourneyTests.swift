// SPDX-License-Identifier: Apache-2.0

import GatehouseUI
import GatehouseWire
import Kit
import OneAssistSDK
import OneAssistUI
import Testing

/// The screens of `OneAssistUI`, pressed by their ids, through the SDK on the flow's own routes.
@Suite("OneAssist: the screens, from a code to the card", .timeLimit(.minutes(1)))
@MainActor
struct ScreenJourneyTests {
  @Test(
    "by pressing what is shown; an app that is killed shows the same again, and a refusal is told where it happened")
  func whole() async throws {
    try await OneAssistTestApp.run { app in
      let customer = try await ScreenCustomer(app)
      try await customer.play()
    }
  }
}

/// A customer who presses what the screens show.
@MainActor
private final class ScreenCustomer {
  private let app: OneAssistTestApp
  private let phone: InsuredPhone
  private let insured: InsuredApp
  private let secure = SeenScreen()
  private var driver: ScreenDriver<OneAssistScreens>

  init(_ app: OneAssistTestApp) async throws {
    let phone = try await InsuredPhone(app)
    let insured = InsuredApp(phone)
    (self.app, self.phone, self.insured) = (app, phone, insured)
    driver = Self.start(insured, secure, code: nil)
  }

  /// - Parameter code: that the app knows; nil lets the user type it.
  private static func start(
    _ insured: InsuredApp, _ secure: SeenScreen, code: String?
  ) -> ScreenDriver<OneAssistScreens> {
    let phone = insured.phone
    let ports = OneAssistPorts(
      token: { phone.token },
      // What the partner's server tells its app of the membership.
      card: {
        guard let status = try? await phone.status() else { return nil }
        return MembershipCard(
          plan: "Mobile protection", device: "iPhone 14", status: MembershipCard.Status(rawValue: status) ?? .pending)
      },
      controller: { secure })
    let performer = OneAssistPerformer(insured.activation(), ports: ports)
    return ScreenDriver(OneAssistScreens(language: .english, code: code)) { await performer.perform($0, $1) }
  }

  func play() async throws {
    try await send(.started, to: "code")
    try type("ABC", into: "code")
    try await press("next", to: "code.again")
    try type(phone.code, into: "code")
    try await press("next", to: "device")
    try await press("next", to: "details")
    try await restart(at: "details")
    try type("560001", into: "pincode")
    try type("12 Lake Road, Bengaluru", into: "address")
    try await press("next", to: "link.screen")
    // No link was sent yet, so the server opens no secure screen.
    try await press("show", to: "link.screen.again")
    try type("9876543210", into: "mobile")
    try await press("next", to: "link.screen.again")
    try type("9123456780", into: "mobile")
    try await press("next", to: "link.sent.screen")
    try await restart(at: "link.screen")
    try await app.settle()
    let page = "/u/\(try phone.linkToken())"
    #expect(try await photograph("back", "\(page)/BACK_IMAGE") == 303)
    try await showCode { digits in
      self.app.outside.change { $0.code = digits }
      let status = try await self.photograph("front", "\(page)/SCREEN_IMAGE")
      #expect(status == 303)
    }
    expect("membership.pending")
    try await press("look", to: "membership.pending")
    try await restart(at: "membership.pending")
    try await review()
    try await press("look", to: "membership.approved")
  }

  /// Opens the secure screen, and closes it when the second phone has seen it.
  private func showCode(_ seen: (String?) async throws -> Void) async throws {
    driver.send(try #require(screen.press("show"), "\(screen.text())"))
    expect("secure")
    try await seen(await secure.digits())
    secure.close()
    await settle()
  }

  private func review() async throws {
    let path = "memberships/\(try await phone.membership())"
    for name in ["SCREEN_IMAGE", "BACK_IMAGE"] {
      _ = try await app.review(.post, "\(path)/documents/\(name)/decision", #"{"verdict":"accept"}"#)
    }
    _ = try await app.review(.post, "\(path)/verdict", #"{"verdict":"approve"}"#)
  }

  private func photograph(_ photo: String, _ path: String) async throws -> Int {
    let (type, body) = InsuredPhone.form([("photo", photo)])
    return try await app.call(.post, path, headers: ["Content-Type": type], body: body).status
  }

  // MARK: Acts

  private var screen: Screen<OneAssistEvent> {
    let now = WireInstant(millisecondsSince1970: app.clock.now.milliseconds)
    return driver.machine.screen(
      in: ScreenContext(language: .english, now: now) { String($0.description.prefix(10)) })
  }

  private func expect(_ id: String) { #expect(screen.id == id, "\(screen.text())") }

  /// Until the call, and those that follow from it, are answered.
  private func settle() async { while driver.machine.isBusy { await driver.next() } }

  private func send(_ event: OneAssistEvent, to id: String) async throws {
    driver.send(event)
    await settle()
    expect(id)
  }

  private func press(_ name: String, to id: String) async throws {
    try await send(try #require(screen.press(name), "\(name) on \(screen.text())"), to: id)
  }

  private func type(_ text: String, into name: String) throws {
    driver.send(try #require(screen.type(text, into: name), "\(name) on \(screen.text())"))
  }

  /// The app is killed; only what the phone keeps is left.
  private func restart(at id: String) async throws {
    driver.stop()
    driver = Self.start(insured, secure, code: phone.code)
    try await send(.started, to: id)
  }
}
