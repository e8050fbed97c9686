// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import OneAssistSDK
import TestSupport
import Testing

@Suite("OneAssistSDK: errors")
struct ErrorTests {
  private static let table: [(OAError, String, String)] = [
    (.ERROR_EMPTY_TOKEN, "1001", "Token Empty"),
    (.ERROR_EMPTY_ACTIVATION_CODE, "1002", "Activation Code Empty"),
    (.ERROR_EMPTY_MOBILE_NUMBER, "1003", "Mobile number is empty"),
    (.ERROR_EMPTY_USER_DETAILS, "1004", "User details not provided"),
    (.ERROR_EMPTY_PINCODE, "1005", "Pincode is empty"), (.ERROR_EMPTY_ADDRESS, "1006", "Address is empty"),
    (.ERROR_IMEI_MISSING, "1007", "IMEI is missing"),
    (.ERROR_SMS_NOT_SENT, "1008", "Send message on secondary device first"),
    (.ERROR_MEMBERSHIP_IN_PROGRESS, "2001", "Activation In-Progress"),
    (.ERROR_MEMBERSHIP_PENDING, "2002", "Activation In-Progress"),
    (.ERROR_MEMBERSHIP_APPROVED, "2003", "Membership Approved"),
    (.ERROR_MEMBERSHIP_QUEUED, "2004", "Membership Queued"),
    (.ERROR_MEMBERSHIP_REJECTED, "2005", "Membership Rejected"),
    (.ERROR_MEMBERSHIP_CANCELLED, "2006", "Membership Cancelled"),
    (.ERROR_GET_MEMBERSHIP_DETAILS, "3001", "Unable to get membership detail"),
    (.ERROR_GET_REQ_DOC_DETAILS, "3002", "Unable to get membership detail"),
    (.ERROR_UPDATE_USER_DETAILS, "3003", "Unable to update user detail"),
    (.ERROR_SEND_UPLOAD_LINK, "3004", "Unable to send SMS"),
    (.ERROR_UNABLE_TO_DO_OCR, "4001", "IMEI not recognized"),
    (.ERROR_PHOTO_PERMISSION, "4002", "Photo Library permission needed"),
    (.ERROR_SCREEN_RECORDING, "4003", "Screen recording"),
    (.ERROR_SCREENSHOT_FETCH, "4004", "Unable to fetch screenshot"),
    (.ERROR_SCREENSHOT_LOAD, "4005", "Unable to load screenshot"),
    (.ERROR_UNABLE_TO_PROCESS_DESC, "4006", "Unable to process. Try again!"),
    (.ERROR_UNKNOW, "5000", "Some error occurred. Try again!"), (.ERROR_API(code: "X", description: "why"), "X", "why"),
  ]

  @Test("every code and text is the published one", arguments: table)
  func words(error: OAError, code: String, text: String) {
    #expect(error.errorCode == code && error.localizedDescription == text)
    #expect((error as any Error).localizedDescription == text)
    #expect(error.localizedDescription(in: "en-IN") == text)
  }

