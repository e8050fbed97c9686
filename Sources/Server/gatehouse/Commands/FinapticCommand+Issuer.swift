// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import GatehouseApp
import Identity
import Kit
import Ledger

/// `gatehouse finaptic card …`: the issuer of a tenant's cards, and what persons decide about what it tells.
enum FinapticIssuerCommands {
  static let all: [any ParsableCommand.Type] = [
    Issuer.self, Limits.self, Disputes.self, Credit.self, Suspense.self, Resolve.self,
    WriteOff.self,
  ]

  struct Issuer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "issuer", abstract: "Name the issuer that makes the cards of a tenant with real customers.",
      discussion: "Its token is read from standard input.")

    @OptionGroup var options: BankOptions
    @Option(help: "Its address, with https and without a slash at its end.")
    var url: String?
    @Flag(help: "Forget it: no card is made, and no security code told.")
    var off = false

    func validate() throws {
      guard (url != nil) != off else { throw ValidationError("--url or --off") }
    }

    func run() async throws {
      let app = try await options.app()
      let token = off ? "" : SecretInput.read("Token of the issuer") ?? ""
      try await app.finaptic.dependencies.cardPolicy.setIssuer(
        url, token: token, of: options.tenant, by: OperatorOptions.machineUser)
      try options.output.done(off ? "Forgotten." : "Set.", id: TenantNumber.name(options.tenant))
    }
  }

  struct Limits: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "limits",
      abstract: "Set what the cards of a tenant pay, and show it; what is left out stays as it is.",
      discussion: "For payments that an issuer asks about. Days are of UTC.")

    @OptionGroup var options: BankOptions
    @Option(help: "The most at once, as in 500.00; none for any amount.")
    var payment: String?
    @Option(help: "The most by one card on one day; none for any amount.")
    var day: String?
    @Option(help: "How much more than what is held a merchant may take, in per cent.")
    var over: Int64?
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let change = CardLimits.Change(
        paymentMax: try Self.units(payment), dayMax: try Self.units(day), overPercent: over)
      let app = try await options.app()
      let actor = try await acting.actor(in: app, may: .manageTenants)
      let policy = app.finaptic.dependencies.cardPolicy
      if !change.isNone { try await policy.set(change, of: options.tenant, by: actor) }
      let limits = try await policy.limits(of: options.tenant)
      let (most, daily) = (Self.words(limits.paymentMax), Self.words(limits.dayMax))
      try options.output.done(
        "At once \(most), on one day \(daily), \(limits.overPercent) % over a hold.",
        id: TenantNumber.name(options.tenant))
    }

    private static func words(_ units: Int64?) -> String {
      units.map { Money($0, InternalAccounts.currency).decimal } ?? "any amount"
    }

    /// - Returns: nil for what is left out; within it nil for any amount.
    private static func units(_ text: String?) throws -> Int64?? {
      guard let text else { return nil }
      guard text != "none" else { return .some(nil) }
      guard let money = Money(decimal: text, currency: InternalAccounts.currency) else {
        throw ValidationError("an amount is written as in 500.00, or none")
      }
      return money.minorUnits
    }
  }

  struct Disputes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "disputes", abstract: "List disputes of payments by card that are not decided, the oldest first.")

    @OptionGroup var options: BankOptions

    func run() async throws {
      let app = try await options.app()
      let rows = try await app.finaptic.dependencies.cardDisputes.waiting(of: options.tenant).map {
        Row(
          id: $0.id.rawValue, state: $0.state.rawValue, account: $0.account.rawValue, amount: $0.money.decimal,
          currency: $0.money.currency, reason: $0.reason, openedAt: $0.openedAt.rfc3339)
      }
      try options.output.list("disputes", rows) {
        "\($0.id)  \($0.openedAt)  \($0.state)  \($0.account)  \($0.amount) \($0.currency)  "
          + TerminalLine.of($0.reason)
      }
    }

    private struct Row: Encodable { let id, state, account, amount, currency, reason, openedAt: String }
  }

  struct Credit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "credit", abstract: "Give the customer of a dispute the money for the time being.",
      discussion: "More than the tenant lets one person move waits for a second one.")

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the dispute.")
    var dispute: String
    @OptionGroup var acting: OperatorOptions
    @OptionGroup var second: SecondPersonOptions

    func run() async throws {
      let app = try await options.app()
      let waiting = try await app.finaptic.dependencies.cardDisputes.credit(
        .init(rawValue: dispute), of: options.tenant,
        under: .command(approval: second.approval),
        by: acting.actor(in: app, may: .postMoney))
      if let waiting { try waiting.show(options.output) }
      try options.output.done("Credited.", id: dispute)
    }
  }

  struct Suspense: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "suspense", abstract: "List money of cards that no account took, the oldest first.",
      discussion: "owed: the bank paid it for the customer. due: the bank got what is the customer's.")

    @OptionGroup var options: BankOptions

    func run() async throws {
      let app = try await options.app()
      let rows = try await app.finaptic.dependencies.cardSuspense.waiting(of: options.tenant).map {
        Row(
          id: $0.id.rawValue, direction: $0.direction.rawValue, account: $0.account.rawValue,
          amount: $0.money.decimal, currency: $0.money.currency, reason: $0.reason.rawValue, since: $0.since.rfc3339)
      }
      try options.output.list("items", rows) {
        "\($0.id)  \($0.since)  \($0.direction)  \($0.account)  \($0.amount) \($0.currency)  \($0.reason)"
      }
    }

    private struct Row: Encodable { let id, direction, account, amount, currency, reason, since: String }
  }

  struct Resolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve",
      abstract: "Book money of cards that no account took: take what is owed, or give what is due.",
      discussion: "More than the tenant lets one person move waits for a second one.")

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the item.")
    var item: String
    @Option(help: "Id of another account of the tenant than the card's.")
    var account: String?
    @OptionGroup var acting: OperatorOptions
    @OptionGroup var second: SecondPersonOptions

    func run() async throws {
      let app = try await options.app()
      let waiting = try await app.finaptic.dependencies.cardSuspense.resolve(
        .init(rawValue: item), on: account.map { .init(rawValue: $0) }, of: options.tenant,
        under: .command(approval: second.approval),
        by: acting.actor(in: app, may: .postMoney))
      if let waiting { try waiting.show(options.output) }
      try options.output.done("Booked.", id: item)
    }
  }

  struct WriteOff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "write-off", abstract: "Give up money of cards that no account takes, against the bank's fees.",
      discussion: "What is owed is the bank's loss, what is due its income. Waits for a second person always.")

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the item.")
    var item: String
    @Option(help: "Why: \(PostingReason.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reason: String
    @OptionGroup var acting: OperatorOptions
    @OptionGroup var second: SecondPersonOptions

    func run() async throws {
      let app = try await options.app()
      let waiting = try await app.finaptic.dependencies.cardSuspense.writeOff(
        .init(rawValue: item), because: reason, of: options.tenant,
        under: .command(approval: second.approval),
        by: acting.actor(in: app, may: .postMoney))
      if let waiting { try waiting.show(options.output) }
      try options.output.done("Written off.", id: item)
    }
  }
}
