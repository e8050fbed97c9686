// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeFlow
import SaltEdgeWire
import Storage
import Testing

@Suite("Salt Edge: what was not decided or answered in time ends")
struct SweepTests {
  private func states(_ app: SaltEdgeTestApp) async throws -> [String: Int] {
    try await app.database.read {
      try $0.query("SELECT state, COUNT(*) AS n FROM saltedge_authorization GROUP BY state")
    }.reduce(into: [:]) { $0[try $1.get("state", as: String.self)] = try $1.get("n", as: Int.self) }
  }

  /// Authorizations of actions with 50 each, on one device.
  private func open(_ actions: Int, _ app: SaltEdgeTestApp) async throws -> DeviceV2 {
    let device = try await DeviceV2.connected(app)
    for index in 0..<actions {
      let action = try app.bank.action(
        "a-\(index)", user: "u-1", connections: Array(repeating: device.connection, count: 50), multiple: true)
      #expect(try await app.bankCalls(.post, "actions", action).status == 200)
    }
    return device
  }

  @Test("everything whose time ran out ends in one sweep, however much it is")
  func many() async throws {
    try await SaltEdgeTestApp.run { app in
      _ = try await open(9, app)
      app.clock.advance(by: .minutes(5))
      try await app.effects.jobs.runOnce()
      #expect(try await states(app) == ["time_out": 450])
    }
  }

  @Test("a row that cannot be ended holds up none of the others")
  func unreadable() async throws {
    try await SaltEdgeTestApp.run { app in
      _ = try await open(1, app)
      let ids = try await app.database.read {
        try $0.query("SELECT id FROM saltedge_authorization ORDER BY expires_at, id").map {
          try $0.get("id", as: String.self)
        }
      }
      let (bad, other) = (ids[0], ids[1])
      try await app.database.write {
        try $0.execute(
          """
          UPDATE saltedge_authorization SET payload =
            (SELECT payload FROM saltedge_authorization WHERE id = \(other)) WHERE id = \(bad)
          """)
      }
      app.clock.advance(by: .minutes(5))
      await #expect(throws: (any Error).self) { try await app.effects.jobs.runOnce() }
      #expect(try await states(app) == ["time_out": 49, "pending": 1])
    }
  }

  @Test("a decision that is not forwarded any more ends as unknown, and its bank hears that the time ran out")
  func unanswered() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let opened: ProviderAPITests.Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment)
        .view()
      let waiting = try #require(try await device.authorizations().first)
      let code = try device.content(waiting).code
      // A key that cannot be opened: no attempt comes to an end.
      try await app.database.write {
        try $0.execute("UPDATE saltedge_provider SET private_key = webhook_secret WHERE kind = 'hosted'")
      }
      _ = try await device.decide(waiting.id, code: code)
      try await app.settle()
      app.clock.advance(by: .minutes(59))
      try await app.effects.jobs.runOnce()
      #expect(try await states(app) == ["confirm_processing": 1])
      app.clock.advance(by: .minutes(1))
      try await app.effects.jobs.runOnce()
      #expect(try await device.authorizations().map(\.status) == [.unavailable])
      let state = try await app.api(.get, "authorizations/\(opened.authorization.id)")
        .view(ProviderAPITests.Operation.self).state
      #expect(state == "expired")
      #expect(try await app.owed().contains("saltedge.notifyProvider"))
    }
  }
}
