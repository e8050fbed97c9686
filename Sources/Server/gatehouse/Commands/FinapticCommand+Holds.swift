// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FinapticFlow
import GatehouseApp
import Identity
import Kit

extension BankPostings.Outcome {
  /// - Parameter done: what was done, in a word.
  func show(_ done: String, _ output: OutputOptions) throws {
    switch self {
    case .booked(let id): try output.done("\(done): \(id)", id: id)
    case .declined(let word): throw CommandFailure.refused("declined: \(word)")
    case .waiting(let approval): try approval.show(output)
    case .scheduled(let posting): try output.done("\(posting.status): \(posting.text)", id: posting.id)
    }
  }
}

extension FinapticCommand.BankCommand {
  /// What every command takes that books for a bank.
  struct BookingOptions: ParsableArguments {
    @Option(help: "Why: \(PostingReason.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reason: String
    @Option(help: "A UUID under which the same is done once for ever.")
    var key: String?
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var acting: OperatorOptions
  }

  struct Reverse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reverse",
      abstract: "Book the opposite of a posting or of a transfer between accounts, once for ever.",
      discussion: """
        Payments by card, Interac and between banks go back on their own ways. More than the tenant lets one person \
        move waits for a second one.
        """)

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the transaction that is reversed.")
    var transaction: String
    @OptionGroup var booking: BookingOptions

    func run() async throws {
      let app = try await options.app()
      try await app.finaptic.dependencies.bankPostings.reverse(
        transaction, reason: booking.reason, tenant: options.tenant, key: booking.key,
        approval: booking.second.approval,
        by: booking.acting.actor(in: app, may: .postMoney)
      ).show("Reversed", options.output)
    }
  }

  struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hold", abstract: "Hold money on a customer's account, until it is released or a time is over.",
      discussion: "More than the tenant lets one person move waits for a second one.")

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the account.")
    var account: String
    @Argument(help: "An amount, as in 100.00.")
    var amount: String
    @Option(help: "When it ends by itself, as in 2027-01-31T12:00:00Z; without it it stays.")
    var until: String?
    @OptionGroup var booking: BookingOptions

    func run() async throws {
      let app = try await options.app()
      try await app.finaptic.dependencies.bankPostings.hold(
        amount, on: account, reason: booking.reason, until: until, tenant: options.tenant, key: booking.key,
        approval: booking.second.approval, by: booking.acting.actor(in: app, may: .postMoney)
      ).show("Held", options.output)
    }
  }

  struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "release",
      abstract: "Give back money that the bank held; what a card's payment holds is the network's.",
      discussion: "More than the tenant lets one person move waits for a second one.")

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the hold.")
    var hold: String
    @OptionGroup var booking: BookingOptions

    func run() async throws {
      let app = try await options.app()
      try await app.finaptic.dependencies.bankPostings.release(
        hold, reason: booking.reason, tenant: options.tenant, key: booking.key, approval: booking.second.approval,
        by: booking.acting.actor(in: app, may: .postMoney)
      ).show("Released", options.output)
    }
  }
}
