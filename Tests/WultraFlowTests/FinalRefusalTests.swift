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
    let house = try await WultraHouse()
    let person = try await house.activated()
    house.bank.change { $0.refusesEvaluation = true }
    try await person.documentsAccepted()
    #expect(try await person.state() == "CLIENT_EVALUATION/FAILED")
    #expect(house.bank.evaluations == 1)
    for _ in 0..<5 {
      house.clock.advance(by: .seconds(60))
      try await house.settle()
    }
    #expect(house.bank.evaluations == 1)
  }

  @Test("the verification that was begun last counts, also when a node began it whose clock is behind")
  func clocks() async throws {
    let house = try await WultraHouse {
      $0.asksOTP = false
      $0.checksPresence = false
    }
    house.clock.advance(by: .minutes(1))
    let person = try await house.activated()
    try await person.begin()
    try await house.verifications.cleanUp(person.process, by: person.caller)
    house.clock.advance(by: .seconds(-5))
    try await person.documentsAccepted()
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await house.process(person.process).status == .finished)
  }

  @Test("one person spelled in many ways at once gets as many processes with a code as one after the other")
  func spellings() async throws {
    let house = try await WultraHouse()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for spelling in 0..<10 {
        group.addTask {
          // Who lost too many races asks again, as an app does.
          for _ in 0..<20 {
            do {
              _ = try await house.start("1", spelling: spelling)
              return
            } catch let problem as Problem where problem == .unavailable { continue }
          }
          Issue.record("never began")
        }
      }
      try await group.waitForAll()
    }
    try await house.settle()
    #expect(house.bank.messages.count == WultraPolicy().processesMax)
    #expect(Set(house.bank.messages.map(\.processId)).count == WultraPolicy().processesMax)
    #expect(try await house.auditFaults().isEmpty)
  }
}
