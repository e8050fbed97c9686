// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit
import Ledger

extension FinapticCommand.BankCommand {
  struct TermsChanges: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "terms-changes",
      abstract: "List announced terms of a tenant, the newest first; take one back, or set the notice.",
      discussion: "`finaptic bank terms --from` announces them. What is taken back is told by mail too.")

    @OptionGroup var options: BankOptions
    @Option(help: "Id of the change that is taken back, before its day.")
    var withdraw: String?
    @Option(help: "Days between announcement and change at least (default: as it is, 62 at first).")
    var noticeDays: Int64?
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let app = try await options.app()
      let actor = try await acting.actor(in: app, may: .manageTenants)
      let changes = app.finaptic.dependencies.termsChanges
      if let noticeDays { try await changes.setNoticeDays(noticeDays, of: options.tenant, by: actor) }
      if let withdraw {
        try await changes.withdraw(.init(rawValue: withdraw.lowercased()), of: options.tenant, by: actor)
      }
      let rows = try await changes.counted(of: options.tenant).map {
        let change = $0.change
        return Row(
          id: change.id.rawValue, product: change.product, from: "\(change.from)", state: change.state.rawValue,
          yearlyInterestMillionths: change.yearlyInterest, monthlyFee: change.fee.decimal,
          currency: change.fee.currency, ownersWithoutUser: $0.owners, parkedAccounts: $0.deadLettered,
          waitingAccounts: $0.waiting)
      }
      try options.output.list("changes", rows) {
        """
        \($0.id)  \($0.product)  \($0.from)  \($0.state)  \($0.yearlyInterestMillionths) millionths a year  \
        \($0.monthlyFee) \($0.currency) a month  \($0.ownersWithoutUser.counted("owner", "owners")) without a user  \
        \($0.parkedAccounts.counted("account", "accounts")) dead-lettered  \
        \($0.waitingAccounts.counted("account", "accounts")) waiting
        """
      }
    }

    private struct Row: Encodable {
      let id, product, from, state: String
      let yearlyInterestMillionths: Int64
      let monthlyFee, currency: String
      /// Whom no mail reaches, and accounts that could not be told: `finaptic bank terms-untold` lists them.
      let ownersWithoutUser, parkedAccounts: Int
      /// For which the change has not begun, because their owners are not told yet.
      let waitingAccounts: Int
    }
  }
}
