// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge: a consent is one customer's, and what was taken back stays so")
struct ConsentTests {
  private struct View: Decodable, Equatable {
    let reference, state: String
    let devices: Int
  }

  private static func wish(user: String, reference: String = "c-1") -> String {
    #"{"reference":"\#(reference)","user_id":"\#(user)","consent_type":"aisp","tpp_name":"TPP","#
      + #""accounts":[{"name":"Checking"}],"expires_at":"2027-01-01T00:00:00Z"}"#
  }

  @Test("the reference of one customer's consent is refused for another's, and taking one back leaves the other")
  func foreign() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let other = try await DeviceV2.hosted(app, user: "u-2", key: "tablet")
      #expect(try await app.api(.post, "consents", Self.wish(user: "u-1")).view(View.self).devices == 1)
      #expect(try await app.api(.post, "consents", Self.wish(user: "u-2")).refusal == "409 reference-taken")
      #expect(try await other.get("consents").json == #"{"data":[]}"#)
      #expect(try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self).count == 1)
    }
  }

  @Test("a bank with a server cannot mix customers in one consent either, also when it names none")
  func mixed() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let other = try await DeviceV2.connected(app, user: "u-2", key: "tablet")
      func add(_ devices: [DeviceV2], user: String?) async throws -> Int {
        app.clock.advance(by: .seconds(1))
        let items = try devices.map {
          try app.bank.item(Data("{}".utf8), for: $0.connection, expiresAt: "2027-01-01T00:00:00Z")
        }
        return try await app.bankCalls(
          .post, "consents",
          SaltEdgeBank.Consent(consentID: .init("c-1"), userID: user.map { .init($0) }, consents: items)
        ).status
      }
      #expect(try await add([device, other], user: nil) == 400)
      #expect(try await add([device], user: nil) == 200)
      #expect(try await add([other], user: nil) == 400)
      #expect(try await add([other], user: "u-2") == 400)
      #expect(try await other.get("consents").json == #"{"data":[]}"#)
      // Again, and on another device of the same customer.
      let tablet = try await DeviceV2.connected(app, key: "phone")
      #expect(try await add([device, tablet], user: "u-1") == 200)
      #expect(try await tablet.get("consents").data([SaltEdgeV2.ConsentEntity].self).count == 1)
    }
  }

  @Test("a consent that was taken back is not shown again, and its bank is not told that it is open")
  func revoked() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      _ = try await app.api(.post, "consents", Self.wish(user: "u-1"))
      let listed = try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self)
      let id = try #require(listed.first?.id)
      #expect(try await device.send(.put, "consents/\(id)/revoke", EmptyBody()).status == 200)
      let newer = try await DeviceV2.hosted(app, key: "tablet")
      let again = try await app.api(.post, "consents", Self.wish(user: "u-1")).view(View.self)
      #expect(again == View(reference: "c-1", state: "revoked", devices: 1))
      #expect(try await newer.get("consents").json == #"{"data":[]}"#)
    }
  }

  @Test("a device takes a consent back by the id that it decrypted as by the one around it, and only its own")
  func byReference() async throws {
    try await SaltEdgeTestApp.run { app in
      let (old, new) = (try await DeviceV1.connected(app), try await DeviceV2.hosted(app, key: "tablet"))
      let other = try await DeviceV2.hosted(app, user: "u-2", key: "phone")
      _ = try await app.api(.post, "consents", Self.wish(user: "u-1"))
      let entity = try #require(try await old.send(.get, "consents").data([SaltEdgeV1.Entity].self).first)
      let payload = EncryptedPayload(key: entity.payload.key, iv: entity.payload.iv, data: entity.payload.data)
      let inner = try WireJSON.decode(SaltEdge.Consent.self, from: Data(payload.decrypted(with: old.key).utf8))
      #expect(inner.id == "c-1" && entity.id?.text != "c-1")
      #expect(try await other.send(.put, "consents/c-1/revoke", EmptyBody()).refusal == "404 ConsentNotFound")
      let revoked = try await old.send(.delete, "consents/c-1")
      #expect(revoked.json == #"{"data":{"consent_id":"c-1","success":true}}"#)
      #expect(try await new.get("consents").json == #"{"data":[]}"#)
      #expect(try await old.send(.delete, "consents/c-1").refusal == "404 ConsentNotFound")

      _ = try await app.api(.post, "consents", Self.wish(user: "u-1", reference: "77"))
      #expect(try await new.send(.put, "consents/77/revoke", EmptyBody()).json == #"{"data":{"id":77}}"#)
      #expect(try await old.send(.get, "consents").json == #"{"data":[]}"#)

      // Released apps of v2 read an integer from this answer (§5.9), which this name is not.
      _ = try await app.api(.post, "consents", Self.wish(user: "u-1", reference: "c-2"))
      let listed = try #require(try await new.get("consents").data([SaltEdgeV2.ConsentEntity].self).first?.id?.text)
      // Two requests of one second with the same signature would be one (§13).
      app.clock.advance(by: .seconds(1))
      let named = try await new.send(.put, "consents/c-2/revoke", EmptyBody())
      #expect(named.json == #"{"data":{"id":\#(listed)}}"#)
    }
  }

  @Test("a consent that is put on one more device and taken back at the same time is open on none", arguments: 0..<4)
  func race(round: Int) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      _ = try await app.api(.post, "consents", Self.wish(user: "u-1"))
      let tablet = try await DeviceV2.hosted(app, key: "tablet")
      let listed = try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self)
      let id = try #require(listed.first?.id)
      async let revoked = device.send(.put, "consents/\(id)/revoke", EmptyBody())
      async let added = app.api(.post, "consents", Self.wish(user: "u-1"))
      #expect(try await revoked.status == 200)
      #expect(try await added.status == 201)
      #expect(try await tablet.get("consents").json == #"{"data":[]}"#)
      #expect(try await device.get("consents").json == #"{"data":[]}"#)
    }
  }
}
