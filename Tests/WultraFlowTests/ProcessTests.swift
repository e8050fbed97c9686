// SPDX-License-Identifier: Apache-2.0

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
  @Test("from one network so many may begin as the operator allows; from another one no user is delayed")
  func network() async throws {
    let app = try await WultraTestApp { $0.startsPerNetwork = 2 }
    func begin(_ number: String, from address: String) async throws -> String? {
      try await refusal {
        _ = try await app.processes.start(
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
    let app = try await WultraTestApp()
    let state = try await app.processes.start(
      Wultra.StartRequest(identification: .object(["clientNumber": .string("1")])), by: app.caller)
    #expect(state.onboardingStatus == .activationInProgress)
    #expect(state.config == Wultra.ProcessConfiguration(otpResendPeriod: "PT30S", otpResendPeriodSeconds: 30))
    #expect(UUID(uuidString: state.processId) != nil)
    try await app.settle()
    let message = try #require(app.bank.messages.first)
    #expect(message.userId == "user-1" && message.processId == state.processId && message.otpType == .activation)
    #expect(message.otpCode.count == 8 && message.otpCode.allSatisfy(\.isNumber) && !message.resend)
    #expect(try await app.auditFaults().isEmpty)
  }

  @Test("the same identification in another order and spelling goes on with the process; another one does not")
  func resumes() async throws {
    let app = try await WultraTestApp()
    func start(_ json: String) async throws -> String {
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
      return try await app.processes.start(Wultra.StartRequest(identification: value), by: app.caller).processId
    }
    let first = try await start(#"{"clientNumber":"1","born":"1990-01-01","nested":{"a":1,"b":"x/y"}}"#)
    #expect(try await start(#"{ "nested": {"b":"x\/y", "a":1}, "born":"1990-01-01","clientNumber":"1" }"#) == first)
    #expect(try await start(#"{"clientNumber":"1","born":"1990-01-02","nested":{"a":1,"b":"x/y"}}"#) != first)
    // The same number at another institution is another person.
    let other = try await app.processes.start(
      Wultra.StartRequest(identification: .object(["clientNumber": .string("2")])),
      by: ApplicationCaller(tenant: "other", language: "en"))
    #expect(try await start(#"{"clientNumber":"2"}"#) != other.processId)
  }

  @Test("an empty identification is refused", arguments: ["null", "{}", "[]", #""x""#, "7"])
  func nothing(json: String) async throws {
    let app = try await WultraTestApp()
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    let code = try await refusal {
      _ = try await app.processes.start(Wultra.StartRequest(identification: value), by: app.caller)
    }
    #expect(code == "INVALID_REQUEST" && app.bank.lookups == 0)
  }

  @Test("a person whom the institution does not know gets the same answers, the second time too, and no message")
  func unknown() async throws {
    let app = try await WultraTestApp()
    var answers: [[String]] = []
    for number in ["1", "nobody"] {
      let first = try await app.start(number)
      let second = try await app.start(number)
      try await app.settle()
      app.clock.advance(by: .seconds(31))
      let third = try await app.start(number)
      try await app.settle()
      let status = try await app.processes.status(first, by: app.caller)
      var tries: [String] = []
      for _ in 0..<6 {
        guard case .refused(let refusal) = try await app.tryActivation(first, "12") else { continue }
        tries.append("\(refusal.remainingAttempts ?? -1)")
      }
      let after = try await app.processes.status(first, by: app.caller)
      answers.append(
        ["\(first == second) \(second == third) \(status.onboardingStatus) \(after.onboardingStatus)"] + tries)
    }
    #expect(
      answers[0] == answers[1]
        && answers[0] == ["true true ACTIVATION_IN_PROGRESS FAILED", "4", "3", "2", "1", "0", "0"])
    #expect(app.bank.messages.count == 2 && app.bank.messages.allSatisfy { $0.userId == "user-1" })
    #expect(app.bank.messages.map(\.resend) == [false, true])
  }

  @Test("a right code of an unknown person does not activate")
  func unknownCode() async throws {
    let app = try await WultraTestApp()
    let process = try await app.start("nobody")
    try await app.settle()
    let detail = try await app.processes.otpDetail(.init(processId: process, otpType: .activation), by: app.caller)
    guard case .refused(let refusal) = try await app.tryActivation(process, detail.otpCode) else {
      Issue.record("activated")
      return
    }
    #expect(refusal.remainingAttempts == 4)
  }

  @Test("more than five processes of a user within a day end the sixth")
  func tooMany() async throws {
    let app = try await WultraTestApp()
    for number in ["1", "nobody"] {
      for _ in 0..<5 {
        let process = try await app.start(number)
        try await app.processes.cleanUp(process, by: app.caller)
      }
      #expect(try await refusal { _ = try await app.start(number) } == "TOO_MANY_ONBOARDING_PROCESSES")
    }
    app.clock.advance(by: .hours(24) + .seconds(1))
    #expect(try await refusal { _ = try await app.start() } == nil)
  }

  @Test(
    "spelling one person in many ways does not show whether they exist: the sixth is answered without a message",
    arguments: ["1", "nobody"])
  func spellings(number: String) async throws {
    let app = try await WultraTestApp()
    for spelling in 0..<7 {
      let first = try await app.start(number, spelling: spelling)
      // Nor does a repetition tell: it goes on with the same process.
      #expect(try await app.start(number, spelling: spelling) == first)
    }
    try await app.settle()
    #expect(app.bank.messages.count == (number == "nobody" ? 0 : 5))
  }

  @Test("another code is sent after thirty seconds and not before, and replaces the one before it")
  func resend() async throws {
    let app = try await WultraTestApp()
    let process = try await app.start()
    try await app.settle()
    let first = try app.lastCode()
    #expect(
      try await refusal { try await app.processes.resendOTP(process, by: app.caller) } == "ONBOARDING_OTP_FAILED")
    app.clock.advance(by: .seconds(30))
    try await app.processes.resendOTP(process, by: app.caller)
    try await app.settle()
    let second = try app.lastCode()
    #expect(app.bank.messages.count == 2 && app.bank.messages[1].resend && first != second)
    guard case .refused = try await app.tryActivation(process, first) else {
      Issue.record("an old code activated")
      return
    }
    guard case .created = try await app.tryActivation(process, second) else {
      Issue.record("the new code did not activate")
      return
    }
  }

  @Test("the institution that does not answer begins nothing")
  func down() async throws {
    let app = try await WultraTestApp()
    app.bank.change { $0.isDown = true }
    #expect(try await refusal { _ = try await app.start() } == "REMOTE_COMMUNICATION_ERROR")
    app.bank.change { $0.isDown = false }
    #expect(try await refusal { _ = try await app.start() } == nil)
  }

  @Test("a process that is not there, or another institution's, has one answer")
  func foreign() async throws {
    let app = try await WultraTestApp()
    let process = try await app.start()
    let other = ApplicationCaller(tenant: "other", language: "en")
    for (id, caller) in [(process, other), (UUID().uuidString, app.caller), ("x", app.caller)] {
      #expect(try await refusal { _ = try await app.processes.status(id, by: caller) } == "ONBOARDING_FAILED")
      #expect(try await refusal { try await app.processes.cleanUp(id, by: caller) } == "ONBOARDING_FAILED")
      #expect(try await refusal { try await app.processes.resendOTP(id, by: caller) } == "ONBOARDING_FAILED")
    }
    #expect(try await app.processes.status(process.uppercased(), by: app.caller).processId == process)
  }

  @Test("cleaning up ends the process and its code, and may be repeated")
  func cleanUp() async throws {
    let app = try await WultraTestApp()
    let process = try await app.start()
    try await app.settle()
    let code = try app.lastCode()
    for _ in 0..<2 { try await app.processes.cleanUp(process, by: app.caller) }
    #expect(try await app.processes.status(process, by: app.caller).onboardingStatus == .failed)
    guard case .refused(let refused) = try await app.tryActivation(process, code) else {
      Issue.record("activated")
      return
    }
    #expect(refused.remainingAttempts == 0)
    #expect(try await app.process(process).failure == .canceledProcess)
  }

  @Test("a process that is not activated in time has failed, also when it is not read")
  func expiry() async throws {
    let app = try await WultraTestApp()
    let looked = try await app.start("1")
    let forgotten = try await app.start("2")
    app.clock.advance(by: .minutes(5))
    #expect(try await app.processes.status(looked, by: app.caller).onboardingStatus == .failed)
    #expect(try await app.process(forgotten).status == .activating)
    try await app.effects.sweepLapsed()
    #expect(try await app.process(forgotten).failure == .expiredProcessActivation)
    // The same person begins anew.
    #expect(try await app.start("1") != looked)
  }

  @Test("two phones that begin at once get one process")
  func race() async throws {
    let app = try await WultraTestApp()
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try await app.start() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
  }

  @Test("nothing that a person said of themselves, and no code, is in the store in clear")
  func sealed() async throws {
    let app = try await WultraTestApp()
    _ = try await app.processes.start(
      Wultra.StartRequest(
        identification: .object(["clientNumber": .string("1234567890"), "name": .string("Przemyslaw")])), by: app.caller
    )
    try await app.settle()
    let bytes = try await app.made.bytesOnDisk()
    for text in ["1234567890", "Przemyslaw", try app.lastCode()] {
      #expect(bytes.firstRange(of: Data(text.utf8)) == nil)
    }
  }

  @Test("a code can be read over the API in a sandbox and nowhere else")
  func detail() async throws {
    let app = try await WultraTestApp()
    let process = try await app.start()
    try await app.settle()
    let request = Wultra.OTPDetailRequest(processId: process, otpType: .activation)
    #expect(try await app.processes.otpDetail(request, by: app.caller).otpCode == app.lastCode())
    let live = try await WultraTestApp { $0.isSandbox = false }
    let other = try await live.start()
    let code = try await refusal {
      _ = try await live.processes.otpDetail(.init(processId: other, otpType: .activation), by: live.caller)
    }
    #expect(code == "not-found")
  }
}
