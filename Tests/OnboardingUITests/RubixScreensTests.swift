// SPDX-License-Identifier: Apache-2.0

import Forms
import Foundation
import GatehouseUI
import OnboardingScreens
import RubixOnboarding
import ScreenSpecimens
import TestSupport
import Testing

@testable import OnboardingUI

@Suite("Onboarding screens: Rubix, every state and every event in it")
struct RubixWalkTests {
  /// One walk for all tests, and what was wrong on it.
  private struct Played {
    let walk: MachineWalk<RubixScreens>
    let attempts, watches: Int
    let faults: [String]

    init() {
      var (attempts, watches, faults) = (0, 0, [String]())
      walk = RubixSpecimen.walk { attempt in
        attempts += 1
        let calls = attempt.effects.filter { $0.lane == "call" }
        if calls.count > 1 { faults.append("\(calls.count) calls from \(attempt.before.stage)") }
        // An effect that starts a call shows that it is under way.
        if !calls.isEmpty, !Self.isBusy(attempt.after) { faults.append("not busy: \(attempt.after.stage)") }
        let (before, after) = (Self.waits(attempt.before.stage), Self.waits(attempt.after.stage))
        let watched = attempt.effects.filter { $0.lane == "watch" }
        if watched != (before == after ? [] : [after ? .watch : .endWatch]) {
          faults.append("watch from \(attempt.before.stage) to \(attempt.after.stage)")
        }
        watches += watched == [.watch] ? 1 : 0
      }
      (self.attempts, self.watches, self.faults) = (attempts, watches, faults)
    }

    private static func isBusy(_ app: RubixScreens) -> Bool {
      app.screen(in: ScreenSpecimen.context).elements.contains { if case .progress = $0 { true } else { false } }
    }

    private static func waits(_ stage: RubixScreens.Stage) -> Bool {
      switch stage {
      case .call, .waiting: true
      default: false
      }
    }
  }

  private static let played = Played()
  private static var walk: MachineWalk<RubixScreens> { played.walk }

  @Test("one call at a time, which is shown; the institution is looked at exactly while the customer waits for it")
  func calls() {
    #expect(Self.played.faults == [])
    #expect(Self.played.attempts > 10_000 && Self.played.watches > 10)
    #expect(Self.walk.states < MachineWalk<RubixScreens>.statesMax)
  }

  @Test("every screen has labels in three languages, and each id once")
  func labels() {
    #expect(Self.walk.found.count > 55, "\(Self.walk.found.map(\.id))")
    #expect(Self.walk.faults == [])
  }

  @Test("every state of every screen is printed in docs/sdk/screens", arguments: ScreenLanguage.allCases)
  func printed(language: ScreenLanguage) throws {
    let text = Self.walk.text(language)
    #expect(try GoldenFile.difference(of: text, from: "docs/sdk/screens/rubix-\(language.rawValue).txt") == nil)
  }
}

@Suite("Onboarding screens: Rubix, what follows what")
struct RubixScreensTests {
  private func app(_ events: RubixEvent...) -> RubixScreens {
    var app = RubixSpecimen.start()
    _ = app.handle(.started)
    for event in events { _ = app.handle(event) }
    return app
  }

  @Test(
    "a form is signed on the server's day where the device's clock is behind it, as beside a sandbox that was moved",
    arguments: [(-30, 0), (-1, 0), (0, 0), (1, 1)])
  func signed(device: Int, filled: Int) {
    func day(_ offset: Int) -> WireDate { WireDate(daysSince1970: RubixSpecimen.today.daysSince1970 + offset) }
    let app = app(
      .stands(RubixSpecimen.view("/compliance/crs")), .template(.crs, .standardCRS, [], today: day(device)))
    guard case .form(let form) = app.stage else {
      Issue.record("no form: \(app.stage)")
      return
    }
    #expect(form.values["declaration.signed_on"] == day(filled).description)
  }

