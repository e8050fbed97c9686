// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import OneAssistWire
import Kit
import OneAssistCore
import Storage
import TestSupport
import Testing

@testable import OneAssistFlow

@Suite("OneAssist: the right of access")
struct MembershipExportTests {
  /// A membership that was sent back once and then rejected, of which the partner was told, with a message that was
  /// kept instead of sent.
  private static func rejected(_ app: OneAssistTestApp) async throws -> (phone: InsuredPhone, id: Membership.ID) {
    let phone = try await InsuredPhone(app)
    try await phone.pending()
    let id = try await phone.membership()
    let refused = try await app.review(
      .post, "memberships/\(id)/documents/BACK_IMAGE/decision",
      #"{"verdict":"refuse","reason":"Take it without the case.","agent":"clara"}"#)
    #expect(refused.status == 204)
    #expect(try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#).status == 200)
    #expect(try await phone.upload("BACK_IMAGE", "back again").status == 200)
    let rejected = try await app.review(
      .post, "memberships/\(id)/verdict", #"{"verdict":"reject","reason":"Another phone.","agent":"clara"}"#)
    #expect(rejected.status == 200)
    let link = try phone.linkToken()
    var message = Message(.sms, to: "+919123456780", body: "Here: https://cover.example/u/\(link)", locale: "en")
    message.about = id
    try await app.service.devOutbox?.messenger.send(message)
    let webhooks = Webhooks(
      database: app.database, vault: app.vault, world: app.clock.world,
      http: PeerHTTP { _ in .init(status: 204) })
    try await PartnerClient.webhooks(webhooks, database: app.database).tell(
      app.partner, WebhookSecret(app.clock.world).text,
      StatusEvent(
        id: "evt_1", timestamp: "2026-11-21T06:00:00Z",
        data: .init(memUUID: id, orderUUID: "o", applicationNo: "a", from: "x", status: "y")))
    return (phone, Membership.ID(rawValue: id))
  }

  private static func read(_ app: OneAssistTestApp, _ id: Membership.ID) async throws -> ReadExport {
    let exporter = app.service.exporter
    var export = try await exporter.export(id, tenant: "default", by: "agent:dora")
    var pictures: [String: Data] = [:]
    try await exporter.addPictures(to: &export) { file, bytes in pictures[file.path] = bytes }
    return try ReadExport(export, pictures: pictures)
  }

  private static func lines(_ app: OneAssistTestApp) async throws -> Int {
    try await app.database.read { tx in try tx.first("SELECT COUNT(*) AS n FROM audit_line")?.get("n") ?? 0 }
  }

  @Test("everything that is kept of a membership is in it, opened, and nothing of anybody else")
  func whole() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, id) = try await Self.rejected(app)
      let other = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      let export = try await Self.read(app, id)
      for text in [
        "gatehouse-membership-export/1", id.rawValue, phone.order, "A-1", "Phone Shop", "Mobile protection 1Y", "Asha",
        "Rao", "asha@mail.example", "+919876543210", "1990-02-01", "iPhone 14", OneAssistTestApp.imei,
        "12 Lake Road, Bengaluru", "560001", "6780", "+919123456780", "Take it without the case.", "Another phone.",
        "membership.status_changed", "oneassist.sold", "oneassist.exported",
      ] { #expect(export.text.contains(text), "\(text)") }
      for text in ["9876500000", "A-2", other.order, other.customer] {
        #expect(!export.text.contains(text), "\(text)")
      }
      for (part, count) in [
        ("photos", 3), ("links", 1), ("sessions", 1), ("messages", 1), ("decisions", 1), ("told", 1),
      ] { #expect(export.list(part).count == count, "\(part)") }
      #expect(export.list("decisions").first?["actor"] as? String == "agent")
      #expect(export.list("photos").count { $0["replaced_at"] is String } == 1)
      #expect(export.listed == export.beside && export.pictures.count == 3)
      #expect(Set(export.pictures.values) == Set(["front", "back", "back again"].map { Data("jpeg \($0)".utf8) }))
      #expect(try await app.story(id.rawValue).last == "oneassist.exported")
      #expect(try await app.database.read { try AuditStore($0).verify(by: app.vault) }.faults == [])
    }
  }

  @Test("no token, no link, no key of a screen, nothing that the app begins with and no colleague is in it")
  func withheld() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, id) = try await Self.rejected(app)
      let (link, vault) = (try phone.linkToken(), app.service.core.vault)
      let keys = try await app.database.read { [vault = app.vault, now = app.clock.now] tx in
        try ScreenStore(tx, vault: vault).around(now, since: Instant(milliseconds: 0), of: id).map(\.secrets.key)
      }
      #expect(!keys.isEmpty)
      let text = try await Self.read(app, id).text
      for secret in keys.map({ $0.base64EncodedString() }) + [
        phone.token, link, phone.code, phone.activity, vault.digest(token: phone.token), vault.digest(link: link),
        app.reviewer.client.id.rawValue, "clara", "dora",
      ] { #expect(!text.contains(secret), "\(secret)") }
    }
  }

  @Test("a photo that is gone is left out, and the rest is given")
  func gone() async throws {
    try await OneAssistTestApp.run { app in
      let (_, id) = try await Self.rejected(app)
      let key = try #require(app.blobs.keys.sorted().first)
      try await app.blobs.blobs.delete(key)
      let export = try await Self.read(app, id)
      #expect(export.listed == export.beside && export.pictures.count == 2 && export.list("photos").count == 3)
    }
  }

  @Test("what is not there, another tenant's and what was erased is refused alike, and no line is written")
  func refused() async throws {
    try await OneAssistTestApp.run { app in
      let (_, id) = try await Self.rejected(app)
      let exporter = app.service.exporter
      let before = try await Self.lines(app)
      for (id, tenant) in [(Membership.ID(rawValue: "nothing"), "default"), (id, "other")] {
        await #expect(throws: Problem.notFound) { _ = try await exporter.export(id, tenant: tenant, by: "agent:dora") }
      }
      #expect(try await Self.lines(app) == before)
      try await app.service.erasure.erase(id, for: .ended, by: "test")
      let after = try await Self.lines(app)
      await #expect(throws: Problem.notFound) {
        _ = try await exporter.export(id, tenant: "default", by: "agent:dora")
      }
      #expect(try await Self.lines(app) == after)
    }
  }
}
