// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import ScreenSpecimens
import Synchronization
import TestSupport
import Testing

/// What the performer answers and waits for, with the real authenticator behind it and a clock that goes on with each
/// pause.
private final class Phone: Sendable {
  private struct State: Sendable {
    var uptime = Duration.seconds(1000)
    var pauses: [Duration] = []
    /// How far the clock goes on with the next pauses, before it goes as far as was asked for.
    var steps: [Duration] = []
    var events: [AuthenticatorEvent] = []
    var performer: AuthenticatorPerformer?
  }

  private let state = Mutex(State())
  let signIn = SignInPresenter()

  var pauses: [Duration] { state.withLock { $0.pauses } }
  /// What was sent since it was last asked.
  var events: [AuthenticatorEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  func advance(_ duration: Duration) { state.withLock { $0.uptime += duration } }
  func wakeEarly(_ steps: [Duration]) { state.withLock { $0.steps = steps } }

  func perform(_ effect: AuthenticatorEffect) async {
    guard let performer = state.withLock({ $0.performer }) else { return }
    await performer.perform(effect) { event in
      self.state.withLock { $0.events.append(event) }
      // A page that is shown is left at once.
      if case .connect(.page) = event { Task { await self.perform(.endPage("shown")) } }
    }
  }

  /// With a passcode, 1234, opened by biometrics as well, and unlocked.
  /// - Parameter asked: happens while the device's user is recognised.
  func open(asked: @escaping @Sendable (Phone) async -> Void = { _ in }) async {
    let device = DeviceDescription(app: "App", version: "1.0", build: "1", model: "iPhone15,2", system: "iOS 18.0")
    var setup = AuthenticatorSetup(device: device, signInPage: signIn.page)
    setup.policy.passcodeRounds = 100
    setup.keyProtection = nil
    setup.biometrics = Biometrics(
      isAvailable: { true },
      evaluate: { _ in
        await asked(self)
        return .recognised
      })
    let clock = ClientClock(
      uptime: { self.state.withLock { $0.uptime } },
      pause: { (duration) async throws(CancellationError) in
        self.state.withLock {
          $0.pauses.append(duration)
          $0.uptime += $0.steps.isEmpty ? duration : $0.steps.removeFirst()
        }
      })
    let offline = HTTPTransport { (_, _) async throws(TransportError) in throw TransportError(.offline) }
    let performer = AuthenticatorPerformer(
      Authenticator(setup, store: MemorySecureStore(), transport: offline, clock: clock), signIn: signIn,
      ports: AuthenticatorPorts(keepLanguage: { _ in }, leave: { _ in }), clock: clock)
    state.withLock { $0.performer = performer }
    let passcode = TypedPasscode("1234")
    await perform(.createPasscode(passcode, again: passcode))
    await perform(.useBiometrics(true))
    _ = events
  }

  /// The lock's state, as the last of what was sent tells it; nil when it tells something else.
  func toldLock() -> LockState? {
    guard case .lockState(let state, _, _) = events.last else { return nil }
    return state
  }
}

@Suite("Screens: the lock closes them")
struct LockWatchTests {
  @Test("the lock is told when it is due, put off by the last touch, and a touch that is too late tells it")
  func due() async {
    let phone = Phone()
    await phone.open()
    await phone.perform(.touch)
    #expect(phone.events.isEmpty)
    phone.advance(.seconds(10))
    phone.wakeEarly([.seconds(35)])
    await phone.perform(.watchLock)
    #expect(phone.pauses == [.seconds(50), .seconds(15)])
    #expect(phone.toldLock() == .locked)
    await phone.perform(.touch)
    #expect(phone.toldLock() == .locked)
  }

  @Test("an app that is locked while its user is recognised stays locked")
  func recognisedLate() async {
    let phone = Phone()
    await phone.open { await $0.perform(.lock) }
    await phone.perform(.lock)
    _ = phone.events
    await phone.perform(.unlock(.biometrics))
    guard case .presence(.failed(let error)) = phone.events.last else {
      Issue.record("it was opened")
      return
    }
    #expect(error.errorClass == .appLocked)
    await phone.perform(.askLock)
    #expect(phone.toldLock() == .locked)
  }

