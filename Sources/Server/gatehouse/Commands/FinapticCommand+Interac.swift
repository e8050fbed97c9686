// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit

extension FinapticCommand {
  struct InteracCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "interac", abstract: "Name a tenant's connector to Interac.",
      discussion: """
        Its token is read from standard input. What it brings, it brings as a client (finaptic bank client add TENANT
        --interac).
        """)

    @OptionGroup var options: BankOptions
    @Option(help: "Its address, with https and without a slash at its end.")
    var url: String?
    @Flag(help: "Forget it: no money comes, and real customers make no registration.")
    var off = false

    func validate() throws {
      guard (url != nil) != off else { throw ValidationError("--url or --off") }
    }

    func run() async throws {
      let app = try await options.app()
      let token = off ? "" : SecretInput.read("Token of the connector") ?? ""
      try await app.finaptic.dependencies.interacSettings.setConnector(
        url, token: token, of: options.tenant, by: OperatorOptions.machineUser)
      try options.output.done(off ? "Forgotten." : "Set.", id: TenantNumber.name(options.tenant))
    }
  }
}
