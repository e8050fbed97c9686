// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp
import Kit
import WultraFlow

extension WultraCommand {
  /// Erases a user (GDPR art. 17).
  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase",
      abstract: "Forget a user: ends what goes on, deletes pictures and activations; the audit stays, without a name.",
      discussion: "The same again changes nothing. What copies hold cannot be opened some weeks later.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "The user, as the institution calls them.")
    var user: String
    @OptionGroup var tenant: TenantOptions
    @OptionGroup var erasure: ErasureOptions

    func run() async throws {
      let app = try await installation.app()
      try await erasure.erase(
        DataSubject(user, of: tenant.id(in: app), by: OperatorOptions.machineUser),
        from: app.module(named: WultraModule.name),
        of: app, output: output)
    }
  }
}
