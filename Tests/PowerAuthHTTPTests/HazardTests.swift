// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Kit
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: what released apps and networks do to requests")
struct HazardTests {
  @Test("escaped slashes, white space, unknown members, null members and any order of members are as good")
  func spellings() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      for body in [
        #"{"requestObject":{"text":"a\/b"}}"#, #"{ "requestObject" : { "text" : "a/b" } }"#,
        #"{"x":{"y":[1,null]},"requestObject":{"other":1,"text":"a\u002fb"},"status":null}"#,
      ] {
        let bytes = Data(body.utf8)
        let header = try phone.signatureHeader("/app/signed", over: bytes)
        let echo = try await phone.send("/app/signed", headers: [header], body: bytes)
          .object(PowerAuthTestApp.Echo.self)
        #expect(echo.text == "a/b")
      }
      for body in [#"{"requestObject":{"text":null}}"#, #"{"requestObject":{}}"#] {
        #expect(try await phone.send("/app/open", body: Data(body.utf8)).object(PowerAuthTestApp.Echo.self).text == nil)
      }
    }
  }

  @Test("the bytes as they came are signed, not what they mean")
  func bytes() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let header = try phone.signatureHeader("/app/signed", over: Data(#"{"requestObject":{"text":"a/b"}}"#.utf8))
      let same = Data(#"{"requestObject":{"text":"a\/b"}}"#.utf8)
      #expect(try await phone.send("/app/signed", headers: [header], body: same).refusal == Refusal.signature)
    }
  }

  @Test("an envelope with escaped slashes and members that are null or unknown opens")
  func envelopes() async throws {
    try await PowerAuthTestApp.run { app in
      let phone = try await app.activePhone(.v32)
      let (body, opener) = try await phone.sealed(Phone.words("hello"), .genericApplication)
      var text = String(decoding: body, as: UTF8.self).replacing("\\/", with: "/").replacing("/", with: "\\/")
      text = "{\"temporaryKeyId\":null,\"later\":[],\n" + text.dropFirst()
      let answer = try await phone.send(
        "/app/application", headers: [phone.encryptionHeader(ofActivation: false)], body: Data(text.utf8))
      let echo = try phone.open(answer, opener, as: ResponseEnvelope<PowerAuthTestApp.Echo>.self)
      #expect(echo.responseObject.text == "hello")
    }
  }

  @Test("the items of a header come in any order, with unknown items, under a name in any case")
  func headers() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("hello")
      for name in ["x-poweraUTH-authorization", "X-POWERAUTH-AUTHORIZATION"] {
        let value = try phone.signatureHeader("/app/signed", over: words).1
        let items = value.dropFirst("PowerAuth ".count).components(separatedBy: ", ").reversed()
        let shuffled = "PowerAuth later=\"1\"," + items.joined(separator: ",   ")
        #expect(try await phone.send("/app/signed", headers: [(name, shuffled)], body: words).status == 200)
      }
    }
  }

  @Test("what is too large, no JSON by its own word, or sent by another method is refused in PowerAuth's form")
  func protocolErrors() async throws {
    try await PowerAuthTestApp.run { app in
      let phone = app.phone()
      let path = PowerAuthTestApp.base + "/pa/v3/keystore/create"
      let large = Data(repeating: UInt8(ascii: "a"), count: 70_000)
      #expect(try await phone.send(path, body: large).refusal == "413 INVALID_REQUEST PAYLOAD_TOO_LARGE")
      let xml = try await phone.send(path, headers: [("Content-Type", "application/xml")], body: Data("<a/>".utf8))
      #expect(xml.refusal == "415 INVALID_REQUEST UNSUPPORTED_MEDIA")
      for base in ["", PowerAuthTestApp.base] {
        for method in [HTTPRequest.Method.get, .put, .delete] {
          let answer = try await phone.send("\(base)/pa/v3/status", method: method)
          #expect(answer.refusal == "405 INVALID_REQUEST METHOD_NOT_ALLOWED")
        }
        #expect(
          try await phone.send("\(base)/pa/v3/upgrade/start", body: Data("{}".utf8)).refusal
            == "404 ERROR_NOT_FOUND NOT_FOUND")
      }
    }
  }

  @Test("a call whose activation was removed after its proof was checked is refused as the next call is")
  func removedMeanwhile() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("hello")
      for _ in 0..<2 {
        let header = try phone.signatureHeader("/app/late", over: words)
        #expect(try await phone.send("/app/late", headers: [header], body: words).refusal == Refusal.signature)
      }
    }
  }

  @Test("those who prove nothing may ask so often and no more, and are told when to come again")
  func limits() async throws {
    try await PowerAuthTestApp.run(limitFactor: 1) { app in
      let phone = app.phone()
      func ask(_ address: String) async throws -> Answer {
        try await phone.send(
          "/pa/v3/activation/create", headers: [("X-Forwarded-For", address)], body: Data("{}".utf8))
      }
      for _ in 0..<60 { #expect(try await ask("192.0.2.1").refusal == Refusal.encryption) }
      let refused = try await ask("192.0.2.1")
      #expect(refused.refusal == "429 TOO_MANY_REQUESTS RATE_LIMITED")
      #expect(Int(refused.headers[.retryAfter] ?? "").map { (1...60).contains($0) } == true)
      #expect(try await ask("192.0.2.2").refusal == "429 TOO_MANY_REQUESTS RATE_LIMITED", "the same network")
      #expect(try await ask("198.51.100.2").refusal == Refusal.encryption)
      app.clock.advance(by: .seconds(60))
      #expect(try await ask("192.0.2.1").refusal == Refusal.encryption)
    }
  }

  @Test("an activation is asked after so often and no more, from one address")
  func statusLimit() async throws {
    try await PowerAuthTestApp.run(limitFactor: 1) { app in
      let phone = app.phone()
      let body = Data(
        (#"{"requestObject":{"activationId":"0195a1b2-aaaa-4bbb-8ccc-0000000000ff","#
          + #""challenge":"AAAAAAAAAAAAAAAAAAAAAA=="}}"#).utf8)
      for _ in 0..<120 { #expect(try await phone.send("/pa/v3/activation/status", body: body).status == 200) }
      #expect(try await phone.send("/pa/v3/activation/status", body: body).status == 429)
      let other = try await phone.send(
        "/pa/v3/activation/status", headers: [("X-Forwarded-For", "192.0.2.7")], body: body)
      #expect(other.status == 200)
    }
  }
}
