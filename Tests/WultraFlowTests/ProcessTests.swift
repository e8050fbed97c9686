import Foundation
import WultraWire
import Kit
import PowerAuthCore
import Storage
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: the process before the activation")
struct ProcessTests {
  @Test("from one network so many may begin as the operator allows; from another one nobody is held up")
  func network() async throws {
    let house = try await WultraHouse { $0.startsPerNetwork = 2 }
    func begin(_ number: String, from address: String) async throws -> String? {
      try await refusal {
        _ = try await house.processes.start(
          Wultra.StartRequest(identification: .object(["clientNumber": .string(number)])),
          by: ApplicationCaller(tenant: "acme", language: "en", clientAddress: address))
      }
    }
    // An operator's customers share the first half of an address of version 6.
    for (number, address) in [("1", "2001:db8::1"), ("2", "2001:db8::2")] {
      #expect(try await begin(number, from: address) == nil)
    }
    #expect(try await begin("3", from: "2001:db8::3") == "rate-limited")
    #expect(try await begin("3", from: "2001:db8:1::3") == nil)
  }

  @Test("a process begins with what the app needs, and its code is sent to whom the institution knows")
  func begins() async throws {
    let house = try await WultraHouse()
    let state = try await house.processes.start(
      Wultra.StartRequest(identification: .object(["clientNumber": .string("1")])), by: house.app)
    #expect(state.onboardingStatus == .activationInProgress)
    #expect(state.config == Wultra.ProcessConfiguration(otpResendPeriod: "PT30S", otpResendPeriodSeconds: 30))
    #expect(UUID(uuidString: state.processId) != nil)
    try await house.settle()
    let message = try #require(house.bank.messages.first)
    #expect(message.userId == "user-1" && message.processId == state.processId && message.otpType == .activation)
    #expect(message.otpCode.count == 8 && message.otpCode.allSatisfy(\.isNumber) && !message.resend)
    #expect(try await house.auditFaults().isEmpty)
  }

