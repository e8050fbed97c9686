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

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: TenantNumber.help, transform: TenantNumber.read)
  var tenant: Int
  @Option(help: "Which tests it is for.")
  var name = "sandbox"

  func run() async throws {
    let app = try await installation.app(of: tenant)
    let issued = try await app.addFinapticClient(.sandbox, name, tenant: tenant, by: OperatorOptions.machineUser)
    try issued.show(output, towards: SandboxRoutes.base)
  }
}