  @Test("work that is next again right after it was done waits for the customer")
  func stalled() {
    var app = app()
    let reading = RubixEvent.stands(RubixSpecimen.view("/documents/passport/process"))
    #expect(app.handle(reading) == [.read(.passport)])
    #expect(app.handle(reading) == [] && app.stage == .stalled(.reading(.passport)))
    #expect(app.handle(.retry) == [.read(.passport)])
    #expect(app.handle(.stands(RubixSpecimen.view("/documents/verification"))) == [.compare])
  }

  @Test("a document that could not be read is asked for again, with the reason")
  func unreadable() {
    var app = app(.stands(RubixSpecimen.view("/documents/passport/process")))
    #expect(app.handle(.refused(RubixSpecimen.problem(.documentUnreadable))) == [.resume])
    _ = app.handle(.stands(RubixSpecimen.view("/documents/passport/upload")))
    guard case .capturing(.document(.passport), let capture) = app.stage else {
      Issue.record("\(app.stage)")
      return
    }
    #expect(capture.problem == .refusedUnreadable)
  }

  @Test("pictures that do not agree are asked for again, with the reason")
  func mismatch() {
    var app = app(.stands(RubixSpecimen.view("/documents/verification")))
    _ = app.handle(.mismatched)
    _ = app.handle(.stands(RubixSpecimen.view(RubixSpecimen.uploads[0], RubixSpecimen.uploads[1])))
    #expect(app.screen(in: ScreenSpecimen.context).id == "documents.again")
    _ = app.handle(.chosen(.drivingLicense))
    #expect(app.stage == .choosing([.nationalIDFront, .passport]), "not offered")
    _ = app.handle(.chosen(.passport))
    _ = app.handle(.back)
    #expect(app.stage == .choosing([.nationalIDFront, .passport]))
  }

  @Test("a refused liveness check asks for another challenge")
  func liveness() {
    var app = app(.stands(RubixSpecimen.view("/faces/liveness/upload")), .challenge(nil))
    _ = app.handle(.capture(.taken(ScreenSpecimen.picture)))
    #expect(app.handle(.capture(.use)) == [.sendLiveness(ScreenSpecimen.picture, nil)])
    #expect(app.handle(.refused(RubixSpecimen.problem(.livenessFailed))) == [.loadChallenge])
    _ = app.handle(.challenge(nil))
    #expect(app.screen(in: ScreenSpecimen.context).id == "liveness.capture.aiming-again")
  }

  @Test(
    "the next selfie is the one that the server lacks, or the one that is compared",
    arguments: [[.faceCapture], SelfieSubType.known])
  func selfies(taken: [SelfieSubType]) {
    var view = RubixSpecimen.view("/faces/selfie/upload", selfies: taken)
    view.nextSteps[0].message = "Without glasses, please."
    let some = app(.stands(view))
    guard case .capturing(.selfie(.faceEnrollment), _) = some.stage else {
      Issue.record("\(some.stage)")
      return
    }
    #expect(some.screen(in: ScreenSpecimen.context).text().contains("Without glasses, please."))
  }

  @Test("where looks are asked for, a selfie says which way to look, and the one that is taken again looks straight")
  func looks() {
    func stage(_ taken: [SelfieSubType]) -> RubixScreens {
      var view = RubixSpecimen.view("/faces/selfie/upload", selfies: taken)
      view.session?.selfieLooks = [.right, .left, .straight]
      return app(.stands(view))
    }
    let told: [(taken: [SelfieSubType], subType: SelfieSubType, look: SelfieLook, text: String)] = [
      ([], .faceCapture, .right, "to your right"), ([.faceCapture], .faceEnrollment, .left, "to your left"),
      ([.faceCapture, .faceEnrollment], .deviceRegistration, .straight, "Look straight"),
      (SelfieSubType.known, .deviceRegistration, .straight, "Look straight"),
    ]
    for (taken, subType, look, text) in told {
      var some = stage(taken)
      guard case .capturing(.selfieLooking(subType, look), _) = some.stage else {
        Issue.record("\(some.stage)")
        return
      }
      #expect(some.screen(in: ScreenSpecimen.context).text().contains(text))
      _ = some.handle(.capture(.taken(ScreenSpecimen.picture)))
      #expect(some.handle(.capture(.use)) == [.sendSelfie(ScreenSpecimen.picture, subType)])
    }
  }