  @Test("every text of the catalogue is there in every language")
  func catalogue() {
    let names = OAErrorTexts.keys(of: "en")
    for (error, code, text) in Self.table where code != "X" {
      #expect(names.contains(code))
      for language in OAErrorTexts.languages where language != "en" {
        #expect(error.localizedDescription(in: language) != text)
      }
    }
    for language in OAErrorTexts.languages { #expect(names.subtracting(OAErrorTexts.keys(of: language)).isEmpty) }
    #expect(OAErrorTexts(language: "xx-YY").language == "en" && OAErrorTexts(language: "hi_IN").language == "hi")
  }

  @Test("what the SDK and the server say is translated by its code; an unknown code stays in the server's words")
  func translations() async throws {
    #expect(OAError.ERROR_IMEI_MISSING.localizedDescription(in: "hi") == "IMEI नहीं मिला")
    let known = OAError.ERROR_API(code: "PINCODE_UNKNOWN", description: "There is no such PIN code.")
    #expect(known.localizedDescription(in: "hi") == "ऐसा कोई पिन कोड नहीं है।")
    #expect(known.localizedDescription(in: "en") == "There is no such PIN code.")
    #expect(OAError.ERROR_API(code: "NEW", description: "Why.").localizedDescription(in: "hi") == "Why.")
    let phone = TestPhone()
    let app = try await phone.ready()
    phone.server.answer("info") { _ in .failure(TransportError(.offline)) }
    let refusal = await thrown { try await app.startActivation(for: FakeServer.code) }
    #expect(refusal?.errorCode == "3001" && refusal?.localizedDescription(in: "hi") == "इंटरनेट कनेक्शन नहीं है।")
  }

  @Test("the error of an activation code that the server does not know is 3001, in its published words")
  func unknownCode() async throws {
    let phone = TestPhone()
    let app = try await phone.ready()
    phone.server.answer(
      "info", status: 404, #"{"status":"failure","errors":[{"errorCode":"3001","message":"Not the published text"}]}"#)
    let refusal = await thrown { try await app.startActivation(for: "unknown") }
    #expect(refusal == .ERROR_GET_MEMBERSHIP_DETAILS)
    #expect(refusal?.localizedDescription(in: "en") == "Unable to get membership detail")
  }

  @Test("the spelling that was meant is the same error")
  func alias() { #expect(OAError.ERROR_UNKNOWN == .ERROR_UNKNOW) }

  @Test("names of the later version are the same errors, and take the same calls")
  @available(*, deprecated)
  func laterNames() async throws {
    #expect(OAError.ERROR_EMPTY_ORDER_UUID == .ERROR_EMPTY_ACTIVATION_CODE)
    #expect(OAError.ERROR_INTERNAL_ERROR == .ERROR_UNABLE_TO_PROCESS_DESC)
    let phone = TestPhone()
    phone.server.change { $0.address = .init(addrLine1: TestPhone.address, pincode: "560001") }
    let app = try await phone.started()
    /// The order's own address stands in for what is not given.
    let stage = await withCheckedContinuation { continuation in
      app.submitBasicDetails(addressInfo: OAAddressInfo(pinCode: "560002")) { _, stage, _ in
        continuation.resume(returning: stage)
      }
    }
    #expect(stage == .fetchDeviceId)
    let sent = phone.server.lastBody("lead")
    #expect(sent.contains("560002") && sent.contains("12 Lake Road"))
    let next = await withCheckedContinuation { continuation in
      app.fetchDeviceId(addressInfo: nil) { _, stage, _ in continuation.resume(returning: stage) }
    }
    #expect(next == .sendUploadLinkOrOpenSecureScreen)
  }

  // MARK: What servers say (§2.3)

  private static let answers: [(Int, String, OAError)] = [
    // Rule 2.
    (
      422, #"{"status":"failure","errors":[{"errorCode":"PINCODE_UNKNOWN","message":"No."}]}"#,
      .ERROR_API(code: "PINCODE_UNKNOWN", description: "No.")
    ),
    (422, #"{"status":"failure","errors":[{"message":"No."}]}"#, .ERROR_API(code: "3003", description: "No.")),
    (400, #"{"error":[{"errorCode":7,"message":"Old."}]}"#, .ERROR_API(code: "7", description: "Old.")),
    (
      200, #"{"status":"failure","errors":[{"errorCode":"E","message":"In a success."}]}"#,
      .ERROR_API(code: "E", description: "In a success.")
    ),
    // Rule 3.
    (500, #"{"status":"failure","message":"Down."}"#, .ERROR_API(code: "3003", description: "Down.")),
    (200, #"{"status":"failure","responseMessage":"Down."}"#, .ERROR_API(code: "3003", description: "Down.")),
    // Rule 4.
    (500, "<html>", .ERROR_UPDATE_USER_DETAILS), (200, "", .ERROR_UPDATE_USER_DETAILS),
    (200, #"{"status":"success"}"#, .ERROR_UPDATE_USER_DETAILS), (404, "{}", .ERROR_UPDATE_USER_DETAILS),
    (500, #"{"status":"failure","message":" "}"#, .ERROR_UPDATE_USER_DETAILS),
    (302, #"{"status":"success","data":{}}"#, .ERROR_UPDATE_USER_DETAILS),
    // What is owed to a status that changed meanwhile (§4.4).
    (409, changed("APPROVED"), .ERROR_MEMBERSHIP_APPROVED), (409, changed("PENDING"), .ERROR_MEMBERSHIP_PENDING),
    (409, changed("QUEUED"), .ERROR_MEMBERSHIP_QUEUED), (409, changed("REJECTED"), .ERROR_MEMBERSHIP_REJECTED),
    (409, changed("CANCELLED"), .ERROR_MEMBERSHIP_CANCELLED),
    (409, changed("POSTDTLPENDING"), .ERROR_MEMBERSHIP_IN_PROGRESS),
    (409, changed("NEW"), .ERROR_API(code: "MEMBERSHIP_STATUS_CHANGED", description: "Changed.")),
  ]

  private static func changed(_ status: String) -> String {
    #"{"status":"failure","errors":[{"errorCode":"MEMBERSHIP_STATUS_CHANGED","message":"Changed."}],"#
      + #""extra":{"taskInfo":{"status":"\#(status)"}}}"#
  }

  @Test("a failed call becomes the error of its rule", arguments: answers)
  func rules(status: Int, body: String, error: OAError) async throws {
    let phone = TestPhone()
    let app = try await phone.started()
    phone.server.answer("lead", status: status, body)
    let refusal = await thrown {
      try await app.submitBasicDetails(pincode: "560001", address: TestPhone.address)
    }
    #expect(refusal == error)
  }

  @Test(
    "a session that is over is AUTH_005, however servers say it",
    arguments: [
      (401, "{}"), (401, #"{"errors":[{"errorCode":"X","message":"Y"}]}"#),
      (200, #"{"status":"failure","errors":[{"errorCode":"AUTH_006","message":"Y"}]}"#),
      (403, #"{"errors":[{"errorCode":"GATEWAY_003","message":"Y"}]}"#),
      (400, #"{"errors":[{"errorCode":"WS.POST.LOGIN.INVALID.SESSION"}]}"#),
    ])
  func session(status: Int, body: String) async throws {
    let phone = TestPhone()
    let app = try await phone.ready()
    phone.server.answer("info", status: status, body)
    let refusal = await thrown { try await app.startActivation(for: FakeServer.code) }
    #expect(refusal?.errorCode == "AUTH_005" && refusal?.localizedDescription.contains("no longer valid") == true)
  }

  @Test("without an answer the error has the code of its step, and says what is wrong")
  func unreachable() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    for (call, code) in [("info", "3001"), ("documents", "3002")] {
      phone.server.answer(call) { _ in .failure(TransportError(.offline)) }
      let refusal = await thrown { try await app.startActivation(for: FakeServer.code) }
      #expect(refusal == .ERROR_API(code: code, description: "There is no connection to the internet."))
      phone.server.restore(call)
    }
    phone.server.answer("link") { _ in .failure(TransportError(.timedOut)) }
    let refusal = await thrown { try await app.sendUploadLink("9123456780") }
    #expect(refusal?.errorCode == "3004")
  }

  @Test("without a secure connection every step fails with its own code")
  func insecure() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    let calls: [(String, String, @Sendable () async throws -> OAAction)] = [
      ("info", "3001", { try await app.startActivation(for: FakeServer.code) }),
      ("documents", "3002", { try await app.startActivation(for: FakeServer.code) }),
      ("lead", "3003", { try await app.submitBasicDetails(pincode: "560001", address: TestPhone.address) }),
      ("link", "3004", { try await app.sendUploadLink("9123456780") }),
    ]
    for (name, code, call) in calls {
      phone.server.answer(name) { _ in .failure(TransportError(.insecure)) }
      let expected = OAError.ERROR_API(code: code, description: "A secure connection to the server cannot be made.")
      #expect(await thrown(by: call) == expected)
      phone.server.restore(name)
    }
  }

  @Test(
    "a link that was not sent, for no reason that can be read, is 3004", arguments: [(500, ""), (200, ""), (404, "{}")])
  func link(status: Int, body: String) async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    phone.server.answer("link", status: status, body)
    #expect(await thrown { try await app.sendUploadLink("9123456780") } == .ERROR_SEND_UPLOAD_LINK)
    // No caller got one: the screen still waits for it.
    let host = await ShownHost()
    #expect(await thrown { try await app.openSecureScreen(onViewController: host) } == .ERROR_SMS_NOT_SENT)
  }

  @Test("when both of the first calls fail, the order's error is told")
  func both() async throws {
    let phone = TestPhone()
    let app = try await phone.ready()
    phone.server.answer("info", status: 500, "")
    phone.server.answer("documents", status: 500, "")
    let start: @Sendable () async throws -> OAAction = {
      try await app.startActivation(for: FakeServer.code)
    }
    #expect(await thrown(by: start) == .ERROR_GET_MEMBERSHIP_DETAILS)
    phone.server.restore("info")
    #expect(await thrown(by: start) == .ERROR_GET_REQ_DOC_DETAILS)
  }

  @Test("no answer brings the SDK down, whatever its bytes are")
  func fuzz() async throws {
    let phone = TestPhone()
    let app = try await phone.ready()
    var generator = SeededGenerator(seed: 20_261_122)
    let good = Array(FakeServer.envelope(["a": 1]))
    for round in 0..<400 {
      var bytes = round.isMultiple(of: 2) ? good : (0..<Int.random(in: 0..<200, using: &generator)).map { _ in 0 }
      for place in bytes.indices where Int.random(in: 0..<4, using: &generator) == 0 {
        bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      }
      let (body, status) = (Data(bytes), [200, 400, 409, 500].randomElement(using: &generator) ?? 200)
      phone.server.answer("info") { _ in .success(TransportResponse(status: status, body: body)) }
      let refusal = await thrown { try await app.startActivation(for: FakeServer.code) }
      #expect(refusal != nil)
    }
  }
}
