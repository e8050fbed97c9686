// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp

extension FinapticCommand {
  struct SandboxClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sandbox-client", abstract: "Let tests control a sandbox tenant.",
      subcommands: [FinapticSandboxClient.self])
  }
}

/// `gatehouse finaptic sandbox-client add`: credentials for the test controls of a sandbox tenant.
struct FinapticSandboxClient: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a client of the test controls of a sandbox tenant; its secret is printed once.")

  @OptionGroup var options: BankOptions
  @Option(help: "Which tests it is for.")
  var name = "sandbox"

  func run() async throws {
    let app = try await options.app()
    let issued = try await app.addFinapticClient(
      .sandbox, name, tenant: options.tenant, by: OperatorOptions.machineUser)
    try issued.show(options.output, towards: SandboxRoutes.base)
  }
}
