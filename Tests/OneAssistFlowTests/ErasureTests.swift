// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import OneAssistCore
import Testing

@testable import OneAssistFlow

@Suite("OneAssist: forgetting")
struct ErasureTests {
  @Test("after its retention nothing personal of a membership that ended is left, and its audit still verifies")
  func retention() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      #expect(app.blobs.keys.count == 2)
      _ = try await app.server(.post, "/partner/v1/memberships/\(id)/cancel")
      try await app.settle()
      app.clock.advance(by: .days(89))
      try await app.effects.jobs.runOnce()
      #expect(app.blobs.keys.count == 2)
      app.clock.advance(by: .days(1))
      try await app.effects.jobs.runOnce()
      #expect(app.blobs.keys.isEmpty)
      let found = try await app.server(.get, "/partner/v1/memberships?mobileNumber=9876543210")
      #expect(found.json == #"{"memberships":[]}"#)
      let left = try await app.database.read { tx in
        try [
          "oneassist_imei", "oneassist_link", "oneassist_screen", "oneassist_screen_seen", "oneassist_token",
          "idempotency",
        ]
        .map { table in
          switch table {
          case "oneassist_imei": try tx.query("SELECT digest FROM oneassist_imei").count
          case "oneassist_link": try tx.query("SELECT id FROM oneassist_link").count
          case "oneassist_screen": try tx.query("SELECT id FROM oneassist_screen").count
          case "oneassist_screen_seen": try tx.query("SELECT counter FROM oneassist_screen_seen").count
          case "oneassist_token": try tx.query("SELECT digest FROM oneassist_token").count
          default: try tx.query("SELECT scope FROM idempotency").count
          }
        }
      }
      #expect(left == [0, 0, 0, 0, 0, 0])
      #expect(try await app.database.read { try AuditStore($0).verify(by: app.vault) }.faults == [])
      #expect(try await app.story(id).last == "oneassist.erased")
    }
  }

  @Test("what partners were told of a customer is deleted with them, and what they were told of others is not")
  func told() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      let webhooks = Webhooks(
        database: app.database, vault: app.vault, world: app.clock.world,
        http: PeerHTTP { _ in .init(status: 204) })
      let line = PartnerClient.webhooks(webhooks, database: app.database)
      for (number, about) in [id, "another"].enumerated() {
        try await line.tell(
          app.partner, WebhookSecret(app.clock.world).text,
          StatusEvent(
            id: "evt_\(number)", timestamp: "2026-11-21T06:00:00Z",
            data: .init(memUUID: about, orderUUID: "o", applicationNo: "a", from: "x", status: "y")))
      }
      #expect(try await webhooks.log(.init()).count == 2)
      _ = try await app.server(.post, "/partner/v1/memberships/\(id)/cancel")
      #expect(try await app.review(.post, "memberships/\(id)/erase").status == 204)
      #expect(try await webhooks.log(.init()).map(\.name) == ["evt_1"])
    }
  }

  @Test("an event that waited until after the erasure tells the partner nothing of the member")
  func toldLate() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      app.outside.change { $0.refusesEvents = true }
      _ = try await app.server(.post, "/partner/v1/memberships/\(id)/cancel")
      try await app.settle()
      #expect(try await app.review(.post, "memberships/\(id)/erase").status == 204)
      func owed() async throws -> Int {
        try await app.database.read { try $0.query("SELECT id FROM outbox WHERE subject = \(id)").count }
      }
      #expect(try await owed() > 0)
      app.outside.change { ($0.refusesEvents, $0.events) = (false, []) }
      app.clock.advance(by: .hours(2))
      try await app.settle()
      #expect(app.outside.events.isEmpty)
      #expect(try await owed() == 0)
    }
  }

  @Test("a membership that lives is not forgotten; one that ended may be at once")
  func atOnce() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      #expect(try await app.review(.post, "memberships/\(id)/erase").refusal == "409 membership-alive")
      _ = try await app.server(.post, "/partner/v1/memberships/\(id)/cancel")
      #expect(try await app.review(.post, "memberships/\(id)/erase").status == 204)
      #expect(try await app.review(.post, "memberships/\(id)/erase").refusal == "404 not-found")
      #expect(try await phone.info().refusal == "401 AUTH_005")
    }
  }

  @Test(
    "a member who has cover, or waits for it, is not forgotten before it is over",
    arguments: [MembershipStatus.approved, .queued])
  func covered(status: MembershipStatus) async throws {
    try await OneAssistTestApp.run { app in
      let plan = status == .queued ? OneAssistTestApp.planLater : OneAssistTestApp.planNow
      let phone = try await InsuredPhone(app, plan: plan)
      try await phone.detailed()
      _ = try await phone.link()
      try await phone.bring(to: status)
      let id = try await phone.membership()
      #expect(try await app.review(.post, "memberships/\(id)/erase").refusal == "409 membership-alive")
      #expect(try await phone.status() == status.rawValue && app.blobs.keys.count == 2)
      app.clock.advance(by: .days(400))
      #expect(try await app.review(.post, "memberships/\(id)/erase").status == 204)
      #expect(app.blobs.keys.isEmpty)
    }
  }

  @Test("killed between the pictures and the rows, the next try ends what was begun")
  func killed() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      _ = try await app.server(.post, "/partner/v1/memberships/\(id)/cancel")
      for key in app.blobs.keys { try await app.blobs.blobs.delete(key) }
      try await app.service.erasure.erase(.init(rawValue: id), for: .ended, by: "test")
      #expect(try await app.review(.get, "memberships/\(id)").refusal == "404 not-found")
    }
  }

  @Test("objects that no row names are found, those of photos stay")
  func referenced() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let keys = Array(app.blobs.keys)
      let named = try await app.database.read { try OneAssistBlobStore.referenced(keys + ["other"], in: $0) }
      #expect(named == Set(keys))
      let (first, last) = (try #require(keys.min()), try #require(keys.max()))
      let kept = try await app.database.read {
        try [
          OneAssistBlobStore.kept(after: "", limit: 9, in: $0), OneAssistBlobStore.kept(after: first, limit: 1, in: $0),
          OneAssistBlobStore.kept(after: last, limit: 9, in: $0),
        ]
      }
      #expect(kept == [keys.sorted(), Array(keys.sorted().dropFirst().prefix(1)), []])
    }
  }
}
