// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Identity
import Kit
import Ledger
import Payments

/// Commands that book what messages bring. Tenants are Finaptic's.
extension PaymentsCommand {
  struct SettlementOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @Argument(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int
    @OptionGroup var acting: OperatorOptions
  }

  struct Settle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "settle",
      abstract: "Name the account at another bank over which a tenant settles; without --account, list them.")

    @OptionGroup var options: SettlementOptions
    @Option(help: "The account's number, as the other bank's statements write it.")
    var account: String?
    @Option(help: "ISO 4217 code.")
    var currency = InternalAccounts.currency
    @Option(help: "The tenant's own BIC.")
    var bic: String?
    @Option(
      help: """
        Which messages book what came in: transfers (pacs.008), notifications (camt.054) or both; one of them where \
        the other bank tells of the same payments by both. Left out it stays, both at first.
        """)
    var books: String?
    @Option(
      help: """
        BIC of the bank that keeps the account, where it takes payments as orders (pain.001) and not as pacs.008; \
        empty to end that, and left out it stays.
        """)
    var ordersTo: String?
    @Option(
      help: """
        What payments to other banks may have in them: basic-latin, which every bank takes, or any; left out it \
        stays, basic-latin at first.
        """)
    var characters: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard (account == nil) == (bic == nil) else { throw ValidationError("--account and --bic go together") }
      guard books.map({ BookingMessages(rawValue: $0) != nil }) ?? true else {
        let words = BookingMessages.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--books is one of \(words)")
      }
      guard characters.map({ MessageCharacters(rawValue: $0) != nil }) ?? true else {
        throw ValidationError("--characters is basic-latin or any")
      }
    }

    func run() async throws {
      let app = try await options.installation.app(of: options.tenant)
      let actor = try await options.acting.actor(in: app, may: .manageTenants)
      let settlement = app.finaptic.dependencies.settlement
      if let account, let bic {
        try await settlement.set(
          account, currency: currency, bic: bic, books: books.flatMap(BookingMessages.init(rawValue:)),
          ordersTo: ordersTo, characters: characters.flatMap(MessageCharacters.init(rawValue:)), of: options.tenant,
          by: actor)
      }
      let rows = try await settlement.accounts(of: options.tenant).map {
        Row(
          currency: $0.currency, number: $0.number, bic: $0.bic, books: $0.books.rawValue,
          characters: $0.characters.rawValue, ordersTo: $0.ordersTo)
      }
      try output.list("accounts", rows) { row in
        let orders = row.ordersTo.map { "  orders to \($0)" } ?? ""
        return "\(row.currency)  \(TerminalLine.of(row.number))  \(row.bic)  \(row.books)  \(row.characters)\(orders)"
      }
    }

    private struct Row: Encodable {
      let currency, number, bic, books, characters: String
      let ordersTo: String?
    }
  }

  struct Folder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "folder",
      abstract: """
        Book the messages of a folder, and write those that other banks are to get; 1 when a file has faults or a \
        message cannot be written.
        """,
      discussion: """
        Takes the files of FOLDER/inbox by way of FOLDER/processing to FOLDER/done or FOLDER/failed, and writes to \
        FOLDER/outbox. Put a file into inbox by renaming it. It may be run at any time and end at any instant: nothing \
        is lost, and nothing is booked twice.
        """)

    @OptionGroup var options: SettlementOptions
    @Argument(help: "The folder, which is there; what is missing in it is made.", completion: .directory)
    var folder: String
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let app = try await options.installation.app(of: options.tenant)
      // One that is misspelt would be made, and what other banks sent would wait in the right one.
      try CommandFailure.require(folder)
      let dependencies = app.finaptic.dependencies
      let port = PaymentFolder(folder, messages: dependencies.incomingMessages, outgoing: dependencies.outgoingPayments)
      let actor = try await options.acting.actor(in: app, may: .postMoney)
      let run = try await port.run(of: options.tenant, by: actor) { [output] report in
        if !output.json { print("\(TerminalLine.of(report.name)): \(PaymentsCommand.text(report))") }
      }
      let parked = try await dependencies.outgoingPayments.deadLettered(of: options.tenant)
      try output.show(
        Document(
          files: run.files.map(Document.File.init), written: run.written,
          parked: parked.map { .init(id: "\($0.id)", fault: $0.fault ?? "") }),
        ["\(run.written.counted("file", "files")) written."]
          + parked.map { "✗ \($0.id): not written, \($0.fault ?? "")" })
      guard run.failed == 0, run.deadLettered == 0 else { throw ExitCode.refused }
    }

    private struct Document: Encodable {
      struct File: Encodable {
        let name: String
        /// Why it is in `failed`.
        let fault: String?
        let credited, suspended, reversed, repeated, unknown, told, asked: Int

        init(_ report: PaymentFolder.Report) {
          let outcome = report.outcome ?? .init()
          (name, fault) = (TerminalLine.of(report.name), report.fault.map { TerminalLine.of($0) })
          (credited, suspended, reversed) = (outcome.credited, outcome.suspended, outcome.reversed)
          (repeated, unknown, told, asked) = (outcome.repeated, outcome.unknown, outcome.told, outcome.asked)
        }
      }

      struct Parked: Encodable { let id, fault: String }

      let files: [File]
      let written: Int
      let parked: [Parked]
    }
  }

  static func text(_ report: PaymentFolder.Report) -> String {
    guard let outcome = report.outcome else { return TerminalLine.of(report.fault ?? "failed") }
    return """
      \(outcome.credited) credited, \(outcome.suspended) on the suspense account, \(outcome.reversed) came back, \
      \(outcome.repeated) came before, \(outcome.unknown) unknown, \
      \(outcome.told) not for booking, \(outcome.asked) asked back
      """
  }

  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "send", abstract: "Pay from an account to another bank; `payments folder` writes the pacs.008.",
      discussion: "More than the tenant lets one person move waits for a second one.")

    @OptionGroup var options: SettlementOptions
    @Argument(help: "Id of the account that pays.")
    var account: String
    @Argument(help: "The amount, such as 12.30.")
    var amount: String
    @Option(help: "ISO 4217 code.")
    var currency = InternalAccounts.currency
    @Option(help: "Who gets it.")
    var creditor: String
    @Option(help: "Their account: an IBAN, or their bank's own form.")
    var creditorAccount: String
    @Option(help: "Their bank's BIC.")
    var creditorBic: String
    @Option(help: "The same key is the same payment, for ever.")
    var key: String
    @Option(help: "The payer's reference.")
    var reference: String?
    @Option(help: "What it is for.")
    var remittance: String?
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      guard let money = Money(decimal: amount, currency: currency) else {
        throw ValidationError("an amount is such as 12.30")
      }
      let app = try await options.installation.app(of: options.tenant)
      let order = OutgoingPayments.Order(
        account: .init(rawValue: account.lowercased()), amount: money, creditor: creditor,
        creditorAccount: creditorAccount, creditorBIC: creditorBic, endToEndID: reference, remittance: remittance)
      let outcome = try await app.finaptic.dependencies.outgoingPayments.order(
        order, key: key, of: options.tenant, approval: second.approval,
        by: options.acting.actor(in: app, may: .postMoney))
      switch outcome {
      case .ordered(let payment):
        try output.show(
          ["payment": payment.id.rawValue, "state": payment.state.rawValue],
          ["\(payment.id)  \(payment.state.rawValue)"])
      case .waiting(let approval): try approval.show(output)
      }
    }
  }

  struct Reconcile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reconcile",
      abstract: "Compare the books of a settlement account with a statement (camt.053); 1 when they differ.",
      discussion: """
        Nothing is booked. The id of the statement's message is kept: another one under the same id is refused. It may \
        end at any instant and be run again.
        """)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int
    @Argument(help: "The statement.", completion: .file())
    var file: String
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let app = try await installation.app(of: tenant)
      guard let handle = FileHandle(forReadingAtPath: file) else {
        throw CommandFailure.notFound("There is no file \(TerminalLine.of(file)), or it cannot be read.")
      }
      defer { try? handle.close() }
      let outcome = try await app.finaptic.dependencies.settlementReconciliation.run(
        MessageFile(handle), of: tenant, by: OperatorOptions.machineUser)
      let repeated = outcome.isRepeated ? ["the message came before"] : []
      try output.show(Shown(outcome), repeated + outcome.reports.flatMap(PaymentsCommand.lines))
      guard !outcome.differs else { throw ExitCode.refused }
    }

    private struct Shown: Encodable {
      /// Whether the same message was compared before.
      let repeated: Bool
      let statements: [Row]

      init(_ outcome: SettlementReconciliation.Outcome) {
        (repeated, statements) = (outcome.isRepeated, outcome.reports.map(Row.init))
      }
    }

    private struct Row: Encodable {
      struct Entry: Encodable {
        let name, amount, currency: String

        init(_ line: Reconciliation.Line) {
          (name, amount, currency) = (TerminalLine.of(line.name), line.amount.decimal, line.amount.currency)
        }
      }

      struct Pair: Encodable { let books, statement: Entry }

      let statement: String
      let matched: Int
      /// What the entries of the statement miss between its balances; absent where it cannot be told.
      let difference: String?
      let differing: [Pair]
      let onlyInBooks, onlyInStatement: [Entry]

      init(_ report: SettlementReconciliation.Report) {
        let found = report.found
        (statement, matched) = (TerminalLine.of(report.statement), found.matched)
        difference = report.difference?.decimal
        differing = found.differing.map { Pair(books: Entry($0.book), statement: Entry($0.statement)) }
        (onlyInBooks, onlyInStatement) = (found.onlyInBooks.map(Entry.init), found.onlyInStatement.map(Entry.init))
      }
    }
  }

  /// The work that a reconciliation leaves, a line each.
  static func lines(_ report: SettlementReconciliation.Report) -> [String] {
    func amount(_ money: Money) -> String { "\(money.decimal) \(money.currency)" }
    let found = report.found
    var lines = [
      """
      \(TerminalLine.of(report.statement)): \(found.matched) matched, \(found.differing.count) differ, \
      \(found.onlyInBooks.count) only in the books, \(found.onlyInStatement.count) only in the statement
      """
    ]
    if let difference = report.difference, difference.minorUnits != 0 {
      lines.append("✗ the statement does not add up: \(amount(difference))")
    }
    lines += found.differing.map { pair in
      let (book, statement) = (amount(pair.book.amount), amount(pair.statement.amount))
      return "✗ \(pair.book.name): \(book) in the books, \(statement) in \(pair.statement.name)"
    }
    lines += found.onlyInBooks.map { "✗ \($0.name): \(amount($0.amount)) only in the books" }
    lines += found.onlyInStatement.map { "✗ \($0.name): \(amount($0.amount)) only in the statement" }
    return lines
  }
}
