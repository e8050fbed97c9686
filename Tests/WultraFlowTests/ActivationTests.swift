// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Kit
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: the activation by a code")
struct ActivationTests {
  @Test("the right code makes an active device that is to be verified, and the process moves on with it")
  func right() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    let activation = try await app.activations.find(person.activation)
    #expect(activation.state == .active && activation.user == "user-1" && activation.flags == ["VERIFICATION_PENDING"])
    #expect(try await app.process(person.process).activation == person.activation.rawValue)
    #expect(try await app.processes.status(person.process, by: app.caller).onboardingStatus == .verificationInProgress)
    #expect(app.bank.notices == ["user-1 verifying -"])
    // Used once.
    guard case .refused(let refused) = try await app.tryActivation(person.process, app.lastCode()) else {
      Issue.record("activated twice")
      return
    }
    #expect(refused.remainingAttempts == 0)
  }

  @Test("wrong codes are counted over all codes of the process, and the last one ends it")
  func wrong() async throws {
    let app = try await WultraTestApp()
    let process = try await app.start()
    try await app.settle()
    func attempt(_ code: String) async throws -> Int? {
      guard case .refused(let refused) = try await app.tryActivation(process, code) else { return nil }
      return refused.remainingAttempts
    }
    for left in [4, 3] { #expect(try await attempt(WultraTestApp.wrong(app.lastCode())) == left) }
    app.clock.advance(by: .seconds(30))
    try await app.processes.resendOTP(process, by: app.caller)
    try await app.settle()
    for left in [2, 1, 0] { #expect(try await attempt(WultraTestApp.wrong(app.lastCode())) == left) }
    #expect(try await attempt(app.lastCode()) == 0)
    let ended = try await app.process(process)
    #expect(ended.status == .failed && ended.failure == .maxFailedAttemptsOtp && ended.errorScore == 5)
  }

  @Test("a code is good for five minutes")
  func expired() async throws {
    let app = try await WultraTestApp { $0.activationLifetime = .hours(1) }
    let process = try await app.start()
    try await app.settle()
    app.clock.advance(by: .minutes(5))
    guard case .refused(let refused) = try await app.tryActivation(process, app.lastCode()) else {
      Issue.record("activated by an old code")
      return
    }
    #expect(refused.remainingAttempts == 0)
    // Expired is not wrong: the next code counts from the beginning.
    try await app.processes.resendOTP(process, by: app.caller)
    try await app.settle()
    guard case .created = try await app.tryActivation(process, app.lastCode()) else {
      Issue.record("not activated")
      return
    }
  }

  @Test("of racing phones with the right code one is activated")
  func race() async throws {
    let app = try await WultraTestApp()
    let process = try await app.start()
    try await app.settle()
    let code = try app.lastCode()
    let created = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          do {
            if case .created = try await app.tryActivation(process, code) { return true }
          } catch is Problem {}
          return false
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(created == 1)
  }
}
