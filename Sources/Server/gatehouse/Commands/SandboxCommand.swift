import ArgumentParser
import Foundation
import GatehouseApp
import Identity
import Kit

/// What a sandbox is filled with.
struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox", abstract: "Fill a sandbox with what a newcomer needs.", subcommands: [Seed.self])

  struct Seed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an agent who takes calls, so that customers find one who is free; the password is printed once.")

    static let agent = "sample.agent@sandbox.example"

    @OptionGroup var installation: InstallationOptions
    @Option(help: "Tenant (default: default).")
    var tenant = "default"

    func run() async throws {
      let app = try await installation.app()
      guard app.settings.isSandbox else {
        throw CommandFailure.refused("this installation is no sandbox: its staff is added by gatehouse staff add")
      }
      let tenant = try app.tenants.find(tenant).id
      guard try await app.staff.list(tenant: tenant).allSatisfy({ $0.email != Self.agent }) else {
        return print("\(Self.agent) is there already.")
      }
      let password = Data(app.world.random(18)).base64URL
      let member = try await app.staff.add(
        NewStaffMember(
          tenant: tenant, email: Self.agent, name: "Sample Agent", gender: .female, languages: ["en", "fr", "ar"],
          permissions: StaffRole.permissions(of: [.agent, .reviewer]), password: password),
        by: OperatorOptions.machineUser)
      print("Added \(member.email), who takes calls in English, French and Arabic. Password: \(password)")
    }
  }
}
