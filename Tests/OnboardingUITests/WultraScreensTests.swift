// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseUI
import OnboardingScreens
import ScreenSpecimens
import TestSupport
import Testing
import WultraDigitalOnboarding

@testable import WultraOnboardingUI

@Suite("Onboarding screens: Wultra")
struct WultraScreensTests {
  /// One walk for all tests, and what was wrong on it.
  private static let played = {
    var (attempts, faults) = (0, [String]())
    let walk = WultraSpecimen.walk { attempt in
      attempts += 1
      let calls = attempt.effects.filter { $0.lane == "call" && $0 != .look }
      let screen = attempt.after.screen(in: ScreenSpecimen.context)
      let isBusy = screen.elements.contains { if case .progress = $0 { true } else { false } }
      if calls.count > 1 || !calls.isEmpty && !isBusy { faults.append("\(calls.count) calls on \(screen.id)") }
    }
    return (walk: walk, attempts: attempts, faults: faults)
  }()
  private static var walk: MachineWalk<WultraScreens> { played.walk }

  private func app(_ events: WultraEvent...) -> WultraScreens {
    var app = WultraSpecimen.start()
    for event in events { _ = app.handle(event) }
    return app
  }

  private func id(_ app: WultraScreens) -> String { app.screen(in: ScreenSpecimen.context).id }

  @Test("an effect that starts a call shows that it is under way, and every screen has labels in three languages")
  func walk() {
    let walk = Self.walk
    #expect(Self.played.faults == [])
    #expect(Self.played.attempts > 1_000 && walk.states < MachineWalk<WultraScreens>.statesMax)
    #expect(walk.found.count > 40, "\(walk.found.map(\.id))")
    #expect(walk.faults == [])
  }

  @Test("every state of every screen is printed in docs/sdk/screens", arguments: ScreenLanguage.allCases)
  func printed(language: ScreenLanguage) throws {
    let text = Self.walk.text(language)
    #expect(try GoldenFile.difference(of: text, from: "docs/sdk/screens/wultra-\(language.rawValue).txt") == nil)
  }

  @Test("a server that fails while a code is checked leads to another try, and says nothing about the code")
  func failingServer() {
    let asked = [WultraEvent.codeSent(resendAt: nil), .code(.typed("12345678"))]
    for (refusal, problem) in [(WultraRefusal.other, OnboardingText.failureOther), (.codeOver, .codeLocked)] {
      var app = app(asked[0], asked[1])
      #expect(app.handle(.code(.confirm)).count == 1)
      _ = app.handle(.refused(refusal))
      guard case .identifying(false, problem) = app.stage else { Issue.record("\(id(app))"); continue }
    }
    guard case .failed(.other) = app(asked[0], .code(.resend), .refused(.other)).stage else {
      Issue.record("another code that could not be sent ends nothing")
      return
    }
  }

  @Test("both sides of a card are sent together, and a refused side in place of the one that is there")
  func sides() {
    let picture = ScreenSpecimen.picture
    var card = app(.stands(.scanDocument(WDOVerificationScanProcess(specimen: [.idCard]))))
    #expect(id(card) == "idCard.front.capture.aiming")
    _ = card.handle(.capture(.taken(picture)))
    #expect(card.handle(.capture(.use)) == [])
    #expect(id(card) == "idCard.back.capture.aiming")
    // The same news again keeps what was taken.
    _ = card.handle(.stands(.scanDocument(WDOVerificationScanProcess(specimen: [.idCard]))))
    #expect(id(card) == "idCard.back.capture.aiming")
    _ = card.handle(.capture(.taken(picture)))
    let sent = [WDODocumentSide.front, .back].map {
      WultraPicture(type: .idCard, side: $0, data: picture, replaces: nil)
    }
    #expect(card.handle(.capture(.use)) == [.submit(sent)])
    _ = card.handle(.refused(.offline))
    #expect(id(card) == "idCard.front.capture.aiming-again")

    let refused = WDOVerificationScanProcess(specimen: [.passport], refused: [.passport], words: "Flat, please.")
    var passport = app(.stands(.scanDocument(refused)))
    #expect(id(passport) == "passport.front.capture.aiming-again")
    #expect(passport.screen(in: ScreenSpecimen.context).text().contains("Flat, please."))
    _ = passport.handle(.capture(.taken(picture)))
    #expect(
      passport.handle(.capture(.use))
        == [.submit([WultraPicture(type: .passport, side: .front, data: picture, replaces: "1")])])
  }

  @Test("a PIN is shown as dots, and kept when it was typed the same twice")
  func pin() {
    var app = app(.codeSent(resendAt: nil), .activated)
    _ = app.handle(.pin("729"))
    let shown = app.screen(in: ScreenSpecimen.context).text()
    #expect(shown.contains("[•••_]") && !shown.contains("729"), "\(shown)")
    #expect(app.handle(.pin("1234")) == [] && id(app) == "pin.second")
    #expect(app.handle(.pin("1235")) == [] && id(app) == "pin.differs")
    _ = app.handle(.pin("1234"))
    #expect(app.handle(.pin("١٢٣٤")) == [.persist(TypedDigitsOnly(digits: "1234"))])
    #expect(app.handle(.verifies) == [.follow])
  }

  @Test("the same code state again after a check means a wrong code; before it the user goes on typing")
  func code() {
    var app = app(.stands(.otp(3)))
    _ = app.handle(.code(.typed("123456")))
    _ = app.handle(.stands(.otp(3)))
    guard case .code(let typed) = app.stage else {
      Issue.record("no code")
      return
    }
    #expect(typed.typed == "123456" && typed.problem == nil)
    #expect(app.handle(.code(.confirm)) == [.verify(TypedDigitsOnly(digits: "123456"))])
    _ = app.handle(.stands(.otp(2)))
    guard case .code(let wrong) = app.stage else {
      Issue.record("no code")
      return
    }
    #expect(wrong.typed.isEmpty && wrong.problem == .wrongCode(left: 2))
  }

  @Test("who does not agree goes back without a call; who gives up begins as a stranger")
  func ways() {
    var app = app(.stands(.consent("Text")))
    #expect(app.handle(.decline) == [] && id(app) == "intro")
    #expect(app.handle(.begin) == [.getConsent])
    _ = app.handle(.stands(.endstate(.rejected)))
    #expect(app.handle(.cancel) == [.cancel])
    #expect(app.handle(.stranger) == [.endFollow] && id(app) == "identity")
    #expect(app.handle(.identify) == [], "nothing was entered")
  }
}