  @Test("after a restart a code can be entered, though nothing is known of it")
  func restart() {
    var fresh = app(.stands(RubixSpecimen.view("/otp/sms/verify")))
    #expect(fresh.stage == .code(.sms, CodeScreen()))
    _ = fresh.handle(.code(.typed("123456")))
    #expect(fresh.handle(.code(.confirm)) == [.checkCode(.sms, TypedCode(digits: "123456"))])
    _ = fresh.handle(.refused(RubixSpecimen.problem(.otpMismatch, attemptsLeft: 2)))
    #expect(fresh.screen(in: ScreenSpecimen.context).text().contains("The code is wrong. Attempts left: 2."))
  }

  @Test("a call is joined at an address of the web, and only there")
  func join() {
    for (address, isOpened) in [("https://calls.example/1", true), ("tel:+96550001001", false), ("file:///etc", false)]
    {
      let appointment = RubixSpecimen.appointment(joinURL: address)
      var app = app(.stands(RubixSpecimen.view("/agents/verification", appointment: appointment)))
      #expect(app.handle(.join).isEmpty != isOpened, "\(address)")
    }
  }

  @Test(
    "a call that is recorded says this before it is joined, also before that is possible", arguments: [true, false])
  func recorded(isRecorded: Bool) {
    for address in ["https://calls.example/1", nil] {
      let appointment = RubixSpecimen.appointment(joinURL: address, isRecorded: isRecorded)
      let app = app(.stands(RubixSpecimen.view("/agents/verification", appointment: appointment)))
      #expect(app.screen(in: ScreenSpecimen.context).text().contains("The bank records this call") == isRecorded)
    }
  }

  @Test("a time that was taken shows the times anew; who changes a booked call may go back to it")
  func appointment() {
    let booked = RubixEvent.stands(RubixSpecimen.view("/agents/verification", appointment: RubixSpecimen.appointment()))
    var app = app(.stands(RubixSpecimen.view("/agents/appointments")), .slots(RubixSpecimen.slots))
    #expect(app.screen(in: ScreenSpecimen.context).back == nil)
    let start = RubixSpecimen.slots[0].start
    #expect(app.handle(.appointment(.time(start))) == [.book(start)])
    #expect(app.handle(.refused(RubixSpecimen.problem(.slotTaken))) == [.loadSlots])
    _ = app.handle(.slots(RubixSpecimen.slots))
    #expect(app.stage == .appointment(AppointmentScreen(RubixSpecimen.slots, isTaken: true)))
    #expect(app.handle(booked) == [.watch])
    #expect(app.handle(.move) == [.loadSlots, .endWatch])
    _ = app.handle(.slots(RubixSpecimen.slots))
    #expect(app.handle(.back) == [.resume])
    #expect(app.handle(booked) == [.watch])
  }

  @Test("a lost session begins anew with a notice; a failure asks the server for the state")
  func failures() {
    var app = app(.stands(RubixSpecimen.view("/compliance/kyc")))
    #expect(app.handle(.refused(.transport(TransportError(.offline)))) == [])
    #expect(app.stage == .failed(.transport(TransportError(.offline))))
    #expect(app.handle(.retry) == [.resume] && app.stage == .starting)
    #expect(app.handle(.refused(RubixSpecimen.problem(.stepOutOfOrder))) == [], "it would go on for ever")
    _ = app.handle(.refused(.sessionLost))
    #expect(app.screen(in: ScreenSpecimen.context).id == "consent.anew")
  }
}
