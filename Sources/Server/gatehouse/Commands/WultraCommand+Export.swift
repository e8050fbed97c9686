// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp
import Kit
import WultraFlow

extension WultraCommand {
  /// Gives out what is kept of one user (GDPR art. 15 and 20).
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write everything that is kept of a user, opened, with the pictures.",
      discussion: "user.json and images/ are for the user. The look is kept in the audit. Structure: docs/rights.md.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "The user, as the institution calls them.")
    var user: String
    @OptionGroup var tenant: TenantOptions
    @OptionGroup var acting: OperatorOptions
    @OptionGroup var destination: ExportDestination

    func run() async throws {
      let app = try await installation.app()
      let tenant = try tenant.id(in: app)
      let actor = try await acting.actor(in: app, may: .eraseCustomers, of: tenant)
      try await destination.write(
        DataSubject(user, of: tenant, by: actor), from: app.module(named: WultraModule.name), of: app, output: output)
    }
  }
}
