// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Storage
import TestSupport
import Testing

@Suite("Salt Edge: what is kept of customers, and for how long")
struct RightsTests {
  static let reason = ErasureReason.ended
  private static let tables = [
    "saltedge_connection", "saltedge_action", "saltedge_authorization", "saltedge_operation", "saltedge_consent",
  ]

  private static func counts(_ app: SaltEdgeTestApp) async throws -> [String: Int] {
    try await app.database.read { tx in
      func count(_ query: SQL) throws -> Int { try tx.first(query)?.get("n") ?? -1 }
      return [
        "saltedge_connection": try count("SELECT COUNT(*) AS n FROM saltedge_connection"),
        "saltedge_action": try count("SELECT COUNT(*) AS n FROM saltedge_action"),
        "saltedge_authorization": try count("SELECT COUNT(*) AS n FROM saltedge_authorization"),
        "saltedge_operation": try count("SELECT COUNT(*) AS n FROM saltedge_operation"),
        "saltedge_consent": try count("SELECT COUNT(*) AS n FROM saltedge_consent"),
      ]
    }
  }

  private static func payment(_ user: String, _ reference: String) -> String {
    ProviderAPITests.payment.replacing("u-1", with: user).replacing("order-1", with: reference)
  }

  /// A customer with a device, something decided, something that waits, and a consent.
  static func customer(_ app: SaltEdgeTestApp, _ user: String, key: String) async throws -> DeviceV2 {
    let device = try await DeviceV2.hosted(app, user: user, key: key)
    _ = try await app.api(.post, "authorizations", payment(user, "\(user)-1"))
    let waiting = try #require(try await device.authorizations().first)
    _ = try await device.decide(waiting.id, code: device.content(waiting).code)
    try await app.settle()
    _ = try await app.api(.post, "authorizations", payment(user, "\(user)-2"))
    let consent =
      #"{"reference":"c-\#(user)","user_id":"\#(user)","consent_type":"aisp","tpp_name":"T","#
      + #""accounts":[{"name":"A"}],"expires_at":"2027-01-01T00:00:00Z"}"#
    #expect(try await app.api(.post, "consents", consent).status == 201)
    return device
  }

