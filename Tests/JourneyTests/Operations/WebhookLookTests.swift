// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Delivery
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: looks at webhooks at the command line", .ownFile)
struct WebhookLookTests {
  @Test("leave a line of who looked and why, as those at the desk do")
  func looks() async throws {
    let folder = try TestFolder()
    let settings = BackupTestApp.settings("data", in: folder)
    let app = try await App.open(settings, logger: settings.logger("looks"))
    let options = ["--data", folder.file("data"), "--log", "error"]
    func lines() async throws -> [AuditLine] {
      try await app.database.read { try AuditStore($0).lines(of: MachineUser.actor) }
    }
    #expect(try await lines().isEmpty)
    try await WebhooksCommand.List.parse(options).run()
    try await WebhooksCommand.Log.parse(["--state", "failed"] + options).run()
    // Nothing is known by it: what was typed stays out of the log.
    try await WebhooksCommand.Log.parse(["--endpoint", "typed by somebody"] + options).run()
    let looks = try await lines()
    #expect(looks.map(\.action) == ["webhooks.listed", "deliveries.listed", "deliveries.listed"])
    #expect(looks.allSatisfy { $0.actor == MachineUser.actor })
    #expect(looks.map(\.facts) == [["why": "overview"], ["why": "list"], ["why": "list"]])
  }

  @Test("an endpoint is added for events that there are, and a wrong line names the nearest")
  func events() throws {
    let typed = ["webhooks", "add", "finaptic-8", "https://bank.example/hooks", "--event", "CardUpdated", "--event"]
    for name in ["TransactionCreated", "*"] {
      #expect(throws: Never.self) { try Gatehouse.parseAsRoot(typed + [name]) }
    }
    let wrong = try #require(throws: (any Error).self) { _ = try Gatehouse.parseAsRoot(typed + ["CardCreate"]) }
    let report = FailureReport(wrong)
    #expect(report.exit == .usage)
    #expect(report.message.contains("no type of event is called CardCreate; the nearest is CardCreated"))
  }
}
