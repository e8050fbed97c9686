// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeCore
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: push notifications")
struct PushTests {
  private func apns(_ json: String) throws -> PushPayload? {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return PushPayload(apns: object ?? [:])
  }

  @Test(
    "of APNs both ids are texts or both are integers, inside of aps",
    arguments: [
      (#"{"aps":{"data":{"connection_id":"333","authorization_id":"444"}}}"#, "333 444"),
      (#"{"aps":{"data":{"connection_id":333,"authorization_id":1}}}"#, "333 1"),
      (#"{"aps":{"data":{"connection_id":"333","authorization_id":444}}}"#, nil),
      (#"{"aps":{"data":{"connection_id":true,"authorization_id":false}}}"#, nil),
      (#"{"aps":{"data":{"connection_id":1.5,"authorization_id":2}}}"#, nil),
      (#"{"aps":{"data":{"connection_id":"","authorization_id":"1"}}}"#, nil),
      (#"{"aps":{"data":["333"]}}"#, nil), (#"{"aps":{"data":{"connection_id":null}}}"#, nil),
      (#"{"data":{"connection_id":"333","authorization_id":"444"}}"#, nil), ("{}", nil),
    ])
  func payload(json: String, ids: String?) throws {
    #expect(try apns(json).map { "\($0.connectionID) \($0.authorizationID)" } == ids)
  }

  @Test("of FCM they are texts; a payload says nothing of itself")
  func fcm() {
    let payload = PushPayload(fcm: ["connection_id": "333", "authorization_id": "100", "new": "x"])
    #expect(payload?.connectionID == "333" && payload?.authorizationID == "100")
    #expect(PushPayload(fcm: ["connection_id": "333"]) == nil)
    #expect(PushPayload(fcm: ["connection_id": "333", "authorization_id": String(repeating: "1", count: 600)]) == nil)
    #expect(payload.map { "\($0)" } == "PushPayload(redacted)")
  }

  @Test("values as a host hands them, without JSON")
  func swiftValues() {
    let data: [AnyHashable: Any] = ["connection_id": 333, "authorization_id": Int64(100)]
    #expect(PushPayload(apns: ["aps": ["data": data]])?.authorizationID == "100")
    let truths: [AnyHashable: Any] = ["connection_id": true, "authorization_id": true]
    #expect(PushPayload(apns: ["aps": ["data": truths]]) == nil)
  }

  @Test("no payload, however strange, does harm")
  func fuzz() throws {
    var randomness = SeededGenerator(seed: 8)
    let values = [
      "1", "\"a\"", "null", "true", "[]", "{}", "1e300", "-0", "18446744073709551615", "\"\\u0000\"", "{\"aps\":{}}",
    ]
    for _ in 0..<3000 {
      func value() -> String { values[Int(randomness.next() % UInt64(values.count))] }
      let json = #"{"aps":{"data":{"connection_id":\#(value()),"authorization_id":\#(value())},"alert":\#(value())}}"#
      if let payload = try apns(json) { #expect(!payload.connectionID.isEmpty && !payload.authorizationID.isEmpty) }
    }
  }

  @Test("a notification leads, after unlocking, to what it names, also when two banks number alike")
  func route() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let first = try await authenticator.connect(FakeService.v1Link)
    phone.service.instead(
      "configuration",
      .success(
        .init(
          status: 200,
          body: Data(
            #"{"data":{"connect_url":"\#(FakeService.v1Base)","code":"o","name":"Other","support_email":"","version":"1"}}"#
              .utf8))))
    phone.service.answerV1(#""connect_url":"\#(ReturnRedirect.returnURL)?id=333&access_token=v1-token-%""#)
    let second = try await authenticator.connect(FakeService.v1Link)
    #expect(first.id == "333" && second.id == "333")
    let push = try #require(PushPayload(fcm: ["connection_id": "333", "authorization_id": "444"]))
    phone.service.put(FakeService.v1Entry("444", created: phone.now))
    phone.service.refuse("authorizations/444", 404, "AuthorizationNotFound")
    await authenticator.lock()
    #expect(try await authenticator.concerns(push))
    let locked = await thrown {
      try await authenticator.authorization(for: push)
    }
    #expect(locked?.errorClass == .appLocked)
    let proof = try await authenticator.present()
    let shown = try await authenticator.authorization(for: push)
    #expect(shown.id == .init(connection: second.guid, id: "444"))
    // What opened the app confirms the one that it was opened for.
    #expect(try await authenticator.confirm(shown, by: proof).state == .confirmed)
    let stranger = try #require(PushPayload(fcm: ["connection_id": "9", "authorization_id": "444"]))
    #expect(try await !authenticator.concerns(stranger))
    let error = await thrown {
      try await authenticator.authorization(for: stranger)
    }
    #expect(error?.errorClass == .connectionUnknown)
  }

  @Test("a new push token reaches every service of v2 that has another one, once, and new connections")
  func token() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let first = try await authenticator.connect(FakeService.v2Link)
    try await authenticator.connect(FakeService.v1Link)
    await authenticator.lock()
    phone.service.forget()
    phone.service.instead("PATCH", .failure(TransportError(.offline)))
    #expect(try await authenticator.updatePushToken("new").mapValues(\.errorClass) == [first.guid: .hostUnreachable])
    #expect(try await authenticator.updatePushToken("new").isEmpty)
    #expect(try await authenticator.updatePushToken("new").isEmpty)
    #expect(phone.service.heard.map(\.method) == ["PATCH", "PATCH"])
    #expect(phone.service.pushTokens["v2-token-333"] == "new")
    _ = try await authenticator.present()
    try await authenticator.connect(FakeService.v2Link)
    #expect(phone.service.pushTokens["v2-token-335"] == "new")
  }
}
