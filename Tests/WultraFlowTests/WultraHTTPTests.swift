// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import WultraWire
import Kit
import PowerAuthCore
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra over HTTP: as released apps speak")
struct WultraHTTPTests {
  private static func named(_ process: String, _ rest: String = "") -> String {
    #"{"processId":"\#(process)"\#(rest)}"#
  }

  @Test(
    "a person is onboarded from the first call to the last, in every version of the protocol",
    arguments: ProtocolVersion.allCases)
  func whole(version: ProtocolVersion) async throws {
    try await WultraPhone.run(WultraTestApp(), version: version) { phone in
      let app = phone.app
      #expect(try await phone.call(.configuration).object["onboarding"]?["enabled"] == .bool(true))
      let started = try await phone.call(
        .start, #"{"identification":{"clientNumber":"1","link":"a/b"},"fdsData":null}"#)
      #expect(started.wasEncrypted && started.json["status"] == .string("OK"))
      #expect(started.object["config"]?["otpResendPeriod"] == .string("PT30S"))
      let process = try started.read(Wultra.ProcessState.self).processId
      try await app.settle()
      let detail = try await phone.call(.otpDetail, Self.named(process, #","otpType":"ACTIVATION""#))
      let code = try detail.read(Wultra.OTPDetail.self).otpCode
      let refused = try #require(try await phone.activate(process, WultraTestApp.wrong(code)))
      #expect(
        refused.status == 400 && refused.code == "ERR_ACTIVATION" && refused.json["remainingAttempts"] == .integer(4))
      #expect(refused.object["message"] == .string("POWER_AUTH_ACTIVATION_INVALID"))
      #expect(try await phone.activate(process, code) == nil)
      #expect(try await phone.flags() == ["VERIFICATION_PENDING"])
      #expect(
        try await phone.call(.processStatus, Self.named(process)).object["onboardingStatus"]
          == .string("VERIFICATION_IN_PROGRESS"))

      #expect(try await phone.state() == "NONE/NOT_INITIALIZED")
      let text = try await phone.call(.consentText, Self.named(process, #","consentType":"GDPR""#))
      #expect(text.object["consentText"] == .string("<p>Yes?</p>") && !text.wasEncrypted)
      let approval = try await phone.call(
        .approveConsent, Self.named(process, #","consentType":"GDPR","approved":true"#))
      #expect(approval.body == Data(#"{"status":"OK"}"#.utf8))
      #expect(try await phone.call(.initiate, Self.named(process)).status == 200)
      #expect(try await phone.flags() == ["VERIFICATION_IN_PROGRESS"])
      let scan = try await phone.call(.initDocumentSDK, Self.named(process, #","attributes":{"sdk-init-token":"t"}"#))
      #expect(scan.wasEncrypted && scan.object["attributes"]?["token"] == .string("for t"))
      let person = Person(
        app: app, process: process, activation: .init(rawValue: try phone.device.joined().identifier.text))
      let files = person.submission([
        (.idCard, .front, FakePicture.good), (.idCard, .back, FakePicture.good),
        (.drivingLicense, .front, FakePicture.good),
      ])
      let submission = String(decoding: try WireJSON.encode(files), as: UTF8.self)
      let submitted = try await phone.call(.submitDocuments, submission)
      #expect(submitted.wasEncrypted && submitted.body == Data(#"{"status":"OK"}"#.utf8))
      #expect(try await phone.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
      let documents = try await phone.call(.documentStatus, Self.named(process, #","filter":null"#)).object
      #expect(documents["documents"]?.arrayValue?.count == 3 && documents["status"] == .string("ACCEPTED"))

      let session = try await phone.call(.initPresenceCheck, Self.named(process))
      let token = try #require(session.object["sessionAttributes"]?["sessionToken"]?.stringValue)
      #expect(session.wasEncrypted)
      let captured = try await phone.send(
        .capturePresence, FakePicture.good, headers: [("Authorization", "Bearer \(token)")])
      #expect(captured.status == 200)
      #expect(try await phone.call(.submitPresenceCheck, Self.named(process)).status == 200)
      #expect(try await phone.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
      let verdict = try await phone.call(.verifyOTP, Self.named(process, #","otpCode":"\#(app.lastCode())""#))
      #expect(verdict.wasEncrypted && verdict.object["verified"] == .bool(true))
      #expect(
        verdict.object["onboardingStatus"] == .string("FINISHED") && verdict.object["remainingAttempts"] == .integer(0))
      #expect(try await phone.state() == "COMPLETED/ACCEPTED")
      #expect(try await phone.flags().isEmpty)
    }
  }

  @Test("a NUL in the id of a process is a request that is wrong, in calls before and after the activation")
  func nul() async throws {
    try await WultraPhone.run(WultraTestApp()) { phone in
      for endpoint in [Wultra.Endpoint.processStatus, .otpDetail, .cleanUpProcess] {
        let answer = try await phone.call(endpoint, Self.named(#"a\u0000"#, #","otpType":"ACTIVATION""#))
        #expect(answer.status == 400 && answer.code == "INVALID_REQUEST", "\(endpoint)")
      }
      _ = try await phone.onboard()
      for endpoint in [Wultra.Endpoint.identityStatus, .documentStatus] {
        let answer = try await phone.call(endpoint, Self.named(#"a\u0000"#))
        #expect(answer.status < 500, "\(endpoint)")
      }
    }
  }

  @Test("what an app tells for the detection of fraud comes to the institution whatever its values are; a map it is")
  func fraudFacts() async throws {
    try await WultraPhone.run(WultraTestApp()) { phone in
      let person = #"{"identification":{"clientNumber":"1"},"fdsData":"#
      let facts = #"{"ip":"192.0.2.1","score":7,"rooted":false,"screen":{"width":1.5,"tags":["a",null]}}"#
      #expect(try await phone.call(.start, "\(person)\(facts)}").status == 200)
      let expected = try JSONDecoder().decode([String: JSONValue].self, from: Data(facts.utf8))
      #expect(phone.app.bank.fraudFacts == expected)
      for other in [#""text""#, "[1]", "7"] {
        #expect(try await phone.call(.start, "\(person)\(other)}").code == "INVALID_REQUEST", "\(other)")
      }
      #expect(phone.app.bank.lookups == 1)
    }
  }

  @Test("an error that answers an encrypted request is plain, with a number named timestamp, so that old apps read it")
  func errors() async throws {
    try await WultraPhone.run(WultraTestApp()) { phone in
      let encrypted = try await phone.call(.processStatus, Self.named(UUID().uuidString))
      #expect(encrypted.status == 400 && encrypted.json["status"] == .string("ERROR"))
      #expect(encrypted.code == "ONBOARDING_FAILED")
      #expect(encrypted.json["timestamp"] == .integer(phone.app.clock.now.milliseconds))
      _ = try await phone.onboard()
      let plain = try await phone.call(.consentText, Self.named("x", #","consentType":"GDPR""#))
      #expect(plain.status == 400 && plain.code == "ONBOARDING_FAILED" && plain.json["timestamp"] == nil)
    }
  }

  @Test("a body without its requestObject, or with a member of another kind, is refused by name")
  func invalid() async throws {
    try await WultraPhone.run(WultraTestApp()) { phone in
      let process = try await phone.onboard()
      for body in ["{}", "[]", "", #"{"requestObject":null}"#, #"{"requestObject":{"processId":7}}"#, "{"] {
        for endpoint in [Wultra.Endpoint.processStatus, .initiate, .verifyOTP] {
          let answer = try await phone.send(endpoint, Data(body.utf8))
          #expect(answer.status == 400 && answer.code == "INVALID_REQUEST", "\(endpoint) \(body)")
        }
      }
      // Unknown members are ignored.
      let answer = try await phone.call(.processStatus, Self.named(process, #","new":{"a":[1]}"#))
      #expect(answer.status == 200)
    }
  }

  @Test("each call takes the proof that it is made for, and no other", arguments: Wultra.Endpoint.allCases)
  func proofs(endpoint: Wultra.Endpoint) async throws {
    try await WultraPhone.run(WultraTestApp()) { phone in
      let process = try await phone.onboard()
      let path = WultraPhone.onboarding + endpoint.rawValue
      let body = Data(#"{"requestObject":{"processId":"\#(process)"}}"#.utf8)
      let naked = try await phone.post(path, body, [])
      let token = try await phone.post(path, body, [phone.tokenHeader()])
      let signature = try phone.device.sign(.possession, uriID: "/api/other", body: body)
      let other = try await phone.post(path, body, [(SignatureHeader.name, signature.value)])
      switch endpoint.security {
      case .open: #expect(naked.status == 200)
      case .token(false):
        #expect(naked.code == "ERR_AUTHENTICATION" && naked.status == 401)
        #expect(token.code != "ERR_AUTHENTICATION" && other.status == 401)
      case .presenceSession: #expect(naked.status == 401 && naked.code == "POWERAUTH_AUTH_FAIL")
      case .encryptedForApplication, .encryptedForActivation:
        for answer in [naked, token, other] { #expect(answer.code == "ERR_ENCRYPTION" && answer.status == 400) }
      case .signed(let isEncrypted):
        for answer in [naked, token] { #expect(answer.code == "ERR_AUTHENTICATION" && answer.status == 401) }
        // The signature covers what is in the envelope, so that one comes first.
        #expect(other.code == (isEncrypted ? "ERR_ENCRYPTION" : "ERR_AUTHENTICATION"))
        #expect(other.status == (isEncrypted ? 400 : 401))
      case .token:
        for answer in [naked, other] { #expect(answer.code == "ERR_AUTHENTICATION" && answer.status == 401) }
        // Proved, and not encrypted.
        #expect(token.code == "ERR_ENCRYPTION" && token.status == 400)
      }
    }
  }

  @Test("a code for the verification cannot be tried with another device's keys")
  func foreignDevice() async throws {
    let app = try await WultraTestApp()
    try await WultraPhone.run(app) { phone in
      let person = try await app.activated("2")
      _ = try await phone.onboard()
      let answer = try await phone.call(.verifyOTP, Self.named(person.process, #","otpCode":"12345678""#))
      #expect(answer.status == 400 && answer.code == "ONBOARDING_FAILED")
    }
  }

  @Test("archives that would hurt are refused, and the verification goes on")
  func archives() async throws {
    let app = try await WultraTestApp()
    try await WultraPhone.run(app) { phone in
      let process = try await phone.onboard()
      let person = Person(
        app: app, process: process, activation: .init(rawValue: try phone.device.joined().identifier.text))
      try await person.begin()
      var submission = person.submission([(.passport, .front, FakePicture.good)])
      for zip in [Data(), Data("PK".utf8), ZipFixture([("../../etc/x", FakePicture.good)]).data] {
        submission.data = zip
        let answer = try await phone.call(
          .submitDocuments, String(decoding: try WireJSON.encode(submission), as: UTF8.self))
        #expect(answer.status == 400 && answer.code == "DOCUMENT_SUBMIT_FAILED")
      }
      #expect(try await phone.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
      // By itself, as a raw archive.
      let upload = try await phone.send(.uploadDocument, ZipFixture([("p.jpg", FakePicture.good)]).data)
      #expect(upload.wasEncrypted && upload.object["filename"] == .string("p.jpg"))
    }
  }

  @Test("outside of a sandbox there is no call that tells a code")
  func sandbox() async throws {
    let app = try await WultraTestApp { $0.isSandbox = false }
    try await WultraPhone.run(app) { phone in
      let answer = try await phone.call(.otpDetail, Self.named("x", #","otpType":"ACTIVATION""#))
      #expect(answer.status == 404 && answer.code == "ERROR_NOT_FOUND")
    }
  }
}
