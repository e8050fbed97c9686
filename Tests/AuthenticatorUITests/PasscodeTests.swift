// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import Testing

@Suite("Screens: passcode and presence")
struct PasscodeTests {
  @Test("a first passcode is typed twice, and is asked for anew when the two differ")
  func create() {
    var screen = PasscodeSetting(.create)
    #expect(screen.screen(in: Specimen.context).id == "passcode-create.new")
    #expect(screen.handle(.typed("12")) == [] && screen.typed.digits == "12")
    #expect(screen.handle(.typed("1234")) == [] && screen.step == .again && screen.typed.digits.isEmpty)
    #expect(screen.handle(.typed("1235")) == [] && screen.step == .new && screen.problem == .different)
    #expect(screen.screen(in: Specimen.context).text().contains("The passcodes are not the same."))
    _ = screen.handle(.typed("1234"))
    #expect(
      screen.handle(.typed("1234")) == [.createPasscode(TypedPasscode("1234"), again: TypedPasscode("1234"))]
        && screen.isBusy)
    #expect(screen.handle(.typed("9")) == [] && screen.typed.digits.isEmpty, "nothing is taken while it is being set")
    _ = screen.handle(.outcome(.set))
    #expect(screen.isDone && !screen.isBusy)
  }

  @Test("a change asks for the current one first, and counts a wrong one")
  func change() {
    var screen = PasscodeSetting(.change)
    for passcode in ["1234", "5678"] { #expect(screen.handle(.typed(passcode)) == []) }
    #expect(
      screen.handle(.typed("5678")) == [
        .changePasscode(TypedPasscode("1234"), to: TypedPasscode("5678"), again: TypedPasscode("5678"))
      ])
    _ = screen.handle(.outcome(.refused(.wrong(attemptsLeft: 4))))
    #expect(screen.step == .current && screen.problem == .wrong(attemptsLeft: 4))
    #expect(screen.screen(in: Specimen.context).text().contains("Attempts before the app is blocked: 4."))
  }

  @Test(
    "digits of any script are digits, and nothing else is", arguments: ["1234", "١٢٣٤", "۱۲۳۴", "1-2 3x4", "12345"])
  func digits(typed: String) {
    #expect(TypedPasscode(typed).digits == "1234" && TypedPasscode(typed).isWhole)
  }

  @Test("a passcode is never printed")
  func hidden() {
    let passcode = TypedPasscode("7391")
    for text in [
      "\(passcode)", String(reflecting: passcode), "\(AuthenticatorEffect.unlock(.passcode(passcode)))",
      "\(AuthenticatorEvent.presence(.typed("7391")))", String(reflecting: PresenceEntry.Event.typed("7391")),
    ] { #expect(!text.contains("7391"), "\(text)") }
    var entry = PresenceEntry(.open, offersBiometrics: false)
    _ = entry.handle(.typed("739"))
    #expect(entry.screen(in: Specimen.context).text().contains("[•••_]"))
    #expect(!entry.screen(in: Specimen.context).text().contains("739"))
  }

  @Test("each answer of the lock leads to its note")
  func outcomes() {
    for (outcome, id) in [
      (LockOutcome.wrong(attemptsLeft: 2), "unlock.again"), (.blocked(for: .seconds(61)), "unlock.blocked"),
      (.biometricsRefused, "unlock.again"), (.biometricsLockedOut, "unlock.again"), (.deviceRefused, "unlock.again"),
    ] {
      var entry = PresenceEntry(.open, offersBiometrics: true)
      #expect(entry.handle(.typed("1234")) == [.unlock(.passcode(TypedPasscode("1234")))] && entry.isBusy)
      #expect(entry.handle(.typed("1234")) == [] && entry.handle(.biometrics) == [], "one question at a time")
      _ = entry.handle(.outcome(outcome))
      #expect(entry.screen(in: Specimen.context).id == id, "\(outcome)")
      #expect(entry.offersBiometrics == (outcome != .biometricsLockedOut))
    }
    var blocked = PresenceEntry(.open, offersBiometrics: false, blockedFor: .seconds(61))
    #expect(blocked.screen(in: Specimen.context).text().contains("2 min"))
    #expect(blocked.handle(.typed("1234")) == [] && blocked.handle(.retry) == [.askLock])
  }

  @Test("forgetting the passcode erases only after a question, and only in front of the app")
  func forgot() {
    var entry = PresenceEntry(.open, offersBiometrics: false)
    #expect(entry.handle(.erase) == [])
    _ = entry.handle(.forgot)
    #expect(entry.screen(in: Specimen.context).id == "forgot.asking" && entry.handle(.typed("1234")) == [])
    _ = entry.handle(.keep)
    #expect(!entry.asksToErase)
    _ = entry.handle(.forgot)
    #expect(entry.handle(.erase) == [.wipe] && entry.isBusy)
    _ = entry.handle(.failed(Specimen.offline))
    #expect(!entry.isBusy && entry.note == .failed(Specimen.offline))
    var confirming = PresenceEntry(.confirm(Specimen.authorization()), offersBiometrics: false)
    _ = confirming.handle(.forgot)
    #expect(!confirming.asksToErase)
  }
}
