// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit
import Ledger
import Payments

extension PaymentsCommand {
  struct Suspense: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "suspense",
      abstract: "Show money of which the owner is not known, or one item; with a decision, book it away.",
      discussion: """
        With --item alone it prints what the message said of payer, payee and purpose, which the audit log keeps. \
        More than the tenant lets one person move waits for a second one.
        """)

    @OptionGroup var options: SettlementOptions
    @Option(help: "Id of the item that is looked at or decided.")
    var item: String?
    @Option(name: .customLong("assign"), help: "Id of the account whose the money is.")
    var account: String?
    @Flag(name: .customLong("return"), help: "Send it back; `payments folder` writes the pacs.004.")
    var isReturn = false
    @Flag(name: .customLong("dismiss"), help: "Take it off the books: the payment was told of twice and came once.")
    var isRepeat = false
    @Option(help: "Why it goes back: a code such as AC01.")
    var reason: String?
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var output: OutputOptions

    private var decisions: Int { [account != nil, isReturn, isRepeat].count(where: { $0 }) }

    func validate() throws {
      guard decisions <= (item == nil ? 0 : 1) else {
        throw ValidationError("an item is decided by --assign, by --return or by --dismiss")
      }
      guard reason.map({ ReturnReason(rawValue: $0) != nil }) ?? true else {
        let codes = ReturnReason.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--reason is one of \(codes)")
      }
    }

    func run() async throws {
      let app = try await options.installation.app(of: options.tenant)
      let actor = try await options.acting.actor(in: app, may: .postMoney)
      let settlement = app.finaptic.dependencies.settlement
      if let item {
        guard decisions > 0 else {
          let found = try await settlement.look(.init(rawValue: item.lowercased()), of: options.tenant, by: actor)
          return try output.list("items", [Row(found.payment, said: found)], line: \.lines)
        }
        if let waiting = try await decide(.init(rawValue: item.lowercased()), settlement, by: actor) {
          try waiting.show(output)
        }
      }
      let rows = try await settlement.suspended(of: options.tenant).map { Row($0, said: nil) }
      try output.list("items", rows, line: \.lines)
    }

    private func decide(
      _ item: BankPayment.ID, _ settlement: Settlement, by actor: String
    ) async throws -> RequestedApproval? {
      let (tenant, key) = (options.tenant, ActKey.command(approval: second.approval))
      if let account {
        return try await settlement.assign(
          item, to: .init(rawValue: account.lowercased()), of: tenant, under: key, by: actor)
      }
      guard isReturn else { return try await settlement.dismiss(item, of: tenant, under: key, by: actor) }
      return try await settlement.sendBack(
        item, reason: reason.flatMap(ReturnReason.init(rawValue:)), of: tenant, under: key, by: actor)
    }

    private struct Row: Encodable {
      let id, receivedAt, amount, currency, reason: String
      /// What the message said, of one item that is looked at.
      var payer, payerAccount, payerBank, payee, payeeAccount, remittance, reference, transactionId, source: String?

      init(_ payment: BankPayment, said found: Settlement.Found?) {
        (id, receivedAt, amount) = (payment.id.rawValue, payment.receivedAt.rfc3339, payment.amount.decimal)
        (currency, reason) = (payment.amount.currency, payment.suspense?.rawValue ?? "")
        guard let found, let said = payment.content else { return }
        func shown(_ text: String?) -> String? { text.map { TerminalLine.of($0) } }
        (payer, payerAccount) = (shown(said.debtor), shown(said.debtorAccount))
        (payerBank, payee) = (shown(said.debtorBIC ?? said.debtorMember), shown(said.creditor))
        payeeAccount = shown(said.creditorAccount)
        remittance = said.remittance.isEmpty ? nil : shown(said.remittance.joined(separator: " "))
        (reference, transactionId) = (shown(said.endToEndID), shown(said.transactionID))
        source = found.source?.rawValue
      }

      /// One line, and one more for each thing that the message said.
      var lines: String {
        let said: [(String, String?)] = [
          ("payer", payer), ("account of the payer", payerAccount), ("bank of the payer", payerBank),
          ("payee", payee), ("account of the payee", payeeAccount), ("purpose", remittance),
          ("reference", reference), ("transaction", transactionId), ("came back to", source),
        ]
        let first = "\(id)  \(receivedAt)  \(amount) \(currency)  \(reason)"
        return ([first] + said.compactMap { name, text in text.map { "  \(name): \($0)" } }).joined(separator: "\n")
      }
    }
  }
}
