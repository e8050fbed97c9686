// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit
import Ledger
import Payments

extension PaymentsCommand {
  /// Requests of other banks to give payments back.
  struct Recalls: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recalls",
      abstract: "Show payments that other banks ask back; with --accept, --decline or --pending, answer one.",
      discussion: """
        An accepted one is booked and sent back. Each answer is written by `payments folder` (camt.029, pacs.004). \
        More than the tenant lets one person move waits for a second one.
        """)

    @OptionGroup var options: SettlementOptions
    @Option(help: "Id of the request that is answered.")
    var item: String?
    @Flag(name: .customLong("accept"), help: "Send the money back.")
    var isAccepted = false
    @Option(name: .customLong("decline"), help: "Why it does not go back: a code such as CUST.")
    var rejection: String?
    @Flag(name: .customLong("pending"), help: "Say that it is not decided yet.")
    var isPending = false
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      let decisions = [isAccepted, rejection != nil, isPending].count(where: { $0 })
      guard decisions == (item == nil ? 0 : 1) else {
        throw ValidationError("a request is answered by --accept, by --decline or by --pending")
      }
      guard rejection.map({ CancellationRejection(rawValue: $0) != nil }) ?? true else {
        let codes = CancellationRejection.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--decline is one of \(codes)")
      }
    }

    func run() async throws {
      let app = try await options.installation.app(of: options.tenant)
      let actor = try await options.acting.actor(in: app, may: .postMoney)
      let recalls = app.finaptic.dependencies.paymentRecalls
      if let item, let waiting = try await answer(.init(rawValue: item.lowercased()), recalls, by: actor) {
        try waiting.show(output)
      }
      let rows = try await recalls.open(of: options.tenant).map(Row.init)
      try output.list("items", rows) {
        """
        \($0.id)  \($0.receivedAt)  \($0.state)  \($0.amount) \($0.currency)  \($0.payment) \($0.paymentState)  \
        \($0.reason)
        """
      }
    }

    private func answer(
      _ item: PaymentRecall.ID, _ recalls: PaymentRecalls, by actor: String
    ) async throws -> RequestedApproval? {
      let tenant = options.tenant
      if let reason = rejection.flatMap(CancellationRejection.init(rawValue:)) {
        try await recalls.decline(item, because: reason, of: tenant, by: actor)
      } else if isPending {
        try await recalls.postpone(item, of: tenant, by: actor)
      } else {
        return try await recalls.accept(
          item, of: tenant, under: .command(approval: second.approval), by: actor)
      }
      return nil
    }

    private struct Row: Encodable {
      /// `payment` and `paymentState` are empty where the request names no payment, or several.
      let id, receivedAt, state, amount, currency, payment, paymentState, reason: String

      init(_ item: PaymentRecalls.Item) {
        let money = item.payment?.amount ?? item.recall.content?.money
        (id, receivedAt, state) = (
          item.recall.id.rawValue, item.recall.receivedAt.rfc3339, item.recall.state.rawValue
        )
        (amount, currency) = (money?.decimal ?? "", money?.currency ?? "")
        (payment, paymentState) = (item.payment?.id.rawValue ?? "", item.payment?.state.rawValue ?? "")
        reason = TerminalLine.of(item.recall.content?.reason ?? "")
      }
    }
  }
}
