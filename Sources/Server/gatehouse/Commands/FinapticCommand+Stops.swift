// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit

extension FinapticCommand {
  /// Stops money: accounts, cards, authorized users. `finaptic user block` stops a person.
  struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "account", abstract: "Freeze and close accounts, and take authorized users off them.",
      subcommands: [
        StopCommand.Freeze.self, StopCommand.Unfreeze.self, StopCommand.Close.self, StopCommand.Remove.self,
      ])
  }

  struct CardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "card", abstract: "Block cards, name their issuer, and decide about what it tells.",
      subcommands: [StopCommand.Block.self, StopCommand.Unblock.self, FinapticCardStepUp.self]
        + FinapticIssuerCommands.all)
  }

  enum StopCommand {

    private static let reasons = StopReason.allCases.map(\.rawValue).joined(separator: ", ")

    struct AccountOptions: ParsableArguments {
      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int
      @Argument(help: "Id of the account.")
      var account: String
      @OptionGroup var acting: OperatorOptions
      @OptionGroup var second: SecondPersonOptions

      func setStatus(_ status: String, reason: String?, payout: String? = nil) async throws {
        let app = try await installation.app(of: tenant)
        try await app.finaptic.dependencies.bankStops.setStatus(
          status, of: account, tenant: tenant, reason: reason, payout: payout, approval: second.approval,
          by: acting.actor(in: app, may: .blockUsers)
        ).show(output, id: account)
      }
    }

    struct Freeze: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "freeze", abstract: "Let nothing leave an account but what was held before; money may come in.")
      @OptionGroup var options: AccountOptions
      @Option(help: "Why: \(StopCommand.reasons).")
      var reason: String

      func run() async throws { try await options.setStatus("ACCOUNT_STATUS_FROZEN", reason: reason) }
    }

    struct Unfreeze: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "unfreeze", abstract: "Let an account pay again.")
      @OptionGroup var options: AccountOptions

      func run() async throws { try await options.setStatus("ACCOUNT_STATUS_ACTIVE", reason: nil) }
    }

    struct Close: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close an account for good: interest is booked and the balance paid out in the same commit.")
      @OptionGroup var options: AccountOptions
      @Option(help: "Why: \(StopCommand.reasons).")
      var reason: String
      @Option(help: "Id of the tenant's account that gets the balance; an account with a balance needs one.")
      var payout: String?
      @OptionGroup var confirmation: ConfirmationOptions

      func run() async throws {
        try confirmation.confirm("The account \(options.account) will be closed for good.")
        try await options.setStatus("ACCOUNT_STATUS_CLOSED", reason: reason, payout: payout)
      }
    }

    struct CardOptions: ParsableArguments {
      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int
      @Argument(help: "Id of the card.")
      var card: String
      @OptionGroup var acting: OperatorOptions
      @OptionGroup var second: SecondPersonOptions

      func setBlocked(_ isBlocked: Bool, reason: String?) async throws {
        let app = try await installation.app(of: tenant)
        try await app.finaptic.dependencies.bankStops.setBlocked(
          isBlocked, card: card, tenant: tenant, reason: reason, approval: second.approval,
          by: acting.actor(in: app, may: .blockUsers)
        ).show(output, id: card)
      }
    }

    struct Block: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Let a card pay nothing and show no number, also when its holder unlocks it.")
      @OptionGroup var options: CardOptions
      @Option(help: "Why: \(StopCommand.reasons).")
      var reason: String

      func run() async throws { try await options.setBlocked(true, reason: reason) }
    }

    struct Unblock: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Let a card be used again; its own lock stays.")
      @OptionGroup var options: CardOptions
      @Option(help: "Which reason ended; a card that is blocked for several needs it.")
      var reason: String?

      func run() async throws { try await options.setBlocked(false, reason: reason) }
    }

    struct Remove: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "remove-user", abstract: "Take an authorized user off an account; their cards of it are locked.")
      @OptionGroup var options: AccountOptions
      @Argument(help: "Id of the customer.")
      var customer: String
      @Option(help: "Why: \(StopCommand.reasons).")
      var reason: String

      func run() async throws {
        let app = try await options.installation.app(of: options.tenant)
        try await app.finaptic.dependencies.bankStops.remove(
          customer, from: options.account, tenant: options.tenant, reason: reason,
          by: options.acting.actor(in: app, may: .blockUsers))
        try options.output.done("Removed.", id: customer)
      }
    }
  }
}
