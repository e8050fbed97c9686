import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Ledger
import Storage

/// Looks at the books; changes nothing.
struct LedgerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger", abstract: "Check the books and look at accounts.",
    subcommands: [Verify.self, Balance.self, Statement.self])

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check that the books balance, that balances follow from entries and that none is missing; 1 when not.")

    @OptionGroup var installation: InstallationOptions
    @Flag(help: "Print the report as JSON.")
    var json = false

    func run() async throws {
      // Whole books are read, however large: that takes longer than any customer may wait.
      let found = try await installation.openStore(statementTimeout: .zero).read { try LedgerStore($0).verify() }
      if json {
        print(try LedgerCommand.document(found))
      } else {
        for fault in found.faults { print("✗ \(fault)") }
        let verdict = found.faults.isEmpty ? "the books are right" : "\(found.faults.count) faults"
        print(
          "\(found.accounts) accounts, \(found.transfers) transfers, \(found.declined) declined, \(found.entries) entries, "
            + "\(found.openHolds) open holds: \(verdict).")
      }
      guard found.faults.isEmpty else { throw ExitCode(1) }
    }
  }

  struct Balance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show what is on an account and what of it is available.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Id of the account.")
    var account: String
    @Option(help: "Tenant (default: default).")
    var tenant = "default"
    @Flag(help: "Print the balance as JSON.")
    var json = false

    func run() async throws {
      let ledger = Ledger(database: try await installation.openStore(), world: .live)
      guard let account = try await ledger.account(.init(rawValue: account), tenant: tenant) else {
        throw ValidationError("there is no such account")
      }
      let report = BalanceReport(account)
      print(json ? try LedgerCommand.document(report) : report.text)
    }
  }

  struct Statement: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what was booked on an account on a day, or on several.",
      discussion: "Days are of UTC. A statement is final five minutes after its end, and the same from then on.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Id of the account.")
    var account: String
    @Option(help: "First day, YYYY-MM-DD.")
    var from: String
    @Option(help: "Last day, YYYY-MM-DD (default: the first).")
    var to: String?
    @Option(help: "Tenant (default: default).")
    var tenant = "default"
    @Flag(help: "Print the statement as JSON.")
    var json = false

    func run() async throws {
      guard let first = Instant(rfc3339: "\(from)T00:00:00Z"), let last = Instant(rfc3339: "\(to ?? from)T00:00:00Z"),
        first <= last
      else { throw ValidationError("--from and --to are days such as 2026-11-22, in this order") }
      let ledger = Ledger(database: try await installation.openStore(), world: .live)
      guard
        let statement = try await ledger.statement(
          of: .init(rawValue: account), tenant: tenant, from: LedgerTime(first), to: LedgerTime(last + .days(1)))
      else { throw ValidationError("there is no such account") }
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
      print(json ? try LedgerCommand.document(report) : report.text)
    }
  }

  fileprivate static func document(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
