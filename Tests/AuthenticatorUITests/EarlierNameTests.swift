// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import ScreenSpecimens
import Synchronization
import Testing

@Suite("Screens: names that apps wrote earlier")
struct EarlierNameTests {
  @Test("a sign-in desk is the presenter whose page an enrolment shows")
  @available(*, deprecated)
  func desk() async {
    let desk = SignInDesk()
    let device = DeviceDescription(app: "App", version: "1.0", build: "1", model: "iPhone15,2", system: "iOS 18.0")
    var setup = AuthenticatorSetup(device: device, signInPage: desk.page)
    setup.keyProtection = nil
    let offline = HTTPTransport { (_, _) async throws(TransportError) in throw TransportError(.offline) }
    let performer = AuthenticatorPerformer(
      Authenticator(setup, store: MemorySecureStore(), transport: offline), desk: desk,
      ports: AuthenticatorPorts(keepLanguage: { _ in }, leave: { _ in }))
    let pages = Mutex(0)
    await performer.perform(.connect(ScreenSpecimen.link)) { event in
      guard case .connect(.page) = event else { return }
      pages.withLock { $0 += 1 }
      Task { await performer.perform(.endPage("shown")) { _ in } }
    }
    #expect(await desk.page.show(SignInRequest(specimen: ScreenSpecimen.bank)) == "shown")
    #expect(pages.withLock { $0 } == 1)
  }

  @Test("an arrival is the entry point that waits for the app to be unlocked")
  @available(*, deprecated)
  func arrival() {
    var app = AuthenticatorScreens(language: .english)
    let arrival = AuthenticatorArrival.link("authenticator://x")
    _ = app.handle(.opened(arrival))
    #expect(app.arrival == arrival && app.entryPoint == arrival)
  }
}
