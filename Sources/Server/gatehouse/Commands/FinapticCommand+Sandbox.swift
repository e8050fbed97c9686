import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp

/// `gatehouse finaptic sandbox-client`: credentials for the test controls of a sandbox tenant.
struct FinapticSandboxClient: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox-client",
    abstract: "Add a client of the test controls of a sandbox tenant; its secret is printed once.")

  @OptionGroup var installation: InstallationOptions
  @Argument(help: "The tenant's number.")
  var tenant: Int
  @Option(help: "Which tests it is for.")
  var name = "sandbox"

  func run() async throws {
    let app = try await installation.app()
    let issued = try await app.addFinapticSandboxClient(name, tenant: tenant, by: OperatorOptions.machineUser)
    issued.show(towards: SandboxRoutes.base)
  }
}
