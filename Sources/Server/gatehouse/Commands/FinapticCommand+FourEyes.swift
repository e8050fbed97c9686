// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import Ledger

/// What a second person agreed to.
struct SecondPersonOptions: ParsableArguments {
  @Option(help: "The id of the approval that a second person gave to exactly this; the command that asks prints it.")
  var approval: String?
}

extension RequestedApproval {
  /// Prints what waits, and ends the command: nothing was done yet.
  func show(_ output: OutputOptions) throws -> Never {
    try output.show(
      ["approval": id, "expires_at": expiresAt.rfc3339],
      ["A second person has to agree until \(expiresAt.rfc3339). Then give the same command with --approval \(id)"])
    throw ExitCode.waits
  }
}

extension BankStops.Outcome {
  /// - Parameter id: of what was stopped.
  func show(_ output: OutputOptions, id: String) throws {
    switch self {
    case .done(let words): try output.done(words, id: id)
    case .waiting(let approval): try approval.show(output)
    }
  }
}

extension FinapticCommand.BankCommand {
  /// What takes a second person.
  enum FourEyesCommands {
    static let all: [any ParsableCommand.Type] = [
      PostingLimit.self, CallerLimit.self, FourEyes.self, Post.self, Reverse.self, Hold.self, Release.self,
      Scheduled.self, Withdraw.self, Approvals.self, Approve.self,
    ]
  }

  struct PostingLimit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "posting-limit",
      abstract: "Set the most that one posting of a tenant's own systems moves without a second person.",
      discussion: "10000.00 where nothing is set. 0.00 has a second person agree to every posting.")

    @OptionGroup var options: BankOptions
    @Argument(help: "An amount, as in 10000.00.")
    var limit: String
    @Option(help: "Of which currency (ISO 4217).")
    var currency = InternalAccounts.currency
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      guard let money = Money(decimal: limit, currency: currency), money.minorUnits >= 0 else {
        throw ValidationError("a limit is an amount such as 10000.00")
      }
      let app = try await options.app()
      try await app.finaptic.dependencies.fourEyes.setAmount(
        money.minorUnits, in: currency, of: options.tenant, by: acting.actor(in: app, may: .manageTenants))
      try options.output.done("One posting moves \(money.decimal) \(money.currency) at most without a second person.")
    }
  }

  struct CallerLimit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "caller-limit", abstract: "Set the most that a caller books, at once and on one day of UTC.",
      discussion: """
        It holds whether a second person agreed or not. A caller's own limits count before those of their role. Where \
        none is set, a client of a tenant in production books 1000000.00 a day at most.
        """)

    @OptionGroup var options: BankOptions
    @Argument(help: "Whose: clients, staff or operators, each for itself; or one caller, client:ID or agent:ID.")
    var holder: String
    @Option(help: "The most of one posting, as in 5000.00; without it there is no bound.")
    var posting: String?
    @Option(help: "The most of one day, as in 50000.00; without it there is no bound.")
    var day: String?
    @Option(help: "Of which currency (ISO 4217); each has limits of its own.")
    var currency = InternalAccounts.currency
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let limit = FinapticFlow.PostingLimit(posting: try amount(posting), day: try amount(day))
      let app = try await options.app()
      try await app.finaptic.dependencies.fourEyes.setLimit(
        limit, of: holder, in: currency, tenant: options.tenant, by: acting.actor(in: app, may: .manageTenants))
      try options.output.done(
        "\(holder): \(posting ?? "no bound") a posting, \(day ?? "no bound") a day, in \(currency).")
    }

    private func amount(_ text: String?) throws -> Int64? {
      guard let text else { return nil }
      guard let money = Money(decimal: text, currency: currency), money.minorUnits >= 0 else {
        throw ValidationError("a limit is an amount of \(currency), such as 5000.00")
      }
      return money.minorUnits
    }
  }

  struct FourEyes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "four-eyes",
      abstract: "Say which acts take a second person, whatever they move; without --acts, show it.",
      discussion: "Where nothing is set: terms, interest and unblock for tenants in production, none in a sandbox.")

    @OptionGroup var options: BankOptions
    @Option(help: "Of terms, interest, unblock and block, with commas between; none for no act.")
    var acts: String?
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let asked = try acts.map(Self.read)
      let app = try await options.app()
      let actor = try await acting.actor(in: app, may: .manageTenants)
      let settings = app.finaptic.dependencies.fourEyes
      if let asked { try await settings.setActs(asked, of: options.tenant, by: actor) }
      let policy = try await settings.look(of: options.tenant)
      let names = policy.acts.sorted().map(\.rawValue)
      let words = names.joined(separator: ", ")
      let limit = Money(policy.amount(in: InternalAccounts.currency), InternalAccounts.currency)
      try options.output.show(
        Row(acts: names, postingLimit: limit.decimal, currency: limit.currency),
        ["Always: \(words.isEmpty ? "none" : words). Postings: above \(limit.decimal) \(limit.currency)."])
    }

    private struct Row: Encodable {
      let acts: [String]
      let postingLimit, currency: String
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
