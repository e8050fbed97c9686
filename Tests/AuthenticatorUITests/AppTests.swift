// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import Testing

@Suite("Screens: the whole Authenticator")
struct AppTests {
  @Test("from the first start to the list: welcome, passcode, biometrics, no connections")
  func firstStart() {
    var app = AuthenticatorScreens(language: .english)
    #expect(app.handle(.started) == [.askLock])
    _ = app.handle(.lockState(.noPasscode, offersBiometrics: false, hasBiometrics: true))
    #expect(app.shown().id == "welcome")
    #expect(app.press("begin") == [] && app.shown().id == "passcode-create.new")
    #expect(app.type("1234") == [])
    #expect(app.type("1234") == [.createPasscode(TypedPasscode("1234"), again: TypedPasscode("1234"))])
    #expect(app.handle(.passcode(.outcome(.set))) == [.askLock])
    _ = app.handle(.lockState(.unlocked, offersBiometrics: false, hasBiometrics: true))
    #expect(app.shown().id == "offering-biometrics")
    #expect(app.press("allow") == [.useBiometrics(true), .loadConnections, .watchList, .watchLock])
    _ = app.handle(.settings(.biometricsKept(true)))
    _ = app.handle(.connections(.listed([])))
    #expect(app.shown().id == "authorizations.no-connections" && app.shown().tabs.count == 4)
  }

