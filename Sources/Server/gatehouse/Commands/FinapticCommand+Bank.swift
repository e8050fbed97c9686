// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import Ledger

extension FinapticCommand {
  struct BankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bank", abstract: "Say what accounts cost and bring, end days by hand, let a bank's systems in.",
      subcommands: [
        Terms.self, TermsChanges.self, TermsUntold.self, Day.self, Parked.self, Numbers.self, ClientCommand.self,
      ] + FourEyesCommands.all)

    struct Terms: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "terms", abstract: "Set interest and fee of a kind of account; without an option, list them.",
        discussion: "With --from they are announced: holders are told by mail, and they count from that day on.")

      @OptionGroup var options: BankOptions
      @Argument(help: "Code of the product, such as current_account.v39.")
      var product: String?
      @Option(help: "Interest of a year in millionths of the balance: 25000 is 2.5 %.")
      var yearlyInterest: Int64?
      @Option(help: "What a month costs, as in 4.95.")
      var monthlyFee: String?
      @Option(help: "The first day on which they count, YYYY-MM-DD (default: today, without a notice).")
      var from: String?
      @OptionGroup var acting: OperatorOptions
      @OptionGroup var second: SecondPersonOptions

      func run() async throws {
        let fee = try monthlyFee.map { text in
          guard let money = Money(decimal: text, currency: InternalAccounts.currency), money.minorUnits >= 0 else {
            throw ValidationError("--monthly-fee is an amount such as 4.95")
          }
          return money.minorUnits
        }
        let day = try from.map { text in
          guard let day = WireDate(text) else { throw ValidationError("--from is a day such as 2027-03-01") }
          return day
        }
        let app = try await options.app()
        let actor = try await acting.actor(in: app, may: .manageTenants)
        let terms = app.finaptic.dependencies.accountTerms
        if let product, yearlyInterest != nil || fee != nil {
          let waiting = try await terms.set(
            product, of: options.tenant, yearlyInterest: yearlyInterest, monthlyFee: fee, from: day,
            approval: second.approval, by: actor)
          if let waiting { try waiting.show(options.output) }
        }
        let all = try await terms.list(of: options.tenant)
        let rows = all.map {
          Row(
            product: "\($0.code)", yearlyInterestMillionths: Int64($0.yearlyInterestMillionths),
            monthlyFee: Money($0.monthlyFee, $0.currency).decimal, currency: $0.currency)
        }
        try options.output.list("terms", rows) {
          "\($0.product)  \($0.yearlyInterestMillionths) millionths a year  \($0.monthlyFee) \($0.currency) a month"
        }
      }

      private struct Row: Encodable {
        let product: String
        let yearlyInterestMillionths: Int64
        let monthlyFee, currency: String
      }
    }

    struct Day: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "day", abstract: "End a day: interest grows; at the end of a month it and the fees are booked.",
        discussion: "The worker does so by itself. A day counts once, however often it is ended. Days are of UTC.")

      @OptionGroup var options: BankOptions
      @Argument(help: "The day, YYYY-MM-DD.")
      var day: String

      func run() async throws {
        guard let date = WireDate(day) else { throw ValidationError("a day is such as 2026-11-22") }
        let app = try await options.app()
        _ = try await app.finaptic.dependencies.tenants.find(options.tenant)
        var done = DayEnd.Done()
        try await app.finaptic.dependencies.dayEnd.end(Int64(date.daysSince1970), of: options.tenant, into: &done)
        try options.output.show(
          Report(
            grown: Int(done.grown), paid: Int(done.paid), charged: Int(done.charged),
            parked: done.deadLettered.map(\.line)),
          ["\(done.grown.counted("account", "accounts")) grew, \(done.paid) got interest, \(done.charged) paid a fee."]
            + done.deadLettered.map { "✗ \($0.line)" })
        guard done.deadLettered.isEmpty else { throw ExitCode.refused }
      }
    }

    /// What the end of a day did, in numbers of accounts.
    private struct Report: Encodable {
      let grown, paid, charged: Int
      let parked: [String]
    }

    private struct ParkedReport: Encodable {
      let done: Int?
      let parked, unreadable: [String]
    }

    struct Parked: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "parked",
        abstract: "Show what the end of a day could not do with single accounts; 1 when there is something.",
        discussion: "The worker tries it again every hour.")

      @OptionGroup var options: BankOptions
      @Flag(help: "Try it now.")
      var retry = false

      func run() async throws {
        let app = try await options.app()
        _ = try await app.finaptic.dependencies.tenants.find(options.tenant)
        let dayEnd = app.finaptic.dependencies.dayEnd
        let done: Int? = retry ? Int(try await dayEnd.retryDeadLettered(of: options.tenant)) : nil
        let parked = try await dayEnd.deadLettered(of: options.tenant)
        let unreadable = try await dayEnd.unreadable(of: options.tenant).map {
          "\($0.account)  \($0.task)  \($0.period)  its row cannot be read"
        }
        let lines = parked.map(\.line) + unreadable
        try options.output.show(
          ParkedReport(done: done, parked: parked.map(\.line), unreadable: unreadable),
          (done.map { ["\($0) done."] } ?? []) + (lines.isEmpty ? ["Nothing is dead-lettered."] : lines))
        guard lines.isEmpty else { throw ExitCode.refused }
      }
    }
  }
}

extension DeadLetteredDayEndTask {
  /// As `bank parked` prints it.
  fileprivate var line: String {
    let period =
      if case .accrual(let day) = task { WireDate(daysSince1970: Int(day)).description } else { "month \(task.period)" }
    return "\(account)  \(product)  \(task.name.rawValue)  \(period)  \(reason)  since \(deadLetteredAt.rfc3339)"
  }
}
