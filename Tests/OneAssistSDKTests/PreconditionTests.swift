// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import OneAssistSDK
import Testing

@Suite("OneAssistSDK: preconditions and misuse")
struct PreconditionTests {
  private static let (pin, address) = ("560001", TestPhone.address)

  /// Every call with preconditions, with arguments that are in order and with some that are not.
  @MainActor
  private func calls(
    _ app: OAActivation, _ host: ShownHost = ShownHost(), isBlank: Bool = false
  ) -> [(name: String, call: @Sendable () async throws -> OAAction, blank: OAError?)] {
    let (pin, address, number) = (isBlank ? "" : Self.pin, isBlank ? " " : Self.address, isBlank ? " " : "9123456780")
    return [
      (
        "fetchDeviceId",
        {
          try await app.fetchDeviceId(pincode: pin, address: isBlank ? "x y z" : address)
        }, .ERROR_EMPTY_PINCODE
      ),
      (
        "submitBasicDetails",
        {
          try await app.submitBasicDetails(pincode: pin, address: address)
        }, .ERROR_EMPTY_USER_DETAILS
      ),
      (
        "sendUploadLink", { try await app.sendUploadLink(number) },
        .ERROR_EMPTY_MOBILE_NUMBER
      ),
      ("openSecureScreen", { try await app.openSecureScreen(onViewController: host) }, nil),
    ]
  }

  @Test("of two violations the earlier one is told")
  @MainActor
  func order() async throws {
    let phone = TestPhone()
    // No token, no activation.
    for (name, call, _) in calls(phone.app(), isBlank: true) {
      #expect(await thrown { try await call() } == .ERROR_EMPTY_TOKEN, "\(name)")
    }
    // A token; no activation, and bad arguments.
    for (name, call, _) in calls(try await phone.ready(), isBlank: true) {
      #expect(await thrown { try await call() } == .ERROR_EMPTY_ACTIVATION_CODE, "\(name)")
    }
    // Started, no number; bad arguments and a status that allows nothing.
    phone.change { $0.isCaptured = true }
    for (name, call, blank) in calls(try await phone.started("APPROVED"), isBlank: true) {
      let expected = ["sendUploadLink", "openSecureScreen"].contains(name) ? .ERROR_IMEI_MISSING : blank
      #expect(await thrown { try await call() } == expected, "\(name)")
    }
    // A number; bad arguments and a status that allows nothing.
    phone.change { $0.isCaptured = false }
    let known = try await phone.numbered("APPROVED")
    phone.change { $0.isCaptured = true }
    for (name, call, blank) in calls(known, isBlank: true) {
      let expected = blank ?? .ERROR_MEMBERSHIP_APPROVED
      #expect(await thrown { try await call() } == expected, "\(name)")
    }
    // A status that allows it; no link, and a screen that is recorded.
    phone.server.change { $0.status = "POSTDTLCOMPLETE" }
    try await known.startActivation(for: FakeServer.code)
    let open = calls(known)[3].call
    #expect(await thrown { try await open() } == .ERROR_SMS_NOT_SENT)
    phone.server.change { $0.linkSentAt = "2026-11-22T08:00:00Z" }
    try await known.startActivation(for: FakeServer.code)
    #expect(await thrown { try await open() } == .ERROR_SCREEN_RECORDING)
  }