  @Test("while the app is locked nothing of it is shown, and nothing but the lock is asked")
  func locked() {
    var app = Specimen.open()
    #expect(app.press("authorization-1")?.contains(.watch(Specimen.authorization().id)) == true)
    #expect(app.handle(.authorization(.failed(Specimen.authorization().id, Specimen.locked))).contains(.askLock))
    _ = app.handle(.lockState(.locked, offersBiometrics: false, hasBiometrics: false))
    #expect(app.shown().id == "unlock.asking" && app.pages.isEmpty && app.list == AuthorizationListScreen())
    let late: [AuthenticatorEvent] = [
      .list(.listed([Specimen.authorization()], failures: [:])), .connections(.listed([Specimen.connection()])),
      .authorization(.shown(Specimen.authorization())), .show(.connections), .back,
      .list(.chosen(Specimen.authorization())), .connect(.connected(Specimen.connection())),
    ]
    for event in late { #expect(app.handle(event) == []) }
    #expect(app.list == AuthorizationListScreen() && app.shown().id == "unlock.asking")
    #expect(app.type("1234") == [.unlock(.passcode(TypedPasscode("1234")))])
  }

  @Test("a block while the app is open closes it, and the eleventh wrong passcode leads to the welcome")
  func blocks() {
    var app = Specimen.open()
    _ = app.press("authorization-1")
    _ = app.press("confirm")
    _ = app.type("0000")
    #expect(app.handle(.authorization(.presence(.outcome(.blocked(for: .seconds(60)))))).contains(.askLock))
    _ = app.handle(.lockState(.blocked(for: .seconds(60)), offersBiometrics: false, hasBiometrics: false))
    #expect(app.shown().id == "unlock.blocked")
    var wiped = Specimen.open()
    _ = wiped.press("authorization-1")
    _ = wiped.press("confirm")
    _ = wiped.type("0000")
    _ = wiped.handle(.authorization(.presence(.outcome(.wiped))))
    #expect(wiped.shown().id == "welcome.erased" && wiped.history.entries.isEmpty)
  }

  @Test("going to the background locks, and a bank's page stays open over it")
  func background() {
    var app = Specimen.open()
    _ = app.press("scan-code")
    #expect(app.shown().id == "connect.scanning")
    let link = ConnectLink(configuration: Specimen.bank, connectQuery: nil)
    let scanned = app.shown().scan(link.text)
    #expect(scanned.map { app.handle($0) }?.contains(.read(link.text)) == true)
    #expect(app.handle(.connect(.read(.connect(link)))) == [.connect(link)])
    #expect(app.handle(.wentToBackground) == [.lock, .endLockWatch])
    _ = app.handle(.lockState(.locked, offersBiometrics: false, hasBiometrics: false))
    _ = app.type("1234")
    _ = app.handle(.lockState(.unlocked, offersBiometrics: false, hasBiometrics: false))
    #expect(app.shown().id == "connect.connecting")
    #expect(app.handle(.connect(.connected(Specimen.connection()))) == [.loadConnections])
    #expect(app.shown().id == "connect.connected")
    #expect(app.press("done")?.contains(.watchList) == true && app.pages.isEmpty)
  }

  @Test("a link or a push that comes while the app is locked is opened after unlocking")
  func entryPoint() throws {
    var app = AuthenticatorScreens(language: .english)
    let push = try #require(PushPayload(fcm: ["connection_id": "9", "authorization_id": "1"]))
    #expect(app.handle(.opened(.push(push))) == [])
    _ = app.handle(.started)
    _ = app.handle(.lockState(.locked, offersBiometrics: false, hasBiometrics: false))
    _ = app.type("1234")
    let effects = app.handle(.lockState(.unlocked, offersBiometrics: false, hasBiometrics: false))
    #expect(effects == [.loadConnections, .open(push), .watchLock])
    #expect(app.handle(.opened(.link("authenticator://x"))).contains(.read("authenticator://x")))
    #expect(app.shown().id == "connect.reading")
    _ = app.handle(.connect(.read(nil)))
    #expect(app.shown().id == "connect.scanning-again")
    _ = app.press("by-hand")
    _ = app.type("https://elsewhere.example", into: "link")
    #expect(app.press("take") == [.touch, .read("https://elsewhere.example")])
    _ = app.handle(.connect(.read(nil)))
    #expect(app.shown().id == "connect.typing-again" && app.shown().text().contains("https://elsewhere.example"))
  }

  @Test("the list is polled while it is shown, and only then")
  func polling() {
    var app = Specimen.open()
    #expect(app.press("tab-settings") == [.touch, .endList])
    #expect(app.press("tab-authorizations") == [.touch, .watchList])
    #expect(app.press("authorization-1")?.contains(.endList) == true)
    #expect(app.press("back")?.contains(.watchList) == true)
    #expect(app.handle(.list(.failed(Specimen.offline))) == [.endList])
    #expect(app.shown().id == "authorizations.failed")
    #expect(app.press("retry") == [.touch, .loadConnections, .watchList])
  }

  @Test("what was decided stands in the history, which goes with the app's data")
  func history() {
    var app = Specimen.open()
    _ = app.press("authorization-1")
    #expect(app.press("deny") == [.touch, .endWatch, .deny(Specimen.authorization())])
    #expect(app.shown().back == nil, "a decision that is being sent is not left")
    _ = app.handle(.authorization(.shown(Specimen.authorization("1", .denied))))
    _ = app.handle(.authorization(.closingDue))
    #expect(app.pages.isEmpty && app.list.authorizations.isEmpty)
    _ = app.press("tab-history")
    #expect(app.shown().text().contains("Pay 12.50 EUR · Utopia Bank, 2026-11-21 [Denied]"))
    _ = app.handle(.wiped)
    #expect(app.history.entries.isEmpty)
  }

  @Test("a connection is renamed, removed, and made again when it is lost")
  func connections() {
    var app = Specimen.open()
    _ = app.press("tab-connections")
    _ = app.press("connection-1")
    _ = app.press("rename")
    _ = app.type("  My   bank ", into: "name")
    #expect(app.press("save") == [.touch, .rename("C1", to: "My bank")])
    _ = app.handle(.connection(.failed(AuthenticatorError(.outOfOrder, .nameTaken))))
    #expect(app.shown().id == "connection.renaming.taken" && app.shown().text().contains("[My bank]"))
    _ = app.press("cancel")
    _ = app.press("ask-remove")
    #expect(app.press("remove") == [.touch, .remove("C1")])
    _ = app.handle(.connection(.removed(guid: "C1", isHeard: false)))
    #expect(app.shown().id == "connection.removed-unheard")
    _ = app.press("back")
    _ = app.handle(.connections(.listed([Specimen.connection("C2", "Lost Bank", .inactive)])))
    _ = app.press("connection-1")
    #expect(app.press("consents") == nil)
    #expect(app.press("reconnect") == [.touch, .reconnect("C2")])
  }

  @Test("a consent is revoked after a question")
  func consents() {
    var app = Specimen.open()
    _ = app.press("tab-connections")
    _ = app.press("connection-1")
    #expect(app.press("consents") == [.touch, .loadConsents("C1")])
    _ = app.handle(.consents(.listed(guid: "C1", [Specimen.consent()])))
    _ = app.press("consent-1")
    #expect(app.shown().text().contains("IBAN: ZZ83DEMO00000002000"))
    _ = app.press("ask-revoke")
    #expect(app.press("revoke") == [.touch, .revoke(Specimen.consent())])
    _ = app.handle(.consents(.revoked(id: "7", true)))
    #expect(app.shown().id == "consents.empty" && app.shown().text().contains("Consent revoked for Budget App"))
  }

  @Test("the language changes every screen at once, and is kept")
  func language() {
    var app = Specimen.open()
    _ = app.press("tab-settings")
    _ = app.press("languages")
    #expect(app.press("language-ar") == [.touch, .keepLanguage(.arabic)])
    #expect(app.shown().title == "الإعدادات" && app.language.isRightToLeft)
  }
}
