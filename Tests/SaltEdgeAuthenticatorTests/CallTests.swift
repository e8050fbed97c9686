// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import SaltEdgeWire
import SaltEdgeCore
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: calls to services")
struct CallTests {
  private static let base = URL(string: "https://bank.example:8443//base/") ?? URL(filePath: "/")

  private func access() throws -> ServiceAccess {
    ServiceAccess(baseURL: Self.base, accessToken: "token", key: .init(try TestKeys.named("device 1")), language: "fr")
  }

  private func line(_ phone: Phone, _ transport: HTTPTransport = .unexpected()) -> ServiceHTTPClient {
    ServiceHTTPClient(transport: transport, clock: phone.clock, device: Phone.device)
  }

  @Test("a request of v1 carries the headers of the specification and a signature of exactly what is sent")
  func v1() throws {
    let (phone, access) = (Phone(), try access())
    let call = try SaltEdgeV1Calls.decide(
      "44/4", .init(confirm: true, code: "code"), geolocation: "GEO:52.506931;13.144558", authorizationType: "passcode",
      access)
    let request = try line(phone).request(for: call)
    #expect(request.method == "PUT")
    #expect(request.url.absoluteString == "https://bank.example:8443/base/api/authenticator/v1/authorizations/44%2F4")
    #expect(request.body == Data(#"{"data":{"authorization_code":"code","confirm":true}}"#.utf8))
    var headers = Dictionary(uniqueKeysWithValues: request.headers.all.map { ($0.name, $0.value) })
    let signature = headers.removeValue(forKey: "signature")
    #expect(
      headers == [
        "accept": "application/json", "content-type": "application/json", "accept-language": "fr",
        "user-agent": "Authenticator / 3.3.0(130); (iPhone 8 Plus; iOS 14.5)", "access-token": "token",
        "expires-at": "\(Phone.start + 300)", "geo-location": "GEO:52.506931;13.144558",
        "authorization-type": "passcode",
      ])
    let signed = Data("put|\(request.url.absoluteString)|\(Phone.start + 300)|".utf8) + (request.body ?? Data())
    let bytes = try #require(signature.flatMap { Data(base64Encoded: $0) })
    #expect(access.key.publicKey.isValidSignature(bytes, for: signed))
    #expect(request.deadline == .seconds(30) && request.silenceMax == .seconds(20))
  }

  @Test("a signed request of v2 carries its expiry in the body and a detached signature of exactly those bytes")
  func v2() throws {
    let (phone, access) = (Phone(), try access())
    let request = try line(phone).request(for: SaltEdgeV2Calls.updateConnection("333", .init(pushToken: "p"), access))
    #expect(request.method == "PATCH")
    #expect(request.url.absoluteString == "https://bank.example:8443/base/api/authenticator/v2/connections/333/update")
    let body = try #require(request.body)
    #expect(body == Data(#"{"data":{"push_token":"p"},"exp":\#(Phone.start + 300)}"#.utf8))
    try DetachedJWS.verify(
      request.headers["x-jws-signature"], body: body, with: access.key.publicKey, nowSeconds: Phone.start)
    #expect(request.headers["signature"] == nil && request.headers["expires-at"] == nil)
    let revoke = try line(phone).request(for: SaltEdgeV2Calls.revokeConnection("333", access))
    #expect(revoke.body == Data(#"{"data":{},"exp":\#(Phone.start + 300)}"#.utf8))
  }

  @Test("signed requests of v2 within one second are not the same bytes, and no connection minds another")
  func sameSecond() throws {
    let (phone, access) = (Phone(), try access())
    let line = line(phone)
    let other = ServiceAccess(baseURL: Self.base, accessToken: "other", key: access.key)
    func body(_ access: ServiceAccess) throws -> Data? {
      try line.request(for: SaltEdgeV2Calls.revokeConnection("333", access)).body
    }
    func expiring(in seconds: Int64) -> Data { Data(#"{"data":{},"exp":\#(Phone.start + seconds)}"#.utf8) }
    #expect(try body(access) == expiring(in: 300))
    #expect(try body(access) == expiring(in: 301))
    #expect(try body(other) == expiring(in: 300))
    phone.advance(.seconds(1))
    #expect(try body(access) == expiring(in: 302))
    phone.advance(.seconds(9))
    #expect(try body(access) == expiring(in: 310))
    phone.turn(by: -86_400)
    #expect(try body(access) == expiring(in: 310 - 86_400))
  }

  @Test("what asks in v2 carries its token and no signature; a filter is encoded")
  func get() throws {
    let request = try line(Phone()).request(for: SaltEdgeV2Calls.authorizations(actionID: "a&b=c", access()))
    #expect(request.url.query(percentEncoded: true) == "action_id=a%26b%3Dc")
    #expect(request.headers["access-token"] == "token" && request.headers["x-jws-signature"] == nil)
    #expect(request.body == nil)
  }

  @Test(
    "a value that would make up a header or another address stops the call", arguments: ["a\r\nb", "a\u{e9}", "\u{0}"])
  func injection(value: String) throws {
    let line = line(Phone())
    let key = try TestKeys.named("device 1")
    let access = ServiceAccess(baseURL: Self.base, accessToken: value, key: .init(key))
    #expect(throws: AuthenticatorError(.notSent, .apiRequest)) {
      try line.request(for: SaltEdgeV1Calls.authorizations(access))
    }
    #expect(throws: AuthenticatorError(.notSent, .apiRequest)) {
      try line.request(
        for: SaltEdgeV1Calls.decide(
          "1", .init(confirm: true), geolocation: value, authorizationType: nil, self.access()))
    }
    for id in ["", ".", "..", String(repeating: "a", count: 513)] {
      #expect(throws: AuthenticatorError(.notSent, .apiRequest)) { try SaltEdgeV1Calls.authorization(id, access) }
    }
  }

  @Test(
    "a base that is no address of the web is refused",
    arguments: ["file:///etc", "javascript:alert(1)", "https://user@bank.example", "https:///", "bank"])
  func base(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: AuthenticatorError(.notSent, .apiRequest)) { try ServiceAddress.url(url, version: 1, ["consents"]) }
  }

  @Test("query and fragment of a base are dropped")
  func query() throws {
    let url = try #require(URL(string: "https://bank.example/?a=b#c"))
    #expect(
      try ServiceAddress.url(url, version: 2, ["consents"]).absoluteString
        == "https://bank.example/api/authenticator/v2/consents")
  }

  @Test(
    "a refusal is told by its class, whatever the status and the content type",
    arguments: [
      (400, #"{"error_class":"SignatureExpired","error_message":"m"}"#, "SignatureExpired", "m"),
      (200, #"{"error_class":"ConnectionNotFound"}"#, "ConnectionNotFound", "ConnectionNotFound"),
      (500, #"{"error_class":"JSON::ParserError","error_message":""}"#, "JSON::ParserError", "JSON::ParserError"),
      (500, "<h1>Internal Server Error</h1>", "ApiResponseError", "Request Error (500)"),
      (404, "", "ApiResponseError", "Request Error (404)"),
      (200, "{}", "ApiResponseError", "Invalid response"),
      (200, #"{"data":{"success":"yes"}}"#, "ApiResponseError", "Invalid response"),
      (302, #"{"data":{"success":true}}"#, "ApiResponseError", "Request Error (302)"),
    ])
  func errors(status: Int, body: String, errorClass: String, message: String) async throws {
    let transport = HTTPTransport { (_, _) async throws(TransportError) in
      TransportResponse(status: status, headers: ["content-type": "text/html"], body: Data(body.utf8))
    }
    let call = try SaltEdgeV1Calls.revokeConnection(access())
    do throws(AuthenticatorError) {
      _ = try await line(Phone(), transport).send(call)
      Issue.record("nothing was refused")
    } catch {
      #expect(error.errorClass.rawValue == errorClass && error.message == message)
      #expect(!error.description.contains("Parser") && !error.description.contains(" m"))
    }
  }

  @Test(
    "what happens on the way is told by the classes of the published apps",
    arguments: [
      (TransportError.Code.offline, "HostUnreachable", true), (.timedOut, "HostUnreachable", true),
      (.unreachable, "HostUnreachable", true), (.connectionLost, "HostUnreachable", true),
      (.insecure, "SSLHandshakeException", false), (.invalidAnswer, "ApiResponseError", false),
      (.answerTooLarge, "ApiResponseError", false), (.clearText, "ApiRequestError", false),
      (.cancelled, "ApiRequestError", false),
    ])
  func transport(code: TransportError.Code, errorClass: String, isTransient: Bool) async throws {
    let transport = HTTPTransport { (_, _) async throws(TransportError) in throw TransportError(code) }
    do throws(AuthenticatorError) {
      _ = try await line(Phone(), transport).send(SaltEdgeV1Calls.configuration(at: Self.base))
      Issue.record("nothing failed")
    } catch {
      #expect(error.errorClass.rawValue == errorClass && error.isTransient == isTransient)
      #expect(error.kind == .transport(TransportError(code)))
    }
  }

  @Test("ids are read as numbers and as texts, wherever they are (acceptance 8)")
  func swappedIDs() throws {
    func read<Answer: Codable & Sendable>(_ json: String, _: Answer.Type) throws -> Answer {
      try ServiceHTTPClient.read(.init(status: 200, body: Data(#"{"data":\#(json)}"#.utf8)), as: Answer.self)
    }
    let sealed = #""key":"","iv":"","data":"""#
    for (text, number) in [(#""333""#, "333")] {
      for id in [text, number] {
        #expect(try read(#"{"id":\#(id),"connect_url":"u"}"#, SaltEdgeV1.Connected.self).id.text == "333")
        #expect(try read(#"{"id":\#(id),"success":true}"#, SaltEdgeV1.Decided.self).id.text == "333")
        #expect(
          try read(#"{"consent_id":\#(id),"success":true}"#, SaltEdgeV1.ConsentRevoked.self).consentID.text == "333")
        #expect(
          try read(#"{"success":true,"authorization_id":\#(id)}"#, SaltEdgeV1.ActionSubmitted.self)
            .authorizationID?.text == "333")
        #expect(
          try read(#"[{"id":\#(id),"connection_id":\#(id),\#(sealed)}]"#, ReadableList<SaltEdgeV1.Entity>.self)
            .items.first?.id?.text == "333")
        #expect(
          try read(#"{"connection_id":\#(id),"authentication_url":"u"}"#, SaltEdgeV2.Connected.self)
            .connectionID.text == "333")
        #expect(try read(#"{"connection_id":\#(id)}"#, SaltEdgeV2.ConnectionChanged.self).connectionID.text == "333")
        #expect(try read(#"{"id":\#(id),"status":"confirmed"}"#, SaltEdgeV2.Decided.self).id.text == "333")
        #expect(try read(#"{"id":\#(id)}"#, SaltEdgeV2.ConsentRevoked.self).id.text == "333")
        #expect(
          try read(#"{"authorization_id":\#(id)}"#, SaltEdgeV2.ActionSubmitted.self).authorizationID?.text == "333")
        #expect(
          try read(
            #"[{"id":\#(id),"connection_id":\#(id),"status":"closed",\#(sealed)}]"#,
            ReadableList<SaltEdgeV2.Authorization>.self
          ).items.first?.id.text == "333")
      }
    }
  }

  @Test("an item that cannot be read spoils none of the others")
  func lists() throws {
    let json = #"[1,{"id":"1","key":"","iv":"","data":""},{"id":"2"},null,{"id":"3","key":"","iv":"","data":"x"}]"#
    let list = try WireJSON.decode(ReadableList<SaltEdgeV1.Entity>.self, from: Data(json.utf8))
    #expect(list.items.map { $0.id?.text } == ["1", "3"])
    #expect(try WireJSON.decode(ReadableList<SaltEdgeV1.Entity>.self, from: WireJSON.encode(list)).items == list.items)
  }

  @Test("the app's name reaches the service as printable ASCII of a bounded length")
  func userAgent() {
    #expect(DeviceDescription(userAgent: "Ünï\r\nx").userAgent == " n   x")
    #expect(DeviceDescription(userAgent: String(repeating: "a", count: 1000)).userAgent.count == 256)
  }
}

@Suite("Authenticator: keys")
struct ConnectionKeysTests {
  @Test("a pair is one sealed entry under its tag, and replaces an earlier one")
  func pair() throws {
    let store = MemorySecureStore()
    let (keys, tag) = (ConnectionKeys(store), KeyTag.pair("GUID"))
    #expect(tag == "com.saltedge.authenticator.GUID")
    let first = try keys.createPair(tag)
    #expect(Set(store.contents.keys) == ["com.saltedge.authenticator.GUID.private"])
    #expect(try keys.privateKey(tag)?.pkcs8PEM == first.pkcs8PEM && keys.publicKey(tag) == first.publicKey)
    let second = try TestKeys.named("device 1")
    try keys.keep(second, as: tag)
    #expect(try keys.publicKey(tag) == second.publicKey && second.publicKey != first.publicKey)
    try keys.remove(tag)
    #expect(try store.contents.isEmpty && keys.privateKey(tag) == nil && keys.publicKey(tag) == nil)
  }

  @Test("a bank's key stands alone; a pair under the same tag takes its place")
  func alone() throws {
    let store = MemorySecureStore()
    let (keys, tag) = (ConnectionKeys(store), KeyTag.provider("GUID"))
    #expect(tag == "GUID_provider_public_key")
    let bank = try TestKeys.named("bank").publicKey
    try keys.keep(bank, as: tag)
    #expect(try keys.publicKey(tag) == bank && keys.privateKey(tag) == nil)
    try keys.keep(TestKeys.named("device 1"), as: tag)
    #expect(try keys.publicKey(tag) == TestKeys.named("device 1").publicKey)
  }

  @Test("an entry that is no key is an error and not a missing key")
  func damaged() throws {
    let keys = ConnectionKeys(MemorySecureStore(["a.private": Data("x".utf8), "b": Data("x".utf8)]))
    #expect(throws: AuthenticatorError(SecureStoreError(.tampered))) { try keys.privateKey("a") }
    #expect(throws: AuthenticatorError(SecureStoreError(.tampered))) { try keys.publicKey("b") }
  }
}
