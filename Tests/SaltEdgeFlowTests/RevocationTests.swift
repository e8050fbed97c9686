// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: a bank learns what its customers took back")
struct RevocationTests {
  private struct Event<Content: Decodable>: Decodable {
    let type, timestamp: String
    let data: Content
  }
  private struct RevokedConnection: Decodable {
    struct Connection: Decodable { let id, state: String }
    let connection: Connection
    let user_id: String
  }
  private struct RevokedConsent: Decodable {
    struct Consent: Decodable { let reference, state: String }
    let consent: Consent
    let user_id: String
  }

  private static let consent =
    #"{"reference":"c-1","user_id":"u-1","consent_type":"aisp","tpp_name":"TPP","accounts":[{"name":"Checking"}],"#
    + #""expires_at":"2027-01-01T00:00:00Z"}"#

  @Test("a bank without a server hears by webhook, once, of a consent that is gone on all devices, and of a device")
  func hosted() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let older = try await DeviceV1.connected(app, key: "tablet")
      _ = try await app.api(.post, "consents", Self.consent)
      let listed = try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self)
      let id = try #require(listed.first?.id)
      #expect(try await device.send(.put, "consents/\(id)/revoke", EmptyBody()).status == 200)
      app.bank.answer(503)
      try await app.settle()
      app.clock.advance(by: .minutes(1))
      try await app.settle()
      #expect(app.bank.heard.map(\.url) == [FakeBank.webhook, FakeBank.webhook])
      #expect(Set(app.bank.heard.map { $0.headers["webhook-id"] ?? "" }).count == 1)
      #expect(Set(app.bank.heard.map(\.body)).count == 1)
      let consent = try JSONDecoder().decode(
        Event<RevokedConsent>.self, from: #require(app.bank.heard.first).body)
      #expect(consent.type == "consent.revoked" && consent.timestamp == "2026-11-21T06:00:00Z")
      #expect(consent.data.consent.reference == "c-1" && consent.data.consent.state == "revoked")
      #expect(consent.data.user_id == "u-1")

      app.bank.forget()
      #expect(try await device.send(.put, "connections/\(device.connection)/revoke", EmptyBody()).status == 200)
      #expect(try await older.send(.delete, "connections").status == 200)
      try await app.settle()
      let gone = try app.bank.heard.map { try JSONDecoder().decode(Event<RevokedConnection>.self, from: $0.body) }
      #expect(gone.allSatisfy { $0.type == "connection.revoked" && $0.data.user_id == "u-1" })
      #expect(Set(gone.map(\.data.connection.id)) == [device.connection, older.connection])
      #expect(try await app.owed().isEmpty)
    }
  }

  @Test("what the bank revoked itself it is not told")
  func byBank() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      _ = try await app.api(.post, "consents", Self.consent)
      _ = try await app.api(.post, "consents/c-1/revoke", "{}")
      _ = try await app.api(.post, "connections/\(device.connection)/revoke", "{}")
      try await app.settle()
      #expect(app.bank.heard.isEmpty)
    }
  }

  @Test(
    "a bank that knows of nothing to revoke is done with",
    arguments: ["ConnectionNotFound", "ConnectionRevoked"].map { #"{"error_class":"\#($0)","error_message":"no"}"# })
  func known(body: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await device.send(.put, "connections/\(device.connection)/revoke", EmptyBody())
      app.bank.answer(400, body)
      try await app.settle()
      #expect(try await app.owed().isEmpty)
    }
  }

  @Test(
    "a bank that does not take the service's word is told again, and the refusal is in the log",
    arguments: ["InvalidSignature", "SignatureExpired", "WrongRequestFormat"])
  func refused(errorClass: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await device.send(.put, "connections/\(device.connection)/revoke", EmptyBody())
      app.bank.forget()
      app.bank.answer(400, #"{"error_class":"\#(errorClass)","error_message":"no"}"#)
      try await app.settle()
      #expect(try await app.owed() == ["saltedge.tellRevocation"])
      let actions = try await app.database.auditActions(of: "saltedge-provider-\(app.remote.id)")
      #expect(actions.last == "saltedge.provider.revocationRefused")
      app.clock.advance(by: .minutes(1))
      try await app.settle()
      #expect(app.bank.heard.count == 2)
      #expect(try await app.owed().isEmpty)
    }
  }
}
