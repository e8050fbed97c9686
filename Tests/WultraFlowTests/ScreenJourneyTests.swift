// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseUI
import GatehouseWire
import PowerAuth2
import Testing
import WultraDigitalOnboarding
import WultraOnboardingUI
import WultraStories

/// The screens of `WultraOnboardingUI`, pressed by their ids, with the SDK's own network on a server with a socket.
@Suite("Wultra journeys: the screens of our app on our server", .timeLimit(.minutes(2)))
struct ScreenJourneyTests {
  @Test("from a stranger to a verified user by pressing what is shown; an app that is killed shows the same again")
  func verified() async throws {
    try await AppPhone.serve(WultraTestApp()) { phoneApp in
      try await ScreenUser(phoneApp).play()
      #expect(try await phoneApp.app.auditFaults().isEmpty)
    }
  }
}

/// A user who presses what the screens show.
@MainActor
private final class ScreenUser {
  /// After it a screen that does not come is a failure.
  private static let waitMax = Duration.seconds(20)

  private let phone: StoryPhone
  private var driver: ScreenDriver<WultraScreens>

  init(_ phoneApp: AppPhone) {
    phone = phoneApp.phone()
    driver = Self.start(phone)
  }

  private static func start(_ phone: StoryPhone) -> ScreenDriver<WultraScreens> {
    let ports = WultraPorts { attributes in
      do { try await phone.takeFace(attributes) } catch { return false }
      return true
    }
    let performer = WultraPerformer(
      phone.powerAuth(), config: WPNConfig(baseUrl: phone.stage.onboarding), ports: ports, clock: phone.stage.clock)
    let fields = ["clientNumber", "birthDate"].map { IdentityField(name: $0, label: $0) }
    return ScreenDriver(WultraScreens(language: .english, fields: fields)) { await performer.perform($0, $1) }
  }

  func play() async throws {
    driver.send(.started)
    try await reach("identity")
    try type("1", into: "clientNumber")
    try type("1990-01-01", into: "birthDate")
    try await press("identify", to: "activation.code.asking")
    try await code("activation.code", to: "pin.first")
    for screen in ["pin.second", "pin.differs", "pin.second"] {
      try type(screen == "pin.differs" ? "246802" : "135790", into: "pin")
      try await reach(screen)
    }
    try type("135790", into: "pin")
    try await reach("intro")
    try await restart(at: "intro")
    try await press("begin", to: "consent")
    try await press("decline", to: "intro")
    try await press("begin", to: "consent")
    try await press("approve", to: "documents")
    try await press("idCard", to: "documents")
    try await press("driversLicense", to: "documents")
    try await press("chosen", to: "idCard.front.capture.aiming")
    try await restart(at: "idCard.front.capture.aiming")
    let seen = try await takePictures()
    // The picture that could not be read is asked for again, that one only, with the reason.
    let again = "idCard.front.capture.aiming-again"
    #expect(
      seen.filter { $0 != again }
        == ["idCard.front", "idCard.back", "driversLicense.front"].map {
          "\($0).capture.aiming"
        })
    #expect(seen.filter { $0 == again }.count == 1, "\(seen)")
    try await press("presence", to: "processing.verifyingPresence")
    while try await !phone.stage.staff.decide(true) { try await phone.stage.wait() }
    try await reach("verification.code.asking")
    try await restart(at: "verification.code.asking")
    try await code("verification.code", to: "success")
    try await restart(at: "success")
  }

  // MARK: Acts

  private var screen: Screen<WultraEvent> {
    let now = WireInstant(millisecondsSince1970: Int64(phone.stage.clock.wallTime() * 1000))
    return driver.machine.screen(
      in: ScreenContext(language: .english, now: now) { String($0.description.prefix(10)) })
  }

  /// Waits until a screen is shown, while the server does whatever it owes.
  private func reach(_ id: String) async throws { try await reach(id) { $0 == id } }

  private func reach(_ what: String, _ isIt: (String) -> Bool) async throws {
    let clock = ClientClock.live
    let end = clock.uptime() + Self.waitMax
    while !isIt(screen.id), clock.uptime() < end {
      try await phone.stage.wait()
      await Task.yield()
    }
    try #require(isIt(screen.id), "\(what), and not \(screen.id): \(screen.text())")
  }

  /// Takes whatever is asked for until a face is, the first front of the card in haste.
  /// - Returns: the screens of the camera.
  private func takePictures() async throws -> [String] {
    var seen: [String] = []
    while seen.count < 8 {
      try await reach("a camera, or the presence check") { $0 == "presence" || $0.contains(".capture.aiming") }
      guard screen.id != "presence" else { break }
      let isFirst = seen.isEmpty
      seen.append(screen.id)
      let part = screen.id.prefix { $0 != "." }
      try photograph(isFirst ? .blurredCardFront : part == "idCard" ? .cardFront : .licence)
    }
    return seen
  }

  private func press(_ name: String, to id: String) async throws {
    driver.send(try #require(screen.press(name), "\(name) on \(screen.text())"))
    try await reach(id)
  }

  private func type(_ text: String, into name: String) throws {
    driver.send(try #require(screen.type(text, into: name), "\(name) on \(screen.text())"))
  }

  private func photograph(_ picture: StoryPicture) throws {
    let data = try phone.stage.picture(picture)
    driver.send(try #require(screen.photograph(data), "\(screen.text())"))
    driver.send(try #require(screen.press("use"), "\(screen.text())"))
  }

  /// A wrong code, and the right one.
  private func code(_ name: String, to id: String) async throws {
    let code = try await phone.code()
    try type(StoryPhone.wrong(code), into: "code")
    try await press("confirm", to: "\(name).asking-again")
    try type(code, into: "code")
    try await press("confirm", to: id)
  }

  /// The app is killed; only its store is left.
  private func restart(at id: String) async throws {
    driver.stop()
    driver = Self.start(phone)
    driver.send(.started)
    try await reach(id)
  }
}
