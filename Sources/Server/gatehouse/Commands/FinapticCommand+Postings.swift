// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import GatehouseApp
import Identity
import Kit

extension FinapticCommand.BankCommand {
  struct Post: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "post", abstract: "Book a credit, a debit or a correction on a customer's account.",
      discussion: "More than the tenant lets one person move waits for a second one.")

    @OptionGroup var options: BankOptions
    @Argument(help: "What it is for: \(BankPostings.purposes.joined(separator: ", ")).")
    var purpose: String
    @Argument(help: "Id of the account.")
    var account: String
    @Argument(help: "An amount, as in 100.00.")
    var amount: String
    @Option(help: "Why: \(PostingReason.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reason: String
    @Option(help: "What the bank calls it; the account's people see it.")
    var reference: String?
    @Option(help: "From when on it counts, YYYY-MM-DD (default: today); one to come waits.")
    var valueDate: String?
    @Option(help: "A UUID under which the same posting is booked once for ever.")
    var key: String?
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let app = try await options.app()
      let outcome = try await app.finaptic.dependencies.bankPostings.post(
        .init(purpose, amount, on: account, reason: reason, reference: reference, valueDate: valueDate),
        tenant: options.tenant,
        key: key,
        approval: second.approval, by: acting.actor(in: app, may: .postMoney))
      try outcome.show("Booked", options.output)
    }
  }

  struct Scheduled: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "scheduled", abstract: "List postings that wait for their value date.",
      discussion: "They are booked when that day begins, in UTC.")

    @OptionGroup var options: BankOptions

    func run() async throws {
      let waiting = try await options.app().finaptic.dependencies.bankPostings.scheduled(of: options.tenant)
      try options.output.list("postings", waiting, line: \.text)
    }
  }

  struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "withdraw", abstract: "Take back a posting that waits for its value date.")

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the posting.")
    var posting: String
    @Option(help: "Why: \(PostingReason.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reason: String
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let app = try await options.app()
      let ended = try await app.finaptic.dependencies.bankPostings.withdraw(
        posting, reason: reason, tenant: options.tenant, by: acting.actor(in: app, may: .postMoney))
      try options.output.done("\(ended.status): \(ended.text)", id: ended.id)
    }
  }

  /// The credentials of a client that approves.
  struct ApproverOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @Option(help: "Id of the client that approves; its secret is read from standard input.")
    var client: String

    func open() async throws -> (BankApprovals, ServiceClient) {
      let app = try await installation.app()
      guard let secret = SecretInput.read("Secret of the client"), !secret.isEmpty else {
        throw ValidationError("the client's secret is read from standard input")
      }
      guard let found = try await app.serviceClients.authenticate(client, secret: secret) else {
        throw Problem(.forbidden, "forbidden", "These are not the credentials of a client.")
      }
      return (app.finaptic.dependencies.bankApprovals, found)
    }
  }

  struct Approvals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "approvals", abstract: "List what waits for a second one.",
      discussion: "Members of staff with the permission approve:money see the same at the desk.")

    @OptionGroup var approver: ApproverOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let (approvals, client) = try await approver.open()
      let waiting = try await approvals.waiting(for: client).map(Row.init)
      try output.list("approvals", waiting) {
        "\($0.id)  \($0.action)  \($0.subject)  \(TerminalLine.of($0.content))  by \($0.maker)"
      }
    }

    private struct Row: Encodable {
      let id, action, subject, content, maker: String

      init(_ asked: RequestedApproval) {
        (id, maker) = (asked.id, asked.maker)
        (action, subject, content) = (asked.act.action, asked.act.subject, asked.act.content)
      }
    }
  }

  struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "approve", abstract: "Agree to what another one asks for, or refuse it.")

    @OptionGroup var approver: ApproverOptions
    @Argument(help: "The approval's id.")
    var approval: String
    @Flag(help: "Refuse it.")
    var refuse = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let (approvals, client) = try await approver.open()
      let decided = try await approvals.decide(approval, agreeing: !refuse, by: client)
      try output.done("\(decided.state.rawValue): \(TerminalLine.of(decided.act.content))", id: decided.id)
    }
  }
}
