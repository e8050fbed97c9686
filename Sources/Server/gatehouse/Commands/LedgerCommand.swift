// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import Ledger
import Storage
import Synchronization

/// Looks at the books, and seals what is older than their seals.
struct LedgerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger", abstract: "Check the books and look at accounts.",
    subcommands: [
      Verify.self, Seal.self, Balance.self, Statement.self, TrialBalance.self, Export.self,
    ])

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Check that the books balance, that each entry is sealed and none is missing; 1 when not.",
      discussion: """
        Compares accounts, entries, transfers, holds, interest and what customers see, checks every seal with the key \
        ring, and looks for the entries that the signed checkpoints name. What was booked after the last checkpoint and \
        removed together with its account's balance is what no checkpoint knows yet. Run `gatehouse audit verify` too: it \
        proves the lines of the audit log that name the checkpoints.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      // Whole books are read, however large: that takes longer than any customer may wait.
      let database = try await installation.openStore(statementTimeout: .zero)
      try await Schema.requireCurrent(database)
      let settings = try await installation.settings()
      let vault = try await Vault.open(
        database, keyring: Keyring(at: settings.keyringPath, kms: settings.keyManagement()), world: .live)
      let found = try await TerminalProgress.show("Checking the books", output) { progress in
        try await database.read { tx in
          var found = try LedgerStore(tx).verify(under: LedgerSeal(vault), progress: progress)
          try BankTransactionStore.verify(in: tx, into: &found, progress: progress)
          return found
        }
      }
      if output.json {
        try output.show(found, [])
      } else {
        for fault in found.faults { print("✗ \(TerminalLine.of("\(fault)"))") }
        print(found.summary)
        if found.faults.contains(where: { $0.rule == .unsealed }) {
          print(
            try await database.read(FinapticDependencies.booksAreSealed)
              ? "Entries have no seal, and those from before the upgrade are bound: find out who wrote them."
              : "Entries have no seal. Right after the upgrade that brings seals, and only then, run `gatehouse ledger "
                + "seal`.")
          print("`gatehouse ledger seal --dry-run` names them.")
        }
      }
      guard found.faults.isEmpty else { throw ExitCode.refused }
    }
  }

  struct Seal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "seal",
      abstract: "Bind the entries from before the books were sealed: once after the upgrade, when every node runs it.",
      discussion: """
        Verify the books first: what is wrong in them is bound as it is. What is behind an entry that a checkpoint names \
        as sealed stays a fault. The audit log names who did it. It is refused a second time: an entry without a seal is \
        then none from before the upgrade.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Name the entries that would be bound, and bind none.")
    var dryRun = false
    @Flag(help: "Bind entries although it was done before; each is named.")
    var again = false

    func run() async throws {
      let app = try await installation.app()
      let (isNamed, isText) = (dryRun || again, !output.json)
      let named = Mutex<[UnsealedEntry]>([])
      let sealing = try await app.finaptic.dependencies.sealOldEntries(
        by: OperatorOptions.machineUser, isAgain: again, isDry: dryRun
      ) { entry in
        guard isNamed else { return }
        if isText { print(TerminalLine.of(entry.line)) } else { named.withLock { $0.append(entry) } }
      }
      let what = dryRun ? "would be bound" : "are bound now"
      try output.show(
        Sealed(
          dryRun: dryRun, accounts: sealing.accounts, entries: named.withLock { $0 }.map(SealRow.init),
          refused: sealing.refused.map(SealRow.init)),
        [
          "\(sealing.accounts.counted("account", "accounts")) had entries without a seal, which \(what)."
        ]
          + sealing.refused.map { "✗ \($0.line)  stays: it is behind a sealed entry of a checkpoint" })
      guard sealing.refused.isEmpty else { throw ExitCode.refused }
    }

    private struct Sealed: Encodable {
      let dryRun: Bool
      let accounts: Int
      /// Entries that are named: with `--dry-run` and `--again`.
      let entries: [SealRow]
      /// Entries that stay without a seal.
      let refused: [SealRow]
    }

    private struct SealRow: Encodable {
      let tenant, account, at: String
      let sequence: Int

      init(_ entry: UnsealedEntry) {
        (tenant, account, at) = (entry.tenant, entry.account.rawValue, entry.at.instant.rfc3339)
        sequence = Int(entry.sequence)
      }
    }
  }

  struct Balance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "balance", abstract: "Show what is on an account and what of it is available.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Id of the account.")
    var account: String
    @OptionGroup var tenant: TenantOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let ledger = try await installation.openBooks()
      guard let account = try await ledger.account(.init(rawValue: account), tenant: tenant.name) else {
        throw CommandFailure.notFound("there is no such account")
      }
      let report = BalanceReport(account)
      try output.show(report, [report.text])
    }
  }

  struct Statement: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "statement", abstract: "Show what was booked on an account on a day, or on several.",
      discussion: "Days are of UTC. A statement is final five minutes after its end, and the same from then on.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Id of the account.")
    var account: String
    @Option(help: "First day, YYYY-MM-DD.")
    var from: String
    @Option(help: "Last day, YYYY-MM-DD (default: the first).")
    var to: String?
    @OptionGroup var tenant: TenantOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      guard let first = Instant(rfc3339: "\(from)T00:00:00Z"), let last = Instant(rfc3339: "\(to ?? from)T00:00:00Z"),
        first <= last
      else { throw ValidationError("--from and --to are days such as 2026-11-22, in this order") }
      let ledger = try await installation.openBooks()
      guard
        let statement = try await ledger.statement(
          of: .init(rawValue: account), tenant: tenant.name, from: LedgerTime(first),
          to: LedgerTime(last + .days(1)))
      else { throw CommandFailure.notFound("there is no such account") }
      var entries: [LedgerEntry] = []
      var page = Ledger.EntryPage()
      (page.newestFirst, page.after) = (false, statement.numbers.lowerBound - 1)
      while let last = entries.last?.sequence ?? page.after, last + 1 < statement.numbers.upperBound {
        page.after = last
        // What the statement counted, whatever was booked since.
        let more = try await ledger.entries(of: statement.account.id, page).filter {
          statement.numbers.contains($0.sequence)
        }
        guard !more.isEmpty else { break }
        entries += more
      }
      let report = StatementReport(statement, entries)
      try output.show(report, [report.text])
    }
  }

}

extension InstallationOptions {
  /// The books of an existing database, by the time that its rows go by: in a sandbox it may be ahead.
  func openBooks(statementTimeout: Duration? = nil) async throws -> Ledger {
    let database = try await openStore(statementTimeout: statementTimeout)
    return Ledger(database: database, world: try await settings().world(of: database))
  }
}

extension UnsealedEntry {
  /// As `ledger seal` prints it.
  fileprivate var line: String { "\(tenant)  \(account)  entry \(sequence)  \(at.instant.rfc3339)" }
}