  @Test("the same identification in another order and spelling goes on with the process; another one does not")
  func resumes() async throws {
    let house = try await WultraHouse()
    func start(_ json: String) async throws -> String {
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
      return try await house.processes.start(Wultra.StartRequest(identification: value), by: house.app).processId
    }
    let first = try await start(#"{"clientNumber":"1","born":"1990-01-01","nested":{"a":1,"b":"x/y"}}"#)
    #expect(try await start(#"{ "nested": {"b":"x\/y", "a":1}, "born":"1990-01-01","clientNumber":"1" }"#) == first)
    #expect(try await start(#"{"clientNumber":"1","born":"1990-01-02","nested":{"a":1,"b":"x/y"}}"#) != first)
    // The same at another institution is somebody else.
    let other = try await house.processes.start(
      Wultra.StartRequest(identification: .object(["clientNumber": .string("2")])),
      by: ApplicationCaller(tenant: "other", language: "en"))
    #expect(try await start(#"{"clientNumber":"2"}"#) != other.processId)
  }

  @Test("what identifies nobody is refused", arguments: ["null", "{}", "[]", #""x""#, "7"])
  func nothing(json: String) async throws {
    let house = try await WultraHouse()
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    let code = try await refusal {
      _ = try await house.processes.start(Wultra.StartRequest(identification: value), by: house.app)
    }
    #expect(code == "INVALID_REQUEST" && house.bank.lookups == 0)
  }

  @Test("somebody whom the institution does not know gets the same answers, the second time too, and no message")
  func unknown() async throws {
    let house = try await WultraHouse()
    var answers: [[String]] = []
    for number in ["1", "nobody"] {
      let first = try await house.start(number)
      let second = try await house.start(number)
      try await house.settle()
      house.clock.advance(by: .seconds(31))
      let third = try await house.start(number)
      try await house.settle()
      let status = try await house.processes.status(first, by: house.app)
      var tries: [String] = []
      for _ in 0..<6 {
        guard case .refused(let refusal) = try await house.tryActivation(first, "12") else { continue }
        tries.append("\(refusal.remainingAttempts ?? -1)")
      }
      let after = try await house.processes.status(first, by: house.app)
      answers.append(
        ["\(first == second) \(second == third) \(status.onboardingStatus) \(after.onboardingStatus)"] + tries)
    }
    #expect(
      answers[0] == answers[1]
        && answers[0] == ["true true ACTIVATION_IN_PROGRESS FAILED", "4", "3", "2", "1", "0", "0"])
    #expect(house.bank.messages.count == 2 && house.bank.messages.allSatisfy { $0.userId == "user-1" })
    #expect(house.bank.messages.map(\.resend) == [false, true])
  }

  @Test("a code of somebody unknown does not activate, right as it is")
  func unknownCode() async throws {
    let house = try await WultraHouse()
    let process = try await house.start("nobody")
    try await house.settle()
    let detail = try await house.processes.otpDetail(.init(processId: process, otpType: .activation), by: house.app)
    guard case .refused(let refusal) = try await house.tryActivation(process, detail.otpCode) else {
      Issue.record("activated")
      return
    }
    #expect(refusal.remainingAttempts == 4)
  }

  @Test("more than five processes of a user within a day end the sixth")
  func tooMany() async throws {
    let house = try await WultraHouse()
    for number in ["1", "nobody"] {
      for _ in 0..<5 {
        let process = try await house.start(number)
        try await house.processes.cleanUp(process, by: house.app)
      }
      #expect(try await refusal { _ = try await house.start(number) } == "TOO_MANY_ONBOARDING_PROCESSES")
    }
    house.clock.advance(by: .hours(24) + .seconds(1))
    #expect(try await refusal { _ = try await house.start() } == nil)
  }

  @Test(
    "whoever spells one person in many ways learns nothing of whether there is one: the sixth is answered and told nobody",
    arguments: ["1", "nobody"])
  func spellings(number: String) async throws {
    let house = try await WultraHouse()
    for spelling in 0..<7 {
      let first = try await house.start(number, spelling: spelling)
      // Nor does a repetition tell: it goes on with the same process.
      #expect(try await house.start(number, spelling: spelling) == first)
    }
    try await house.settle()
    #expect(house.bank.messages.count == (number == "nobody" ? 0 : 5))
  }

  @Test("another code is sent after thirty seconds and not before, and replaces the one before it")
  func resend() async throws {
    let house = try await WultraHouse()
    let process = try await house.start()
    try await house.settle()
    let first = try house.lastCode()
    #expect(
      try await refusal { try await house.processes.resendOTP(process, by: house.app) } == "ONBOARDING_OTP_FAILED")
    house.clock.advance(by: .seconds(30))
    try await house.processes.resendOTP(process, by: house.app)
    try await house.settle()
    let second = try house.lastCode()
    #expect(house.bank.messages.count == 2 && house.bank.messages[1].resend && first != second)
    guard case .refused = try await house.tryActivation(process, first) else {
      Issue.record("an old code activated")
      return
    }
    guard case .created = try await house.tryActivation(process, second) else {
      Issue.record("the new code did not activate")
      return
    }
  }

  @Test("the institution that does not answer begins nothing")
  func down() async throws {
    let house = try await WultraHouse()
    house.bank.change { $0.isDown = true }
    #expect(try await refusal { _ = try await house.start() } == "REMOTE_COMMUNICATION_ERROR")
    house.bank.change { $0.isDown = false }
    #expect(try await refusal { _ = try await house.start() } == nil)
  }

  @Test("a process that is not there, or another institution's, has one answer")
  func foreign() async throws {
    let house = try await WultraHouse()
    let process = try await house.start()
    let other = ApplicationCaller(tenant: "other", language: "en")
    for (id, caller) in [(process, other), (UUID().uuidString, house.app), ("x", house.app)] {
      #expect(try await refusal { _ = try await house.processes.status(id, by: caller) } == "ONBOARDING_FAILED")
      #expect(try await refusal { try await house.processes.cleanUp(id, by: caller) } == "ONBOARDING_FAILED")
      #expect(try await refusal { try await house.processes.resendOTP(id, by: caller) } == "ONBOARDING_FAILED")
    }
    #expect(try await house.processes.status(process.uppercased(), by: house.app).processId == process)
  }

  @Test("cleaning up ends the process and its code, and may be repeated")
  func cleanUp() async throws {
    let house = try await WultraHouse()
    let process = try await house.start()
    try await house.settle()
    let code = try house.lastCode()
    for _ in 0..<2 { try await house.processes.cleanUp(process, by: house.app) }
    #expect(try await house.processes.status(process, by: house.app).onboardingStatus == .failed)
    guard case .refused(let refused) = try await house.tryActivation(process, code) else {
      Issue.record("activated")
      return
    }
    #expect(refused.remainingAttempts == 0)
    #expect(try await house.process(process).failure == .canceledProcess)
  }

  @Test("a process that is not activated in time has failed, also when nobody looks")
  func expiry() async throws {
    let house = try await WultraHouse()
    let looked = try await house.start("1")
    let forgotten = try await house.start("2")
    house.clock.advance(by: .minutes(5))
    #expect(try await house.processes.status(looked, by: house.app).onboardingStatus == .failed)
    #expect(try await house.process(forgotten).status == .activating)
    try await house.effects.sweepLapsed()
    #expect(try await house.process(forgotten).failure == .expiredProcessActivation)
    // The same person begins anew.
    #expect(try await house.start("1") != looked)
  }

  @Test("two phones that begin at once get one process")
  func race() async throws {
    let house = try await WultraHouse()
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try await house.start() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
  }

  @Test("nothing that a person said of themselves, and no code, is in the store in clear")
  func sealed() async throws {
    let house = try await WultraHouse()
    _ = try await house.processes.start(
      Wultra.StartRequest(
        identification: .object(["clientNumber": .string("1234567890"), "name": .string("Przemyslaw")])), by: house.app)
    try await house.settle()
    let bytes = try await house.made.bytesOnDisk()
    for text in ["1234567890", "Przemyslaw", try house.lastCode()] {
      #expect(bytes.firstRange(of: Data(text.utf8)) == nil)
    }
  }

  @Test("a code can be read over the API in a sandbox and nowhere else")
  func detail() async throws {
    let house = try await WultraHouse()
    let process = try await house.start()
    try await house.settle()
    let request = Wultra.OTPDetailRequest(processId: process, otpType: .activation)
    #expect(try await house.processes.otpDetail(request, by: house.app).otpCode == house.lastCode())
    let live = try await WultraHouse { $0.isSandbox = false }
    let other = try await live.start()
    let code = try await refusal {
      _ = try await live.processes.otpDetail(.init(processId: other, otpType: .activation), by: live.app)
    }
    #expect(code == "not-found")
  }
}
