// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Identity
import Kit

/// Servers of an institution that may call the back-end API.
struct PowerAuthClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client", abstract: "Manage the servers that may call the back-end API.",
    subcommands: [Add.self, List.self, Rotate.self, Revoke.self])

  private static let operatorName = OperatorOptions.machineUser

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a client; its secret is printed once and kept nowhere.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Which server it is; for people.")
    var name: String
    @OptionGroup var tenant: TenantOptions
    @Option(help: "What it may do: verify, manage, sell, review, screen, with commas between (default: verify,manage).")
    var scopes = "verify,manage"

    func run() async throws {
      let scopes = try PowerAuthClientCommand.scopes(scopes)
      let app = try await installation.app(orNew: true)
      let issued = try await app.serviceClients.add(
        name, tenant: tenant.id(in: app), scopes: scopes, by: operatorName)
      try issued.show(output)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the clients of a tenant.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var tenant: TenantOptions

    func run() async throws {
      let app = try await installation.app()
      let clients = try await app.serviceClients.list(tenant: tenant.id(in: app))
      try output.list("clients", clients.map(ServiceClientRow.init), line: \.line)
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate", abstract: "Give a client a new secret; the old one is taken for some days more.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The client's id.")
    var client: String
    @Option(help: "Days for which the old secret is taken (default: 7; 0 ends it now).")
    var overlapDays = ServiceClients.overlap.wholeSeconds / 86_400

    func run() async throws {
      let app = try await installation.app()
      let issued = try await app.serviceClients.rotate(
        .init(rawValue: client), overlap: .days(overlapDays), by: operatorName)
      try issued.show(output)
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "End a client at once, for good.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The client's id.")
    var client: String
    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
      try confirmation.confirm("The client \(client) will be refused from now on, for good.")
      let app = try await installation.app()
      try await app.serviceClients.revoke(.init(rawValue: client), by: operatorName)
      try output.done("Revoked.", id: client)
    }
  }

  private static func scopes(_ text: String) throws -> Set<ServiceClient.Scope> {
    let words = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    // Banks of the Authenticator get credentials with the bank itself.
    let scopes = words.compactMap(ServiceClient.Scope.init).filter {
      ![.bank, .post, .payments, .approve, .issue, .interac].contains($0)
    }
    guard !scopes.isEmpty, scopes.count == words.count else {
      throw ValidationError("--scopes is of verify, manage, sell, review and screen, with commas between")
    }
    return Set(scopes)
  }
}

/// A client as lists of clients print it.
struct ServiceClientRow: Encodable {
  let id, name: String
  let scopes: [String]
  let revokedAt: String?

  init(_ client: ServiceClient) {
    (id, name, revokedAt) = (client.id.rawValue, client.name, client.revokedAt?.rfc3339)
    scopes = client.scopes.sorted().map(\.rawValue)
  }

  var line: String {
    "\(id)  \(revokedAt == nil ? "active " : "revoked")  \(scopes.joined(separator: ","))  \(name)"
  }
}