  @Test("one of PIN code and address alone is refused before anything is shown")
  func halves() async throws {
    let phone = TestPhone()
    let app = try await phone.started()
    let cases: [(String?, String?, OAError)] = [
      ("560001", " ", .ERROR_EMPTY_ADDRESS), (nil, "x y z", .ERROR_EMPTY_PINCODE),
      ("560001", nil, .ERROR_EMPTY_ADDRESS),
    ]
    for (pin, address, error) in cases {
      #expect(
        await thrown { try await app.fetchDeviceId(pincode: pin, address: address) }
          == error)
      #expect(
        await thrown {
          try await app.submitBasicDetails(pincode: pin ?? "", address: address ?? "")
        } == error)
    }
    #expect(phone.read { $0.watches } == 0 && phone.server.last("lead") == nil)
  }

  @Test(
    "the number of the purchase is refused in every spelling, and what is no number, too",
    arguments: ["+919876543210", "09876543210", "98765 43210", "9876543210", "+91 98765-43210"])
  func sameNumber(number: String) async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    let refused = await thrown { try await app.sendUploadLink(number) }
    #expect(refused?.errorCode == "SECONDARY_EQUALS_PRIMARY")
    let bad = await thrown { try await app.sendUploadLink("12345") }
    #expect(bad?.errorCode == "MOBILE_INVALID")
    #expect(phone.server.last("link") == nil)
  }

  @Test("a number of another country is for the server to judge")
  func abroad() async throws {
    let phone = TestPhone()
    phone.server.change { $0.purchase = 447_700_900_123 }
    let app = try await phone.numbered()
    try await app.sendUploadLink("+447700900456")
    #expect(phone.server.last("link") != nil)
    let same = await thrown { try await app.sendUploadLink("+44 7700 900123") }
    #expect(same?.errorCode == "SECONDARY_EQUALS_PRIMARY")
  }

  // MARK: initializeSDK

  @Test("a blank token, one that cannot be sent, and an invalid address change nothing")
  func initialize() async throws {
    let phone = TestPhone()
    let app = try await phone.started()
    for (token, endPoint, error) in [
      ("", nil, OAError.ERROR_EMPTY_TOKEN), (" \n", nil, .ERROR_EMPTY_TOKEN),
      ("a\r\nb: c", nil, .ERROR_UNABLE_TO_PROCESS_DESC),
      ("t", "ftp://host", .ERROR_UNABLE_TO_PROCESS_DESC), ("t", "", .ERROR_UNABLE_TO_PROCESS_DESC),
      ("t", "http://", .ERROR_UNABLE_TO_PROCESS_DESC), ("t", "http://a/?b=c", .ERROR_UNABLE_TO_PROCESS_DESC),
    ] {
      #expect(
        await thrown {
          try await app.initializeSDK(token: token, isDebugMode: true, apiEndPoint: endPoint)
        } == error)
    }
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
  }

  @Test("calls go where the app says: by the call, else by its configuration; setting up makes no call")
  func addresses() async throws {
    for (isDebug, endPoint, base) in [
      (false, nil, "https://cover.example/apigateway"), (true, nil, "http://[::1]:9"),
      (false, "https://bank.example:8443/gate/", "https://bank.example:8443/gate"),
      (true, "http://127.0.0.1:9/gate/", "http://127.0.0.1:9/gate"),
    ] {
      let phone = TestPhone()
      let app = phone.app()
      try await app.initializeSDK(token: "t", isDebugMode: isDebug, apiEndPoint: endPoint)
      #expect(phone.server.requests.isEmpty)
      try await app.startActivation(for: "A B/&?")
      let url = phone.server.last("info")?.url.absoluteString
      #expect(url == "\(base)/subscription-service/order/info?orderUUID=A%20B%2F%26%3F")
    }
  }

  @Test("without a server's name a token goes nowhere, in debug mode neither")
  func unnamed() async throws {
    let phone = TestPhone(configuration: OAConfiguration())
    let app = phone.app()
    for isDebug in [false, true] {
      let refusal = await thrown { try await app.initializeSDK(token: "t", isDebugMode: isDebug) }
      #expect(refusal?.errorCode == "SERVER_NOT_NAMED" && refusal?.localizedDescription.contains("apiEndPoint") == true)
      #expect(await thrown { try await app.startActivation(for: FakeServer.code) } == .ERROR_EMPTY_TOKEN)
    }
    #expect(phone.server.requests.isEmpty)
    // One address serves both modes.
    let both = TestPhone(configuration: OAConfiguration(apiEndPoint: "https://cover.example", textRecognizer: .server))
    let ready = both.app()
    try await ready.initializeSDK(token: "t", isDebugMode: true)
    try await ready.startActivation(for: FakeServer.code)
    #expect(both.server.requests.allSatisfy { $0.url.host() == "cover.example" })
  }

  @Test("outside of debug mode only https is an address")
  func clearText() async throws {
    let app = TestPhone().app()
    for endPoint in ["http://cover.example", "http://127.0.0.1:9", "ftp://cover.example", "cover.example", ""] {
      let refusal = await thrown { try await app.initializeSDK(token: "t", apiEndPoint: endPoint) }
      #expect(refusal == .ERROR_UNABLE_TO_PROCESS_DESC)
    }
    let clear = TestPhone(configuration: OAConfiguration(apiEndPoint: "http://cover.example")).app()
    #expect(await thrown { try await clear.initializeSDK(token: "t") } == .ERROR_UNABLE_TO_PROCESS_DESC)
  }

  @Test("Info.plist names the servers of an app that configures nothing")
  func infoDictionary() {
    let configuration = OAConfiguration(infoDictionary: [
      "OneAssistAPIEndPoint": "https://cover.example", "OneAssistDebugAPIEndPoint": "https://test.example",
    ])
    #expect(configuration.apiEndPoint == "https://cover.example")
    #expect(configuration.debugAPIEndPoint == "https://test.example" && !configuration.acceptsTestIMEIs)
    #expect(OAConfiguration(infoDictionary: ["OneAssistAPIEndPoint": 1]).apiEndPoint == nil)
  }

  @Test("every request carries what the server asks for; writes can be recognised when they come again")
  func headers() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    try await app.sendUploadLink("9123456780")
    await app.finishBackgroundTasks()
    #expect(!phone.server.requests.isEmpty)
    for request in phone.server.requests {
      #expect(request.headers["token"] == "token" && request.headers["App-Id"] == "mobileApp")
      #expect(request.headers["apkVersion"] == "0.0.1")
      #expect(request.headers["User-Agent"] == "OneAssistSDK/0.0.1 (iPhone 14; iOS 18)")
      #expect(UUID(uuidString: request.headers["X-Request-Id"] ?? "") != nil)
      #expect((request.headers["Idempotency-Key"] == nil) == (request.method == "GET"))
    }
  }

  @Test("the log of debug mode names calls and endings, and nothing of the customer; otherwise nothing is logged")
  func log() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    _ = try await app.sendUploadLink("9123456780")
    let lines = phone.read { $0.log }.joined(separator: "\n")
    #expect(lines.contains("link: 200"))
    for secret in [TestPhone.imei, "9123456780", "560001", "Lake", "token", FakeServer.code, FakeServer.reference] {
      #expect(!lines.contains(secret))
    }
    let quiet = TestPhone()
    let silent = quiet.app()
    try await silent.initializeSDK(token: "t")
    try await silent.startActivation(for: FakeServer.code)
    #expect(quiet.read { $0.log }.isEmpty)
  }
}
