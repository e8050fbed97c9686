// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp
import Kit
import SaltEdgeFlow

extension SaltEdgeCommand {
  /// Gives out what is kept of a bank's customer (GDPR art. 15 and 20).
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write everything that is kept of a bank's customer: devices, decisions and what they were about.",
      discussion: "user.json is for the customer. The look is kept in the audit. Structure: docs/rights.md.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Code of the bank.")
    var code: String
    @Option(help: "The customer, as the bank names them.")
    var user: String
    @OptionGroup var acting: OperatorOptions
    @OptionGroup var destination: ExportDestination

    func run() async throws {
      let app = try await installation.app()
      let actor = try await acting.actor(in: app, may: .eraseCustomers, of: code)
      try await destination.write(
        DataSubject(user, of: code, by: actor), from: app.module(named: SaltEdgeModule.name), of: app, output: output)
    }
  }
}
