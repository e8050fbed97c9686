// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import Ledger
import Storage

extension LedgerCommand {
  struct TrialBalance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trial-balance",
      abstract: "Print what every account of a tenant was at the end of a day, as CSV; 1 when it does not add up.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int
    @Argument(help: "The day, YYYY-MM-DD, of UTC.")
    var day: String

    func run() async throws {
      let ledger = try await installation.openBooks(of: tenant)
      let day = Ledger.day(of: try LedgerCommand.start(of: day))
      var sums: [String: Int128] = [:]
      print(CSVLine(["account", "product", "kind", "currency", "debit", "credit", "entries"]))
      try await ledger.trialBalance(
        on: day, tenant: BankAccount.ledgerTenant(tenant)
      ) { line in
        let currency = line.account.currency
        sums[currency, default: 0] += Int128(line.balance)
        // An account that customers' money lowers has a debit balance.
        let amount = Money.decimal(Int128(line.balance.magnitude), currency)
        print(
          CSVLine([
            line.account.id.rawValue, line.account.product, line.account.kind.rawValue, currency,
            line.balance < 0 ? amount : "", line.balance < 0 ? "" : amount, "\(line.sequence)",
          ]))
      }
      guard sums.values.allSatisfy({ $0 == 0 }) else { throw ExitCode.refused }
    }
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Print the general ledger of a tenant as CSV: every entry of some days, account by account.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int
    @Option(help: "First day, YYYY-MM-DD.")
    var from: String
    @Option(help: "Last day, YYYY-MM-DD (default: the first).")
    var to: String?

    func run() async throws {
      let ledger = try await installation.openBooks(of: tenant)
      let first = LedgerTime(try LedgerCommand.start(of: from))
      let end = LedgerTime(try LedgerCommand.start(of: to ?? from) + .days(1))
      guard first < end else { throw ValidationError("--from and --to are days such as 2026-11-22, in this order") }
      print(
        CSVLine([
          "account", "sequence", "booked_at", "value_date", "kind", "domain", "transfer", "counterparty", "currency",
          "debit",
          "credit",
          "balance",
        ]))
      try await ledger.generalLedger(tenant: BankAccount.ledgerTenant(tenant), from: first, to: end) { entry in
        let order = entry.transfer.order
        let amount = Money.decimal(Int128(entry.amount.magnitude), order.amount.currency)
        print(
          CSVLine([
            entry.account.rawValue, "\(entry.sequence)", entry.transfer.at.instant.rfc3339, entry.transfer.valueDate,
            order.kind, order.domain, entry.transfer.id.rawValue,
            (entry.amount < 0 ? order.credit : order.debit).rawValue,
            order.amount.currency, entry.amount < 0 ? amount : "", entry.amount < 0 ? "" : amount,
            Money(entry.balance, order.amount.currency).decimal,
          ]))
      }
    }
  }

  fileprivate static func start(of day: String) throws -> Instant {
    guard let start = Instant(rfc3339: "\(day)T00:00:00Z") else {
      throw ValidationError("a day is such as 2026-11-22")
    }
    return start
  }
}
