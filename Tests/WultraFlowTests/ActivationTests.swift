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
    let house = try await WultraHouse()
    let person = try await house.activated()
    let activation = try await house.activations.find(person.activation)
    #expect(activation.state == .active && activation.user == "user-1" && activation.flags == ["VERIFICATION_PENDING"])
    #expect(try await house.process(person.process).activation == person.activation.rawValue)
    #expect(try await house.processes.status(person.process, by: house.app).onboardingStatus == .verificationInProgress)
    #expect(house.bank.news == ["user-1 verifying -"])
    // Used once.
    guard case .refused(let refused) = try await house.tryActivation(person.process, house.lastCode()) else {
      Issue.record("activated twice")
      return
    }
    #expect(refused.remainingAttempts == 0)
  }

  @Test("wrong codes are counted over all codes of the process, and the last one ends it")
  func wrong() async throws {
    let house = try await WultraHouse()
    let process = try await house.start()
    try await house.settle()
    func attempt(_ code: String) async throws -> Int? {
      guard case .refused(let refused) = try await house.tryActivation(process, code) else { return nil }
      return refused.remainingAttempts
    }
    for left in [4, 3] { #expect(try await attempt(WultraHouse.wrong(house.lastCode())) == left) }
    house.clock.advance(by: .seconds(30))
    try await house.processes.resendOTP(process, by: house.app)
    try await house.settle()
    for left in [2, 1, 0] { #expect(try await attempt(WultraHouse.wrong(house.lastCode())) == left) }
    #expect(try await attempt(house.lastCode()) == 0)
    let ended = try await house.process(process)
    #expect(ended.status == .failed && ended.failure == .maxFailedAttemptsOtp && ended.errorScore == 5)
  }

  @Test("a code is good for five minutes")
  func expired() async throws {
    let house = try await WultraHouse { $0.activationLifetime = .hours(1) }
    let process = try await house.start()
    try await house.settle()
    house.clock.advance(by: .minutes(5))
    guard case .refused(let refused) = try await house.tryActivation(process, house.lastCode()) else {
      Issue.record("activated by an old code")
      return
    }
    #expect(refused.remainingAttempts == 0)
    // Expired is not wrong: the next code counts from the beginning.
    try await house.processes.resendOTP(process, by: house.app)
    try await house.settle()
    guard case .created = try await house.tryActivation(process, house.lastCode()) else {
      Issue.record("not activated")
      return
    }
  }

  @Test("of racing phones with the right code one is activated")
  func race() async throws {
    let house = try await WultraHouse()
    let process = try await house.start()
    try await house.settle()
    let code = try house.lastCode()
    let created = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          do {
            if case .created = try await house.tryActivation(process, code) { return true }
          } catch is Problem {}
          return false
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(created == 1)
  }
}
