// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Identity
import Kit

extension FinapticCommand.BankCommand {
  /// `finaptic bank client TENANT`, as versions before spelled it, adds one.
  struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "client", abstract: "Manage the clients of a tenant: the bank's own systems.",
      subcommands: [Client.self, ClientList.self, Rotate.self, Revoke.self], defaultSubcommand: Client.self)

    /// A client of a tenant.
    struct Options: ParsableArguments {
      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int
      @Argument(help: "The client's id.")
      var client: String

      /// - Throws: `CommandFailure` not found for a client of another tenant, too.
      func open() async throws -> (clients: ServiceClients, id: ServiceClient.ID) {
        let app = try await installation.app(of: tenant)
        let id = ServiceClient.ID(rawValue: client)
        guard try await app.finapticClients(of: tenant).contains(where: { $0.id == id }) else {
          throw CommandFailure.notFound("The tenant has no such client: `finaptic bank client list` shows them.")
        }
        return (app.serviceClients, id)
      }
    }

    struct Rotate: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Give a client a new secret; the old one is taken for some days more.")

      @OptionGroup var options: Options
      @Option(help: "Days for which the old secret is taken (default: 7; 0 ends it now).")
      var overlapDays = ServiceClients.overlap.wholeSeconds / 86_400

      func run() async throws {
        let (clients, id) = try await options.open()
        let issued = try await clients.rotate(id, overlap: .days(overlapDays), by: OperatorOptions.machineUser)
        try issued.show(options.output)
      }
    }

    struct Revoke: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a client at once, for good.")

      @OptionGroup var options: Options
      @OptionGroup var confirmation: ConfirmationOptions

      func run() async throws {
        try confirmation.confirm("The client \(options.client) will be refused from now on, for good.")
        let (clients, id) = try await options.open()
        try await clients.revoke(id, by: OperatorOptions.machineUser)
        try options.output.done("Revoked.", id: options.client)
      }
    }
  }

  struct Client: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a client of the API for a bank's own systems; its secret is printed once.")

    @OptionGroup var options: BankOptions
    @Option(help: "Which system it is for.")
    var name = "core"
    @Flag(help: "Let it book money, and nothing else.")
    var posting = false
    @Flag(help: "Let it agree, as the second of two, to what others ask for, and nothing else.")
    var approving = false
    @Flag(help: "Let it hand over and fetch messages between banks, and nothing else.")
    var payments = false
    @Flag(help: "Let it tell what cards pay, as the processor of a card issuer, and nothing else.")
    var issuing = false
    @Flag(help: "Let it bring money by Interac, as the tenant's connector, and nothing else.")
    var interac = false

    func validate() throws {
      guard [posting, approving, payments, issuing, interac].count(where: { $0 }) < 2 else {
        throw ValidationError("a client does one of these: post, approve, exchange messages, tell of cards or Interac")
      }
    }

    /// What the client may do, and the path of its calls.
    private var access: (scope: ServiceClient.Scope, path: String) {
      if posting { return (.post, "postings") }
      if approving { return (.approve, "approvals") }
      if payments { return (.payments, "payments/messages") }
      if issuing { return (.issue, "card-issuer") }
      return interac ? (.interac, "interac") : (.bank, "accounts")
    }

    func run() async throws {
      let app = try await options.app()
      let issued = try await app.addFinapticClient(
        access.scope, name, tenant: options.tenant, by: OperatorOptions.machineUser)
      try issued.show(options.output, towards: "\(FinapticServerDialect.base)/\(access.path)")
    }
  }

  struct ClientList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the clients of a tenant: of its own systems, of its chat and of the test controls.")

    @OptionGroup var options: BankOptions

    func run() async throws {
      let clients = try await options.app().finapticClients(of: options.tenant)
      try options.output.list("clients", clients.map(ServiceClientRow.init), line: \.line)
    }
  }
}
