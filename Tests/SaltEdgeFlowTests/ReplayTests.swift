// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge v2: a signed request counts once, and for one thing")
struct ReplayTests {
  @Test("a bank that revokes two devices and a consent within one second has revoked them all")
  func bankLoop() async throws {
    try await SaltEdgeTestApp.run { app in
      let devices = [
        try await DeviceV2.connected(app), try await DeviceV2.connected(app, key: "tablet"),
        try await DeviceV2.connected(app, key: "phone"),
      ]
      let end = "2027-02-19T06:00:00Z"
      for reference in ["c-1", "c-2"] {
        let item = try app.bank.item(Data("{}".utf8), for: devices[2].connection, expiresAt: end)
        let consent = SaltEdgeBank.Consent(consentID: .init(reference), userID: .init("u-1"), consents: [item])
        #expect(try await app.bankCalls(.post, "consents", consent).status == 200)
      }
      // One instant, no content: the same bytes and the same signature for each.
      for path in [
        "connections/\(devices[0].connection)/revoke", "connections/\(devices[1].connection)/revoke",
        "consents/c-1/revoke", "consents/c-2/revoke",
      ] { #expect(try await app.bankCalls(.put, path, EmptyBody()).status == 200) }
      #expect(try await devices[0].get("authorizations").refusal == "401 ConnectionRevoked")
      #expect(try await devices[1].get("authorizations").refusal == "401 ConnectionRevoked")
      #expect(try await devices[2].get("consents").json == #"{"data":[]}"#)
    }
  }

  /// A device with two authorizations of one customer, and what it sent to confirm the first.
  private func captured(
    _ app: SaltEdgeTestApp
  ) async throws -> (device: DeviceV2, other: SaltEdge.NumberID, headers: [String: String], body: Data) {
    let device = try await DeviceV2.connected(app)
    for reference in ["a-1", "a-2"] {
      let action = try app.bank.action(reference, user: "u-1", connections: [device.connection])
      _ = try await app.bankCalls(.post, "actions", action)
    }
    let waiting = try await device.authorizations()
    let (first, other) = (try #require(waiting.first).id, try #require(waiting.last).id)
    var (headers, body) = ([String: String](), Data())
    _ = try await device.decide(first, code: "code-1") { (headers, body) = ($0, $1) }
    return (device, other, headers, body)
  }

  @Test("a replayed decision decides nothing else", arguments: ["confirm", "deny"])
  func decisions(verb: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, other, headers, body) = try await captured(app)
      let replay = try await app.call(
        .put, "/api/authenticator/v2/authorizations/\(other)/\(verb)", headers: headers, body: body)
      #expect(replay.refusal == "400 InvalidSignature")
      #expect(
        try await device.get("authorizations/\(other)").data(SaltEdgeV2.Authorization.self).status == .pending)
      #expect(try await app.owedOfDecisions() == ["saltedge.forwardDecision"])
      // Its customer decides still.
      #expect(try await device.decide(other, confirms: false, code: "code-1").status == 200)
    }
  }

  @Test("what was signed for another call takes nothing back, also where it was not spent there")
  func contentAsRevocation() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let item = try app.bank.item(Data("{}".utf8), for: device.connection, expiresAt: "2027-02-19T06:00:00Z")
      let consent = SaltEdgeBank.Consent(consentID: .init("c-1"), userID: .init("u-1"), consents: [item])
      #expect(try await app.bankCalls(.post, "consents", consent).status == 200)
      for path in ["connections/\(device.connection)/revoke", "consents/c-1/revoke"] {
        for refused in [
          try await device.send(.put, path, item.payload),
          try await device.send(.put, path, SaltEdgeV2.PushTokenUpdate(pushToken: "token")),
          try await device.send(.put, path, device.submission("a-1")),
        ] { #expect(refused.refusal == "400 WrongRequestFormat", "\(path)") }
      }
      #expect(try await device.send(.put, "consents/c-1/revoke", EmptyBody()).status == 200)
      // Of another second, for the same bytes are spent.
      let last = try await device.send(.put, "connections/\(device.connection)/revoke", EmptyBody(), exp: 299)
      #expect(last.status == 200)
    }
  }

  @Test("what a bank signed for another call takes nothing back and closes nothing")
  func bankContentAsRevocation() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let item = try app.bank.item(Data("{}".utf8), for: device.connection, expiresAt: "2027-02-19T06:00:00Z")
      let consent = SaltEdgeBank.Consent(consentID: .init("c-1"), userID: .init("u-1"), consents: [item])
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      let failed = SaltEdgeBank.AuthenticationFailed(message: "wrong password")
      #expect(try await app.bankCalls(.post, "consents", consent).status == 200)
      #expect(try await app.bankCalls(.post, "actions", action).status == 200)
      for path in ["connections/\(device.connection)/revoke", "consents/c-1/revoke", "actions/a-1/close"] {
        for refused in [
          try await app.bankCalls(.put, path, action), try await app.bankCalls(.put, path, consent),
          try await app.bankCalls(.put, path, failed), try await app.bankCalls(.put, path, ["action_id": "a-2"]),
          try await app.bankCalls(.put, path, ["action_id": "a-1", "user_id": "u-1"]),
        ] { #expect(refused.refusal == "400 WrongRequestFormat", "\(path)") }
      }
      #expect(try await device.authorizations().map(\.status) == [.pending])
      #expect(try await device.get("consents").json != #"{"data":[]}"#)
      // What a bank does send.
      #expect(try await app.bankCalls(.put, "actions/a-1/close", ["action_id": "a-1"]).status == 200)
      #expect(try await app.bankCalls(.put, "consents/c-1/revoke", EmptyBody()).status == 200)
      #expect(try await app.bankCalls(.put, "connections/\(device.connection)/revoke", EmptyBody()).status == 200)
    }
  }

  @Test("what a bank signed without content takes back nothing else once ten seconds have passed")
  func recordedRevocation() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, other) = (try await DeviceV2.connected(app), try await DeviceV2.connected(app, key: "tablet"))
      var (headers, body) = ([String: String](), Data())
      let path = "connections/\(device.connection)/revoke"
      let revoked = try await app.bankCalls(.put, path, EmptyBody()) { (headers, body) = ($0, $1) }
      #expect(revoked.status == 200)
      app.clock.advance(by: .seconds(11))
      for kind in ["revoke", "fail_authentication"] {
        let replay = try await app.call(
          .put, "/api/sca/v1/connections/\(other.connection)/\(kind)", headers: headers, body: body)
        #expect(replay.refusal == "400 InvalidSignature", "\(kind)")
      }
      #expect(try await other.get("authorizations").status == 200)
      // The same request once more, as where its answer was lost, has happened already.
      let again = try await app.call(.put, "/api/sca/v1/\(path)", headers: headers, body: body)
      #expect(again.status == 200)
      // Signed anew, it counts.
      #expect(
        try await app.bankCalls(.put, "connections/\(other.connection)/revoke", EmptyBody()).status == 200)
      #expect(try await other.get("authorizations").refusal == "401 ConnectionRevoked")
    }
  }

  @Test("a bank that names in its content what it takes back takes back that alone, at once too")
  func namedRevocation() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, other) = (try await DeviceV2.connected(app), try await DeviceV2.connected(app, key: "tablet"))
      for reference in ["c-1", "c-2"] {
        let item = try app.bank.item(Data("{}".utf8), for: other.connection, expiresAt: "2027-02-19T06:00:00Z")
        let consent = SaltEdgeBank.Consent(consentID: .init(reference), userID: .init("u-1"), consents: [item])
        #expect(try await app.bankCalls(.post, "consents", consent).status == 200)
      }
      let (name, reference) = (["connection_id": device.connection], ["consent_id": "c-1"])
      for path in ["connections/\(other.connection)/revoke", "consents/c-2/revoke"] {
        #expect(try await app.bankCalls(.put, path, name).refusal == "400 WrongRequestFormat", "\(path)")
        #expect(try await app.bankCalls(.put, path, reference).refusal == "400 WrongRequestFormat", "\(path)")
      }
      #expect(try await app.bankCalls(.put, "connections/\(device.connection)/revoke", name).status == 200)
      #expect(try await app.bankCalls(.put, "consents/c-1/revoke", reference).status == 200)
      #expect(try await device.get("authorizations").refusal == "401 ConnectionRevoked")
      #expect(try await other.get("consents").data([SaltEdgeV2.ConsentEntity].self).count == 1)
    }
  }

  @Test("a replayed decision does not revoke the connection")
  func decisionAsRevocation() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, _, headers, body) = try await captured(app)
      let replay = try await app.call(
        .put, "/api/authenticator/v2/connections/\(device.connection)/revoke", headers: headers, body: body)
      #expect(replay.status == 400)
      #expect(try await device.get("authorizations").status == 200)
    }
  }

  @Test("a replayed revocation of a consent revokes neither another consent nor the connection")
  func consents() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      for reference in ["c-1", "c-2"] {
        let item = try app.bank.item(
          Data("{}".utf8), for: device.connection, expiresAt: "2027-02-19T06:00:00Z")
        _ = try await app.bankCalls(
          .post, "consents",
          SaltEdgeBank.Consent(consentID: .init(reference), userID: .init("u-1"), consents: [item]))
      }
      let listed = try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self)
      let ids = try listed.map { try #require($0.id).text }
      var (headers, body) = ([String: String](), Data())
      let revoked = try await device.send(.put, "consents/\(ids[0])/revoke", EmptyBody()) {
        (headers, body) = ($0, $1)
      }
      #expect(revoked.status == 200)
      for path in ["consents/\(ids[1])/revoke", "connections/\(device.connection)/revoke"] {
        let replay = try await app.call(.put, "/api/authenticator/v2/\(path)", headers: headers, body: body)
        #expect(replay.refusal == "400 InvalidSignature", "\(path)")
      }
      let again = try await app.call(
        .put, "/api/authenticator/v2/consents/\(ids[0])/revoke", headers: headers, body: body)
      #expect(again.refusal == "404 ConsentNotFound")
      #expect(try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self).map(\.id?.text) == [ids[1]])
    }
  }
}
