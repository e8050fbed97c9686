// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit

extension FinapticCommand.UserCommand {
  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase",
      abstract: "Erase a customer who has money, and end the money in the same commit; a second person has to agree.",
      discussion: """
        `gatehouse customer erase` is for those without money. The first run asks the second person, the next one acts.
        """)

    @OptionGroup var options: BankOptions
    @Argument(help: "E-mail address, username or id, of the user or the customer.")
    var user: String
    @Option(help: "payout: to the bank's cash, to be handed out; write-off: against the bank's fees.")
    var money: String
    @Option(help: "A code for the audit log, as in art-17-request. It names no person.")
    var reason: String
    @Flag(help: "Also a customer, whose file the law may ask to keep.")
    var despiteDutyToKeep = false
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var acting: OperatorOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
      guard let way = ErasureMoney(rawValue: money) else { throw ValidationError("--money is payout or write-off") }
      guard let reason = ErasureReason(rawValue: reason) else {
        throw ValidationError("--reason is a code of lower-case letters, digits and hyphens, without long numbers")
      }
      try confirmation.confirm("The customer will be erased for good and the money ended, once a second person agreed.")
      let app = try await options.app()
      let actor = try await acting.actor(in: app, may: .eraseCustomers)
      let settled = try await TerminalProgress.show("Erasing", options.output) {
        try await app.finaptic.dependencies.erasure.erase(
          user, tenant: options.tenant, settling: way, approval: second.approval, reason: reason, by: actor,
          despiteDuty: despiteDutyToKeep)
      }
      switch settled {
      case .waiting(let approval): try approval.show(options.output)
      case .erased(let outcome):
        let kept = try await TerminalProgress.show("Forgetting older pages", options.output) {
          try await app.forgetOlderPages()
        }
        try options.output.done(Self.words(outcome, kept: kept))
      }
    }

    /// What is told of an erasure.
    /// - Parameter kept: what stays for now, in words; nil when nothing does.
    static func words(_ outcome: FinapticErasure.Outcome, kept: String?) -> String {
      [outcome.words, kept].compactMap(\.self).joined(separator: " ")
    }
  }
}
