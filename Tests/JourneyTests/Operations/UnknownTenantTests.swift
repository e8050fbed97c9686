// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Kit
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: a tenant that is not there", .storeless)
struct UnknownTenantTests {
  static let lines = """
    chat client T
    chat hand-back --tenant T x --agent a
    chat queue --tenant T
    chat resolve --tenant T x --agent a
    chat show --tenant T x --agent a
    chat take --tenant T x --agent a --name n
    finaptic account close T x --reason r --yes
    finaptic account freeze T x --reason r
    finaptic account remove-user T x y --reason r
    finaptic account unfreeze T x
    finaptic bank caller-limit T clients
    finaptic bank client add T
    finaptic bank client list T
    finaptic bank client revoke T x --yes
    finaptic bank client rotate T x
    finaptic bank day T 2026-11-22
    finaptic bank four-eyes T
    finaptic bank hold T x 1.00 --reason GOODWILL
    finaptic bank numbers T
    finaptic bank parked T
    finaptic bank post T DEPOSIT x 1.00 --reason r
    finaptic bank posting-limit T 1.00
    finaptic bank release T x --reason GOODWILL
    finaptic bank reverse T x --reason GOODWILL
    finaptic bank scheduled T
    finaptic bank terms T
    finaptic bank terms-changes T
    finaptic bank terms-untold T x
    finaptic bank withdraw T x --reason r
    finaptic bundle list T
    finaptic bundle load T x
    finaptic bundle show T
    finaptic card block T x --reason r
    finaptic card credit T x
    finaptic card disputes T
    finaptic card issuer T --off
    finaptic card limits T
    finaptic card resolve T x
    finaptic card step-up T on
    finaptic card suspense T
    finaptic card unblock T x
    finaptic card write-off T x --reason r
    finaptic interac T --off
    finaptic key issue T --name n
    finaptic key list T
    finaptic sandbox-client add T
    finaptic simulate card authorize T x 1.00
    finaptic simulate card cancel T x
    finaptic simulate card chargeback T x
    finaptic simulate card confirm T x
    finaptic simulate card purchase T x 1.00
    finaptic simulate card refund T x
    finaptic simulate confirm T x
    finaptic simulate deposit T x 1.00
    finaptic simulate interac T a@b.example 1.00 --sender s
    finaptic simulate recall T x
    finaptic tenant document T
    finaptic tenant mfa T always
    finaptic user block T x
    finaptic user erase T x --money payout --reason ended --yes
    finaptic user show T x
    finaptic user unblock T x
    ledger export T --from 2026-11-22
    ledger trial-balance T 2026-11-22
    payments folder T x
    payments recalls T
    payments reconcile T x
    payments send T x 1.00 --creditor c --creditor-account d --creditor-bic e --key k
    payments settle T
    payments suspense T
    screen hits --tenant T
    sessions end --staff --tenant T --yes
    templates check --tenant T
    templates list --tenant T
    templates preview sign-in-code.sms.en --tenant T
    webhooks add T https://bank.example/hooks
    webhooks list --tenant T
    """.split(separator: "\n")

  /// - Returns: the exit of a line, and what is told.
  private func run(_ line: String, in settings: Settings) async throws -> FailureReport? {
    let words = line.split(separator: " ").map(String.init) + ["--data", settings.dataFolder, "--log", "critical"]
    var command = try #require(try DocumentedCommandTests.parse(words) as? any AsyncParsableCommand, "\(line)")
    do { try await command.run() } catch { return FailureReport(error, of: type(of: command)) }
    return nil
  }

  @Test("of an institution that is not there the error tells those that are")
  func institution() async throws {
    let folder = try TestFolder()
    let settings = BackupTestApp.settings("data", in: folder)
    try await settings.putSchema()
    let report = try await run("staff list --tenant nord", in: settings)
    #expect(report?.exit == .notFound && report?.message == "There is no tenant nord; --tenant takes default.")
  }

  @Test("every command that takes a tenant of any system ends with 3 and names it; so do a row and a file")
  func unknown() async throws {
    let folder = try TestFolder()
    let settings = BackupTestApp.settings("data", in: folder)
    try await settings.putSchema()
    let app = try await App.open(settings, logger: settings.logger("tenants"))
    for line in Self.lines {
      let words = line.split(separator: " ").map { $0 == "T" ? "finaptic-9" : $0 }
      let report = try await run(words.joined(separator: " "), in: settings)
      #expect(report?.exit == .notFound && report?.message.contains("finaptic-9") == true, "\(line): \(report as Any)")
    }
    let known = try CommandReference.shared.get().all.filter { _, command in
      (command.arguments ?? []).contains { [TenantNumber.help.abstract, TenantID.help.abstract].contains($0.abstract) }
    }.map { $0.words.dropFirst().joined(separator: " ") }
    // A reply reads standard input first.
    let missed = known.filter { name in name != "chat reply" && !Self.lines.contains { $0.hasPrefix(name + " ") } }
    #expect(missed == [] && known.count > 60)

    try await app.finaptic.dependencies.tenants.add(9, name: "Bank", kind: .sandbox, by: "test")
    let file = try await run("payments reconcile finaptic-9 \(folder.file("none.xml"))", in: settings)
    #expect(file?.exit == .notFound && file?.message.contains("none.xml") == true)
    let misspelt = try await run("payments folder finaptic-9 \(folder.file("misspelt"))", in: settings)
    #expect(misspelt?.exit == .notFound && misspelt?.message.contains("misspelt") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("misspelt")))
    let bundles = try await run("finaptic bundle load finaptic-9 \(folder.file("none.json"))", in: settings)
    #expect(bundles?.exit == .notFound && bundles?.message.contains("none.json") == true)
    for line in [
      "ledger export finaptic-9 --from 2026-12-02 --to 2026-12-01", "ledger trial-balance finaptic-9 2026-02-30",
    ] {
      let days = try await run(line, in: settings)
      #expect(days?.exit == .usage, "\(line)")
    }
    let queue = try await run("case list --tenant nowhere", in: settings)
    #expect(queue?.exit == .notFound && queue?.message == "There is no tenant nowhere.")
    let command = try OutboxCommand.Release.parse(["nonsense", "--data", settings.dataFolder])
    let exit = await #expect(throws: ExitCode.self) { try await command.run() }
    #expect(exit == .notFound)
  }
}
