// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Storage
import Testing
import TestSupport

@Suite("Salt Edge: the right of access")
struct UserExportTests {
  private static func read(
    _ app: SaltEdgeTestApp, _ user: String = "u-1", ofBank code: String = "hosted"
  ) async throws -> ReadExport {
    try ReadExport(try await UserExporter(app.service.core).export(user, ofBank: code, by: "operator"))
  }

  private static func lines(_ app: SaltEdgeTestApp) async throws -> Int {
    try await app.database.read { tx in try tx.first("SELECT COUNT(*) AS n FROM audit_line")?.get("n") ?? 0 }
  }

  @Test("everything that is kept of a bank's customer is in it, opened, and nothing of anybody else")
  func whole() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await RightsTests.customer(app, "u-1", key: "one")
      let other = try await RightsTests.customer(app, "u-2", key: "two")
      let export = try await Self.read(app)
      for text in [
        "gatehouse-saltedge-user-export/1", "Hosted Bank", "u-1", device.connection, "u-1-1", "u-1-2", "c-u-1",
        "Payment", "Shop", "12.50", "EUR", "DE89370400440532013000", "Invoice 7", "192.0.2.1", "confirmed", "pending",
        "biometrics", "GEO:52.506931;13.144558", "ios", "saltedge.connection.authenticated",
        "saltedge.operation.confirmed", "saltedge.user.exported",
      ] { #expect(export.text.contains(text), "\(text)") }
      for text in ["u-2", other.connection] { #expect(!export.text.contains(text), "\(text)") }
      for (part, count) in [("devices", 1), ("actions", 2), ("operations", 2)] {
        #expect(export.list(part).count == count, "\(part)")
      }
      let shown = try #require(export.list("devices").first)
      #expect((shown["authorizations"] as? [Any])?.count == 2 && (shown["consents"] as? [Any])?.count == 1)
      let told = export.list("operations").compactMap { $0["told"] as? [Any] }
      #expect(told.map(\.count).reduce(0, +) == 1)

      #expect(try await app.audit(device.connection).last == "saltedge.user.exported")
      #expect(try await app.audit(other.connection).last != "saltedge.user.exported")
      for operation in export.list("operations") {
        let id = try #require(operation["id"] as? String)
        #expect(try await app.audit("operation-\(id)").last == "saltedge.user.exported")
      }
      #expect(try await app.database.read { try AuditStore($0).verify(by: app.service.core.vault).faults } == [])
    }
  }

  @Test("no token, no key, no signature, no code and no secret of the bank is in it")
  func withheld() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await RightsTests.customer(app, "u-1", key: "one")
      let waiting = try #require(try await device.authorizations().first { $0.status == .pending })
      let code = try #require(try device.content(waiting).code)
      let text = try await Self.read(app).text
      let key = try #require(device.key.publicKey.pem.split(separator: "\n").dropFirst().first.map(String.init))
      for secret in [
        device.token, code, key, "push-token-1", app.webhookSecret, app.credentials.secret, "PUBLIC KEY",
        "signature", "salt\"",
      ] { #expect(!text.contains(secret), "\(secret)") }
    }
  }

  @Test("a customer of the same name at another bank is another person; what only their device reads is not given out")
  func otherBank() async throws {
    try await SaltEdgeTestApp.run { app in
      let hosted = try await RightsTests.customer(app, "u-1", key: "one")
      let remote = try await DeviceV2.connected(app, user: "u-1", key: "two")
      let export = try await Self.read(app, ofBank: "remote")
      #expect(export.list("devices").map { $0["id"] as? String } == [remote.connection])
      #expect(export.list("operations").isEmpty && !export.text.contains(hosted.connection))
      #expect(!export.text.contains("Shop") && !export.text.contains(remote.token))
    }
  }

  @Test("of whom only a link is there, or after it lapsed only a key, what there is is given out")
  func linkAlone() async throws {
    try await SaltEdgeTestApp.run(keysOfPersons: TestFolder()) { app in
      _ = try await app.api(.post, "connect-links", #"{"user_id":"u-3","api_version":2}"#).view(DeviceV2.LinkView.self)
      let export = try await Self.read(app, "u-3")
      #expect(export.list("devices").isEmpty && export.list("links").map { $0["is_approved"] as? Bool } == [false])
      let ends = try await app.database.write { try LinkStore.sweep(before: app.clock.now + .days(1), in: $0) }
      #expect(ends == 1)
      #expect(try await Self.read(app, "u-3").list("links").isEmpty)
    }
  }

  @Test("an unknown user, an unknown bank and an erased user are refused alike, and no line is written")
  func refused() async throws {
    try await SaltEdgeTestApp.run { app in
      _ = try await RightsTests.customer(app, "u-1", key: "one")
      let before = try await Self.lines(app)
      for (user, code) in [("nobody", "hosted"), ("u-1", "remote"), ("u-1", "nobank")] {
        await #expect(throws: Problem.notFound) { _ = try await Self.read(app, user, ofBank: code) }
      }
      #expect(try await Self.lines(app) == before)
      _ = try await UserErasure(app.service.core).forget(
        "u-1", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      let after = try await Self.lines(app)
      await #expect(throws: Problem.notFound) { _ = try await Self.read(app) }
      #expect(try await Self.lines(app) == after)
    }
  }
}
