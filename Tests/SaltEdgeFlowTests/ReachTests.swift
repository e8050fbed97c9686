// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

/// Both public banks name every connection that they hold, and only log what they are answered.
@Suite("Salt Edge v2: a connection that is gone keeps no other from being reached")
struct ReachTests {
  private struct Stale {
    let living: DeviceV2
    /// Connections that cannot be reached, and the class that says why, in the order in which the bank names them.
    let gone: [(id: String, errorClass: SaltEdge.ErrorClass)]

    var ids: [String] { gone.map(\.id) }

    /// One that lives beside one that was revoked, one whose sign-in has not ended, one of another bank, and one whose
    /// access has expired.
    static func make(_ app: SaltEdgeTestApp) async throws -> Stale {
      let expired = try await DeviceV2.connected(app, key: "phone")
      app.clock.advance(by: .days(30))
      let revoked = try await DeviceV2.connected(app, key: "tablet")
      _ = try await revoked.send(.put, "connections/\(revoked.connection)/revoke", EmptyBody())
      let pending = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.named("thief"))
        .data(SaltEdgeV2.Connected.self)
      let foreign = try await DeviceV2.hosted(app, key: "two")
      return Stale(
        living: try await DeviceV2.connected(app),
        gone: [
          (revoked.connection, .connectionRevoked), (pending.connectionID.text, .connectionNotFound),
          (foreign.connection, .connectionNotFound), (expired.connection, .connectionRevoked),
          ("77", .connectionNotFound),
        ])
    }

    /// Items for all; what the living one does not get cannot be read anyway.
    func items(_ app: SaltEdgeTestApp, _ plaintext: Data, expiresAt: String? = nil) throws -> [SaltEdgeBank.Item] {
      let item = try app.bank.item(plaintext, for: living.connection, expiresAt: expiresAt)
      return [item] + ids.map { .init(connectionID: .init($0), expiresAt: expiresAt, payload: item.payload) }
    }

    func check(_ answer: SaltEdgeTestApp.Answer) throws {
      let unreached = try #require(try answer.data(SaltEdgeBank.Shown.self).unreached)
      #expect(unreached.map(\.connectionID.text) == ids)
      #expect(unreached.map(\.errorClass) == gone.map(\.errorClass))
      #expect(unreached.allSatisfy { !$0.message.isEmpty })
    }
  }

  private static func run(_ play: @escaping @Sendable (SaltEdgeTestApp) async throws -> Void) async throws {
    try await SaltEdgeTestApp.run(policy: { $0.accessTokenLifetime = .days(30) }, play)
  }

  @Test("an action and an addition reach the connection that lives, and the answer names the others and why")
  func actions() async throws {
    try await Self.run { app in
      let stale = try await Stale.make(app)
      for (method, path) in [(HTTPRequest.Method.post, "actions"), (.put, "actions/a-1")] {
        app.clock.advance(by: .seconds(1))
        var action = try app.bank.action("a-1", user: "u-1", connections: [stale.living.connection], multiple: true)
        action.authorizations = try stale.items(app, Data("{}".utf8))
        var (headers, body) = ([String: String](), Data())
        try stale.check(try await app.bankCalls(method, path, action) { (headers, body) = ($0, $1) })
        // The same request again does nothing, and is answered the same.
        try stale.check(try await app.call(method, "/api/sca/v1/\(path)", headers: headers, body: body))
      }
      #expect(try await stale.living.authorizations().count == 2)
    }
  }

  @Test("a consent reaches the connection that lives, and the answer names the others and why")
  func consents() async throws {
    try await Self.run { app in
      let stale = try await Stale.make(app)
      let consent = SaltEdgeBank.Consent(
        consentID: .init("c-1"), userID: .init("u-1"),
        consents: try stale.items(app, Data("{}".utf8), expiresAt: "2027-01-01T00:00:00Z"))
      try stale.check(try await app.bankCalls(.post, "consents", consent))
      #expect(try await stale.living.get("consents").data([SaltEdgeV2.ConsentEntity].self).count == 1)
    }
  }

  @Test("a refusal names 64 Unicode scalars of a connection's name, however few characters they seem")
  func longName() async throws {
    try await Self.run { app in
      let device = try await DeviceV2.connected(app)
      var action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      let payload = try #require(action.authorizations.first).payload
      let name = "a" + String(repeating: "\u{200D}", count: 1000)
      action.authorizations = [.init(connectionID: .init(name), expiresAt: nil, payload: payload)]
      let answer = try await app.bankCalls(.post, "actions", action)
      #expect(answer.refusal == "404 ConnectionNotFound")
      #expect(answer.json.unicodeScalars.count { $0 == "\u{200D}" } == 63)
    }
  }

  @Test("what reaches every connection is answered as before")
  func all() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      #expect(try await app.bankCalls(.post, "actions", action).json == #"{"data":{}}"#)
    }
  }

  @Test("a bank is told once that the access of a connection has expired")
  func expiry() async throws {
    try await Self.run { app in
      let device = try await DeviceV2.connected(app)
      app.clock.advance(by: .days(30) - .hours(1))
      _ = try await app.bankCalls(
        .post, "actions", try app.bank.action("a-1", user: "u-1", connections: [device.connection], expires: .hours(2)))
      app.bank.forget()
      app.clock.advance(by: .hours(1))
      for _ in 0..<2 {
        try await app.effects.jobs.runOnce()
        try await app.settle()
      }
      #expect(app.bank.paths == ["PUT connections/\(device.connection)/revoke"])
      #expect(try await app.audit(device.connection).contains("saltedge.connection.expired"))
      #expect(try await device.get("authorizations").refusal == "401 ConnectionRevoked")
    }
  }

  @Test("a bank without a server hears of the expiry by webhook")
  func hostedExpiry() async throws {
    try await Self.run { app in
      let device = try await DeviceV2.hosted(app)
      app.clock.advance(by: .days(30))
      try await app.effects.jobs.runOnce()
      try await app.settle()
      struct Event: Decodable {
        struct Content: Decodable {
          struct Connection: Decodable { let id: String }
          let connection: Connection
        }
        let type: String
        let data: Content
      }
      let told = try app.bank.heard.map { try JSONDecoder().decode(Event.self, from: $0.body) }
      #expect(told.map(\.type) == ["connection.revoked"] && told.map(\.data.connection.id) == [device.connection])
    }
  }
}
