// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Kit
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: refusals for good, and races")
struct FinalRefusalTests {
  @Test("an institution that refuses to evaluate a client for good is asked once")
  func finalFailure() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    app.bank.change { $0.refusesEvaluation = true }
    try await person.documentsAccepted()
    #expect(try await person.state() == "CLIENT_EVALUATION/FAILED")
    #expect(app.bank.evaluations == 1)
    for _ in 0..<5 {
      app.clock.advance(by: .seconds(60))
      try await app.settle()
    }
    #expect(app.bank.evaluations == 1)
  }

  @Test("the verification that was begun last counts, also when a node began it whose clock is behind")
  func clocks() async throws {
    let app = try await WultraTestApp {
      $0.asksOTP = false
      $0.checksPresence = false
    }
    app.clock.advance(by: .minutes(1))
    let person = try await app.activated()
    try await person.begin()
    try await app.verifications.cleanUp(person.process, by: person.caller)
    app.clock.advance(by: .seconds(-5))
    try await person.documentsAccepted()
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await app.process(person.process).status == .finished)
  }

  @Test("one person spelled in many ways at once gets as many processes with a code as one after the other")
  func spellings() async throws {
    let app = try await WultraTestApp()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for spelling in 0..<10 {
        group.addTask {
          // Who lost too many races asks again, as an app does.
          for _ in 0..<20 {
            do {
              _ = try await app.start("1", spelling: spelling)
              return
            } catch let problem as Problem where problem == .unavailable { continue }
          }
          Issue.record("never began")
        }
      }
      try await group.waitForAll()
    }
    try await app.settle()
    #expect(app.bank.messages.count == WultraPolicy().processesMax)
    #expect(Set(app.bank.messages.map(\.processId)).count == WultraPolicy().processesMax)
    #expect(try await app.auditFaults().isEmpty)
  }
}