  @Test("erasing a bank's customer leaves no row and no owed effect of theirs, everything of others, and a whole audit")
  func erased() async throws {
    try await SaltEdgeTestApp.run { app in
      let gone = try await Self.customer(app, "u-1", key: "one")
      let stays = try await Self.customer(app, "u-2", key: "two")
      let before = try await Self.counts(app)
      let erasure = UserErasure(app.service.core)
      #expect(try await erasure.forget("u-1", ofBank: "nobody", for: Self.reason, by: "operator") == nil)
      // Of the last one there is a link only.
      _ = try await app.api(.post, "connect-links", #"{"user_id":"u-3"}"#)
      let names = [("u-1", "hosted"), ("u-1", "elsewhere"), ("u-9", "hosted"), ("u-3", "hosted")]
      func found() async throws -> [String?] {
        try await app.database.read { tx in
          try names.map { try erasure.person($0.0, of: $0.1, in: tx)?.name }
        }
      }
      #expect(try await found() == ["u-1", nil, nil, "u-3"])
      let stories = [gone, stays].map { "saltedge-\($0.connection)" }
      try await app.database.write { tx in
        for story in stories {
          try tx.execute(
            "INSERT INTO flow_place (story, flow, step, since) VALUES (\(story), 'saltedge.connection', 'valid', 0)")
        }
      }
      let erased = try await erasure.forget("u-1", ofBank: "hosted", for: Self.reason, by: "operator")
      #expect(erased == .init(connections: 1, operations: 2))
      let places = try await app.database.read { tx in
        try tx.query("SELECT story FROM flow_place").map { try $0.get("story", as: String.self) }
      }
      #expect(places == [stories[1]], "the figures keep no connection of theirs")
      #expect(try await found() == [nil, nil, nil, "u-3"])
      let after = try await Self.counts(app)
      for table in Self.tables { #expect(after[table].map { $0 * 2 } == before[table], "\(table)") }

      #expect(try await gone.get("authorizations").refusal == "401 ConnectionNotFound")
      #expect(try await stays.authorizations().map(\.status).contains(.pending))
      #expect(try await app.audit(gone.connection) == [])
      #expect(try await app.webhooks.log(.init()).count == 1, "what the bank was told of the other one stays")
      let faults = try await app.database.read { try AuditStore($0).verify(by: app.service.core.vault).faults }
      #expect(faults == [])
      // What was owed about them is owed no more, and the rest goes its way.
      let told = app.devices.sent.count
      try await app.settle()
      #expect(app.devices.sent.dropFirst(told).map { $0.data["connection_id"]?.text } == [stays.connection])
      let again = try await erasure.forget("u-1", ofBank: "hosted", for: Self.reason, by: "operator")
      #expect(again == .init())
    }
  }

  @Test("a customer of the same name at another bank is another person")
  func otherBank() async throws {
    try await SaltEdgeTestApp.run { app in
      _ = try await Self.customer(app, "u-1", key: "one")
      let other = try await DeviceV2.connected(app, user: "u-1", key: "two")
      _ = try await UserErasure(app.service.core).forget("u-1", ofBank: "hosted", for: Self.reason, by: "operator")
      #expect(try await other.get("authorizations").status == 200)
    }
  }

  @Test("decisions and their evidence are kept for as long as the policy says, and no longer")
  func retention() async throws {
    try await SaltEdgeTestApp.run(policy: { $0.retention = .days(30) }) { app in
      let device = try await Self.customer(app, "u-1", key: "one")
      app.clock.advance(by: .minutes(10))
      try await app.effects.jobs.runOnce()
      let ended = try await Self.counts(app)
      app.clock.advance(by: .days(29))
      try await app.effects.jobs.runOnce()
      #expect(try await Self.counts(app) == ended)
      app.clock.advance(by: .days(1))
      try await app.effects.jobs.runOnce()
      var left = ended
      (left["saltedge_action"], left["saltedge_authorization"], left["saltedge_operation"]) = (0, 0, 0)
      #expect(try await Self.counts(app) == left)
      // The device is good still, and so is its consent; both go a retention after their own ends.
      #expect(try await device.get("consents").status == 200)
      app.clock.advance(by: .days(180 + 30))
      try await app.effects.jobs.runOnce()
      #expect(try await Self.counts(app).values.allSatisfy { $0 == 0 })
      #expect(try await app.database.read { try AuditStore($0).verify(by: app.service.core.vault).faults } == [])
    }
  }

  @Test("devices without a sign-in are gone after a day, with their lines in the audit log")
  func devicesWithoutSignIn() async throws {
    try await SaltEdgeTestApp.run { app in
      let asked = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device())
        .data(SaltEdgeV2.Connected.self)
      let device = try await DeviceV2.connected(app, key: "two")
      app.clock.advance(by: .minutes(15))
      try await app.effects.jobs.runOnce()
      #expect(try await app.audit(asked.connectionID.text).count == 2)
      app.clock.advance(by: .days(1))
      try await app.effects.jobs.runOnce()
      #expect(try await app.audit(asked.connectionID.text) == [])
      #expect(try await Self.counts(app)["saltedge_connection"] == 1)
      #expect(try await device.get("authorizations").status == 200)
      #expect(try await app.database.read { try AuditStore($0).verify(by: app.service.core.vault).faults } == [])
    }
  }

  @Test("a connection that its row calls failed keeps its lines when they tell of a sign-in")
  func forgedFailure() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app, key: "one")
      let lines = try await app.audit(device.connection)
      try await app.database.write { tx in
        _ = try tx.execute("UPDATE saltedge_connection SET state = 'authentication_fail', token_expires_at = NULL")
      }
      app.clock.advance(by: .days(2))
      try await app.effects.jobs.runOnce()
      #expect(try await Self.counts(app)["saltedge_connection"] == 0)
      #expect(try await app.audit(device.connection) == lines)
      let dropped = try await app.database.read {
        try $0.query("SELECT sequence FROM audit_line WHERE action = 'audit.dropped'")
      }
      #expect(dropped.isEmpty)
    }
  }

  @Test("a wrong code that is sent again, byte for byte, is one line of the audit log")
  func wrongCodeAgain() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      _ = try await app.api(.post, "authorizations", ProviderAPITests.payment)
      let id = try #require(try await device.authorizations().first?.id?.text)
      for _ in 0..<3 {
        #expect(try await device.decide(id, code: "wrong").json == #"{"data":{"id":"\#(id)","success":false}}"#)
      }
      let lines = try await app.audit(device.connection).filter { $0 == "saltedge.authorization.wrongCode" }
      #expect(lines.count == 1)
    }
  }
}
