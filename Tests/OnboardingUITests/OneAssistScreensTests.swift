// SPDX-License-Identifier: Apache-2.0

import GatehouseUI
import OneAssistSDK
import ScreenSpecimens
import TestSupport
import Testing

@testable import OneAssistUI

@Suite("Screens: OneAssist", .storeless)
struct OneAssistScreensTests {
  /// One walk for all tests, and what was wrong on it.
  private static let played = {
    var faults: [String] = []
    let walk = OneAssistSpecimen.walk { attempt in
      let screen = attempt.after.screen(in: ScreenSpecimen.context)
      let isBusy = screen.elements.contains { if case .progress = $0 { true } else { false } }
      let isShown = isBusy || screen.usable.contains("cancel")
      if attempt.effects.count > 1 || attempt.effects.contains(where: { !$0.endsLane }) && !isShown {
        faults.append("\(attempt.effects.count) calls on \(screen.id)")
      }
    }
    return (walk: walk, faults: faults)
  }()

  private func app(_ events: OneAssistEvent..., code: String? = "AC-1") -> OneAssistScreens {
    var app = OneAssistScreens(language: .english, code: code)
    for event in events { _ = app.handle(event) }
    return app
  }

  private func id(_ app: OneAssistScreens) -> String { app.screen(in: ScreenSpecimen.context).id }

  @Test("one call at a time, which is shown or can be ended; every screen has labels in three languages")
  func walk() {
    let walk = Self.played.walk
    #expect(Self.played.faults == [] && walk.faults == [])
    #expect(walk.found.count > 25 && walk.states < MachineWalk<OneAssistScreens>.statesMax, "\(walk.found.map(\.id))")
    #expect(ScreenSpecimen.faults(in: OneAssistText.self) == [])
  }

  @Test("every state of every screen is printed in docs/sdk/screens", arguments: ScreenLanguage.allCases)
  func printed(language: ScreenLanguage) throws {
    let path = "docs/sdk/screens/oneassist-\(language.rawValue).txt"
    #expect(try GoldenFile.difference(of: Self.played.walk.text(language), from: path) == nil)
  }

  @Test("from the code to the card: each answer of the SDK leads to the next screen")
  func way() {
    var app = app(code: nil)
    #expect(app.handle(.started) == [] && id(app) == "code")
    #expect(app.handle(.next) == [], "nothing was typed")
    let order = "6f1c1f0e-52d0-4b5a-9c1e-0f2b7a3d4e5c"
    for (text, code) in [(order, order), (order.uppercased(), order), ("ac-1", "AC-1")] {
      _ = app.handle(.typed(text, .code))
      #expect(app[.code] == code)
    }
    #expect(app.handle(.next) == [.begin("AC-1")])
    #expect(app.handle(.stands(.fetchDeviceId)) == [] && id(app) == "device")
    #expect(app.handle(.next) == [.readDevice] && id(app) == "device.busy")
    _ = app.handle(.refused(.ERROR_UNABLE_TO_DO_OCR))
    #expect(app.problem == .failureNumber && id(app) == "device.again")
    _ = app.handle(.next)
    #expect(app.handle(.cancel) == [.stop] && id(app) == "device")
    _ = app.handle(.next)
    _ = app.handle(.stands(.provideUserBasicDetail))
    #expect(app.isNumberRead && id(app) == "details")
    _ = app.handle(.typed("١١٠٠٠١", .pincode))
    _ = app.handle(.typed("12 Garden Road", .address))
    #expect(app.handle(.next) == [.submit(pincode: "110001", address: "12 Garden Road")])
    _ = app.handle(.stands(.sendUploadLinkOrOpenSecureScreen))
    #expect(!app.isLinkSent && id(app) == "link.screen")
    _ = app.handle(.typed("91234 56780", .mobile))
    #expect(app.handle(.next) == [.sendLink("9123456780")])
    _ = app.handle(.refused(.ERROR_API(code: "MOBILE_INVALID", description: "")))
    _ = app.handle(.typed("+965 5000 1001", .mobile))
    #expect(app.handle(.next) == [.sendLink("+96550001001")])
    _ = app.handle(.stands(.sendUploadLinkOrOpenSecureScreen))
    #expect(app.isLinkSent && app.handle(.show) == [.showScreen] && id(app) == "secure")
    #expect(app.handle(.stands(.secureScreenDismissed)) == [.look])
    #expect(app.handle(.stands(.completed)) == [.loadCard])
    _ = app.handle(.card(MembershipCard(plan: "Plan", device: "Phone", status: .pending)))
    #expect(id(app) == "membership.pending" && app.handle(.look) == [.look])
  }

  @Test("a recorded screen closes the secure screen and says why; a session that is over begins anew by a new token")
  func refusals() {
    var app = app(.started, .stands(.sendUploadLinkOrOpenSecureScreen), .show, .refused(.ERROR_SCREEN_RECORDING))
    #expect(app.stage == .link && app.problem == .failureRecording)
    _ = app.handle(.look)
    _ = app.handle(.refused(.ERROR_API(code: "AUTH_005", description: "")))
    #expect(id(app) == "failed.again" && app.handle(.next) == [.begin("AC-1")])
    #expect(app.handle(.refused(.ERROR_MEMBERSHIP_APPROVED)) == [.loadCard] && app.stage == .membership)
  }

  @Test("the server's not knowing a code and its not being there are told apart")
  func texts() {
    #expect(OneAssistText(.ERROR_GET_MEMBERSHIP_DETAILS) == .failureCode)
    #expect(OneAssistText(.ERROR_API(code: "3001", description: "offline")) == .failureServer)
    let failures = OneAssistText.allCases.filter { $0.rawValue.hasPrefix("failure") }
    #expect(Set(OneAssistSpecimen.errors.map { OneAssistText($0) }) == Set(failures))
  }
}
