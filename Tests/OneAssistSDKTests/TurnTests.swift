// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import OneAssistSDK
import Synchronization
import Testing

@Suite("OneAssistSDK: calls take turns", .timeLimit(.minutes(5)))
struct TurnTests {
  /// An exchange that goes on until a test ends it.
  private final class Gate: Sendable {
    private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    private let (openings, opening) = AsyncStream.makeStream(of: Void.self)

    func reached() async { for await _ in arrivals { return } }
    func open() { opening.yield() }

    /// - Returns: false when the call was cancelled meanwhile.
    func pass() async -> Bool {
      arrival.yield()
      for await _ in openings { return true }
      return false
    }
  }

  private static let taskStatus = Data(#"{"status":"success","data":{"taskInfo":{"status":"POSTDTLCOMPLETE"}}}"#.utf8)

  /// Holds `POST lead` until the gate opens.
  private func held(_ phone: TestPhone) -> Gate {
    let gate = Gate()
    phone.server.answer("lead") { _ in
      await gate.pass()
        ? .success(TransportResponse(status: 200, body: Self.taskStatus)) : .failure(TransportError(.cancelled))
    }
    return gate
  }

  @Test("a call that is made while another one goes on waits for it, and both are answered once, in order")
  func order() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    let gate = held(phone)
    let (answers, mouth) = AsyncStream.makeStream(of: String.self)
    app.submitBasicDetails(pincode: "560001", address: TestPhone.address) { success, stage, _ in
      mouth.yield("details \(success) \(stage)")
    }
    app.sendUploadLink("9123456780") { success, stage, _ in mouth.yield("link \(success) \(stage)") }
    app.sendUploadLink("") { _, stage, error in mouth.yield("blank \(error?.errorCode ?? "") \(stage)") }
    await gate.reached()
    #expect(phone.server.last("link") == nil)
    gate.open()
    var seen: [String] = []
    for await answer in answers {
      seen.append(answer)
      if seen.count == 3 { break }
    }
    #expect(
      seen == [
        "details true sendUploadLinkOrOpenSecureScreen", "link true sendUploadLinkOrOpenSecureScreen",
        "blank 1003 sendUploadLinkOrOpenSecureScreen",
      ])
  }

  @Test("setting up anew answers what goes on and what waits with 4006, once; what comes of it later counts no more")
  func reset() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    let gate = held(phone)
    let answers = Mutex<[String]>([])
    for name in ["one", "two"] {
      app.submitBasicDetails(pincode: "560001", address: TestPhone.address) { success, stage, error in
        answers.withLock { $0.append("\(name) \(success) \(stage) \(error?.errorCode ?? "")") }
      }
    }
    await gate.reached()
    try await app.initializeSDK(token: "t", isDebugMode: true)
    let told = ["one", "two"].map { "\($0) false sendUploadLinkOrOpenSecureScreen 4006" }
    #expect(answers.withLock { $0 } == told)
    gate.open()
    // The order is forgotten; the number is not.
    #expect(await thrown { try await app.sendUploadLink("9123456780") } == .ERROR_EMPTY_ACTIVATION_CODE)
    #expect(try await app.startActivation(for: FakeServer.code) == .sendUploadLinkOrOpenSecureScreen)
    #expect(answers.withLock { $0 } == told)
  }

  @Test("after a failure the stage is the last one that was delivered with success")
  func stage() async throws {
    let phone = TestPhone()
    let app = phone.app()
    func stage(_ call: (@escaping OAActivationCompletion) -> Void) async -> String {
      await withCheckedContinuation { continuation in
        call { success, stage, error in
          continuation.resume(returning: "\(success) \(stage) \(error?.errorCode ?? "")")
        }
      }
    }
    #expect(await stage { app.startActivation(for: "x", completion: $0) } == "false initializedSDK 1001")
    try await app.initializeSDK(token: "t", isDebugMode: true)
    #expect(await stage { app.startActivation(for: " ", completion: $0) } == "false initializedSDK 1002")
    #expect(await stage { app.startActivation(for: FakeServer.code, completion: $0) } == "true fetchDeviceId ")
    #expect(await stage { app.sendUploadLink("9123456780", completion: $0) } == "false fetchDeviceId 1007")
    app.initializeSDK(token: "") { success, stage, error in
      #expect(!success && stage == .fetchDeviceId && error == .ERROR_EMPTY_TOKEN)
    }
  }

  @Test("a task that is cancelled ends its call with 4006, before its turn and in it")
  func cancelled() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    let gate = held(phone)
    let first = Task {
      await thrown { try await app.submitBasicDetails(pincode: "560001", address: TestPhone.address) }
    }
    await gate.reached()
    let second = Task { await thrown { try await app.sendUploadLink("9123456780") } }
    second.cancel()
    first.cancel()
    #expect(await first.value == .ERROR_UNABLE_TO_PROCESS_DESC)
    #expect(await second.value == .ERROR_UNABLE_TO_PROCESS_DESC)
    #expect(phone.server.last("link") == nil)
    phone.server.restore("lead")
    #expect(try await app.sendUploadLink("9123456780") == .sendUploadLinkOrOpenSecureScreen)
  }

  @Test("a status that the server tells beside a refusal is known from then on")
  func taskStatus() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    phone.server.answer(
      "link", status: 409,
      #"{"errors":[{"errorCode":"MEMBERSHIP_STATUS_CHANGED","message":"Changed."}],"#
        + #""extra":{"taskInfo":{"status":"PENDING"}}}"#)
    #expect(await thrown { try await app.sendUploadLink("9123456780") } == .ERROR_MEMBERSHIP_PENDING)
    let calls = phone.server.requests.count
    #expect(await thrown { try await app.sendUploadLink("9123456780") } == .ERROR_MEMBERSHIP_PENDING)
    #expect(phone.server.requests.count == calls)
  }
}
