import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import Ledger

extension FinapticCommand.BankCommand {
  /// What takes a second person.
  enum FourEyesCommands {
    static let all: [any ParsableCommand.Type] = [PostingLimit.self, FourEyes.self]
  }

  struct PostingLimit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "posting-limit",
      abstract: "Set the most that one posting of a tenant's own systems moves without a second person.",
      discussion: "10000.00 where nothing is set. 0.00 has a second person agree to every posting.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The tenant's number.")
    var tenant: Int
    @Argument(help: "An amount, as in 10000.00.")
    var limit: String
    @Option(help: "Of which currency (ISO 4217).")
    var currency = InternalAccounts.currency
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      guard let money = Money(decimal: limit, currency: currency), money.minorUnits >= 0 else {
        throw ValidationError("a limit is an amount such as 10000.00")
      }
      let app = try await installation.app()
      try await app.finaptic.dependencies.fourEyes.setAmount(
        money.minorUnits, in: currency, of: tenant, by: acting.actor(in: app, may: .manageTenants))
      print("One posting moves \(money.decimal) \(money.currency) at most without a second person.")
    }
  }

  struct FourEyes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "four-eyes",
      abstract: "Say which acts take a second person, whatever they move; without --acts, show it.",
      discussion: "Where nothing is set: terms, interest and unblock for tenants in production, none in a sandbox.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The tenant's number.")
    var tenant: Int
    @Option(help: "Of terms, interest, unblock and block, with commas between; none for no act.")
    var acts: String?
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let asked = try acts.map(Self.read)
      let app = try await installation.app()
      let settings = app.finaptic.dependencies.fourEyes
      if let asked {
        try await settings.setActs(asked, of: tenant, by: acting.actor(in: app, may: .manageTenants))
      }
      let policy = try await settings.look(of: tenant)
      let words = policy.acts.sorted().map(\.rawValue).joined(separator: ", ")
      let limit = Money(policy.amount(in: InternalAccounts.currency), InternalAccounts.currency)
      print("Always: \(words.isEmpty ? "none" : words). Postings: above \(limit.decimal) \(limit.currency).")
    }

    static func read(_ text: String) throws -> Set<FourEyesPolicy.Act> {
      guard text != "none" else { return [] }
      let words = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      let acts = words.compactMap(FourEyesPolicy.Act.init)
      guard !acts.isEmpty, acts.count == words.count else {
        throw ValidationError("--acts is of terms, interest, unblock and block, with commas between, or none")
      }
      return Set(acts)
    }
  }
}