  @Test("the page of an enrolment that was left is not shown in the next one")
  func abandonedPage() async {
    let phone = Phone()
    await phone.open()
    // The second enrolment fails for want of a network; its screen is what a page would be shown on.
    await phone.perform(.connect(ScreenSpecimen.link))
    _ = phone.events
    let page = phone.signIn.page
    let left = Task {
      await waitUntilCancelled()
      return await page.show(SignInRequest(specimen: ScreenSpecimen.bank))
    }
    left.cancel()
    #expect(await left.value == nil)
    #expect(phone.events.isEmpty)
    #expect(await page.show(SignInRequest(specimen: ScreenSpecimen.bank)) == "shown", "another one's page is shown")
  }

  @Test("a screen that is left ends its enrolment, whose answers are not heard any more")
  func left() {
    var app = connecting()
    #expect(app.press("back") == [.touch, .endPage(nil), .endConnect, .watchList])
    let lane = AuthenticatorEffect.endConnect.lane
    #expect(lane != nil && AuthenticatorEffect.reconnect("C1").lane == lane)
    #expect(AuthenticatorEffect.connect(ScreenSpecimen.link).lane == lane)
  }

  @Test("the screens hear that the app has locked itself, whatever is shown")
  func closes() {
    for tab in AuthenticatorTab.allCases {
      var app = Specimen.open()
      _ = app.handle(.show(tab))
      let effects = app.handle(.lockState(.locked, offersBiometrics: false, hasBiometrics: false))
      #expect(effects.contains(.endLockWatch))
      #expect(app.shown().id == "unlock.asking" && !app.shown().text().contains("Utopia"))
    }
  }

  @Test("what an enrolment answers behind the lock is there after unlocking")
  func answeredBehindLock() {
    let answers: [(AuthenticatorEvent, String)] = [
      (.connect(.page(SignInRequest(specimen: ScreenSpecimen.bank))), "connect.page"),
      (.connect(.connected(Specimen.connection())), "connect.connected"),
      (.connect(.failed(Specimen.offline)), "connect.failed"),
    ]
    for (answer, id) in answers {
      var app = connecting()
      _ = app.handle(.wentToBackground)
      _ = app.handle(.lockState(.locked, offersBiometrics: false, hasBiometrics: false))
      #expect(app.handle(answer) == [] && app.shown().id == "unlock.asking")
      let effects = app.handle(.lockState(.unlocked, offersBiometrics: false, hasBiometrics: false))
      #expect(effects.contains(.loadConnections) && app.shown().id == id)
    }
  }

  @Test("going to the background locks while a passcode is checked or set, too, and a late answer opens nothing")
  func background() {
    var app = Specimen.open()
    _ = app.handle(.lockState(.locked, offersBiometrics: false, hasBiometrics: false))
    #expect(app.type("1234") == [.unlock(.passcode(TypedPasscode("1234")))])
    #expect(app.handle(.wentToBackground) == [.lock])
    #expect(app.handle(.presence(.failed(Specimen.locked))) == [] && app.gate == .starting)
    _ = app.handle(.lockState(.locked, offersBiometrics: false, hasBiometrics: false))
    #expect(app.shown().id == "unlock.asking")
    var first = AuthenticatorScreens(language: .english)
    _ = first.handle(.started)
    _ = first.handle(.lockState(.noPasscode, offersBiometrics: false, hasBiometrics: false))
    _ = first.press("begin")
    #expect(first.handle(.wentToBackground) == [], "nothing is open yet")
    _ = first.type("1234")
    _ = first.type("1234")
    #expect(first.handle(.wentToBackground) == [.lock] && first.gate == .starting)
    #expect(first.handle(.passcode(.outcome(.set))) == [.lock])
  }

  /// The connecting screen, above the list.
  private func connecting() -> AuthenticatorScreens {
    var app = Specimen.open()
    _ = app.press("scan-code")
    _ = app.handle(.connect(.scanned(ScreenSpecimen.link.text)))
    _ = app.handle(.connect(.read(.connect(ScreenSpecimen.link))))
    return app
  }
}
