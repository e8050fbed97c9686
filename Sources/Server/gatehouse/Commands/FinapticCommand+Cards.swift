// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import GatehouseWire
import Kit

/// `gatehouse finaptic card step-up`: whether customers sign in again before a card is shown.
struct FinapticCardStepUp: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "step-up",
    abstract: "Say whether customers sign in again, with the scope view:card_number, before a card is shown.")

  enum Choice: String, ExpressibleByArgument, CaseIterable { case on, off }

  @OptionGroup var options: BankOptions
  @Argument(help: "on or off.")
  var choice: Choice

  func run() async throws {
    let app = try await options.app()
    try await app.finaptic.dependencies.cardPolicy.setRequiresStepUp(
      choice == .on, of: options.tenant, by: OperatorOptions.machineUser)
    try options.output.done("Set.", id: TenantNumber.name(options.tenant))
  }
}

/// `gatehouse finaptic simulate card …`: what a card network does, for a sandbox tenant.
struct FinapticCardSimulation: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "card", abstract: "Pay by the card of a sandbox tenant's customer, and what may follow.",
    subcommands: [Purchase.self, Authorize.self, Confirm.self, Cancel.self, Refund.self, Chargeback.self])

  struct PaymentOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int
    @Argument(help: "The card's id.")
    var card: String
    @Argument(help: "How much, such as 12.30.")
    var amount: String
    @Option(help: "Name of the merchant.")
    var merchant = "TEST MERCHANT"
    @Option(help: "Four digits: what the merchant sells.")
    var category: String?

    func pay(isFinal: Bool) async throws {
      let app = try await installation.app(of: tenant)
      let outcome = try await app.finaptic.dependencies.cardNetwork(
        of: try await app.finaptic.dependencies.tenants.find(tenant)
      ).purchase(
        .init(
          payment: .init(
            cardId: card, amount: .init(amount: amount, currency: "CAD"), cardAcceptorName: merchant,
            merchantCategoryCode: category)), isFinal: isFinal, by: OperatorOptions.machineUser)
      try FinapticCardSimulation.show(outcome, output)
    }
  }

  struct StepOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int
    @Argument(help: "The payment, as its first step named it.")
    var payment: String
    @Option(help: "How much; all that is left without it.")
    var amount: String?

    func take(_ step: CardNetwork.Step) async throws {
      let app = try await installation.app(of: tenant)
      let outcome = try await app.finaptic.dependencies.cardNetwork(
        of: try await app.finaptic.dependencies.tenants.find(tenant)
      ).take(
        step, .init(id: payment, amount: amount.map { .init(amount: $0, currency: "CAD") }),
        by: OperatorOptions.machineUser)
      try FinapticCardSimulation.show(outcome, output)
    }
  }

  struct Purchase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "purchase", abstract: "Buy something, in one step.")
    @OptionGroup var options: PaymentOptions
    func run() async throws { try await options.pay(isFinal: true) }
  }

  struct Authorize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "authorize", abstract: "Hold money for a purchase.")
    @OptionGroup var options: PaymentOptions
    func run() async throws { try await options.pay(isFinal: false) }
  }

  struct Confirm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "confirm", abstract: "Take what was held, or less of it.")
    @OptionGroup var options: StepOptions
    func run() async throws { try await options.take(.confirm) }
  }

  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: "Give back what was held.")
    @OptionGroup var options: StepOptions
    func run() async throws { try await options.take(.cancel) }
  }

  struct Refund: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "refund", abstract: "Give money of a purchase back, as its merchant.")
    @OptionGroup var options: StepOptions
    func run() async throws { try await options.take(.refund) }
  }

  struct Chargeback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "chargeback", abstract: "Give money of a purchase back, as the network.")
    @OptionGroup var options: StepOptions
    func run() async throws { try await options.take(.chargeback) }
  }

  private static func show(_ outcome: CardPaymentBodies.Outcome, _ output: OutputOptions) throws {
    try output.show(
      [
        "response": "\(outcome.responseCode)", "payment": "\(outcome.id)", "transaction": "\(outcome.transactionId)",
        "lifecycle": "\(outcome.lifecycleTransactionId)",
      ],
      [
        "Response: \(outcome.responseCode)", "Payment: \(outcome.id)", "Transaction: \(outcome.transactionId)",
        "Lifecycle: \(outcome.lifecycleTransactionId)",
      ])
  }
}
