import ArgumentParser
import FinapticFlow
import GatehouseApp
import Identity
import Kit

extension FinapticCommand.BankCommand {
  struct Post: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Book a credit, a debit or a correction on a customer's account.",
      discussion: "More than the tenant lets one person move waits for a second one.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The tenant's number.")
    var tenant: Int
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
    @Option(help: "A UUID under which the same posting is booked once for ever.")
    var key: String?
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let app = try await installation.app()
      let outcome = try await app.finaptic.dependencies.bankPostings.post(
        .init(purpose, amount, on: account, reason: reason, reference: reference), tenant: tenant, key: key,
        approval: second.approval, by: acting.actor(in: app, may: .postMoney))
      switch outcome {
      case .booked(let id): print("Booked: \(id)")
      case .declined(let word):
        print("Declined: \(word)")
        throw ExitCode(1)
      case .waiting(let approval): approval.show()
      }
    }
  }

  /// The credentials of a client that approves.
  struct ApproverOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @Option(help: "Id of the client that approves; its secret is read from standard input.")
    var client: String

    func open() async throws -> (BankApprovals, ServiceClient) {
      let app = try await installation.app()
      guard let secret = readLine(), !secret.isEmpty else {
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
      abstract: "List what waits for a second one.",
      discussion: "Members of staff with the permission approve:money see the same at the desk.")

    @OptionGroup var approver: ApproverOptions

    func run() async throws {
      let (approvals, client) = try await approver.open()
      let waiting = try await approvals.waiting(for: client)
      for one in waiting {
        print("\(one.id)  \(one.act.action)  \(one.act.subject)  \(TerminalLine.of(one.act.content))  by \(one.maker)")
      }
      if waiting.isEmpty { print("Nothing waits.") }
    }
  }

  struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Agree to what another one asks for, or refuse it.")

    @OptionGroup var approver: ApproverOptions
    @Argument(help: "The approval's id.")
    var approval: String
    @Flag(help: "Refuse it.")
    var refuse = false

    func run() async throws {
      let (approvals, client) = try await approver.open()
      let decided = try await approvals.decide(approval, agreeing: !refuse, by: client)
      print("\(decided.standing.rawValue): \(TerminalLine.of(decided.act.content))")
    }
  }
}
