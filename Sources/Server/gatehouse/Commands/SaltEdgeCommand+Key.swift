// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import SaltEdgeFlow

extension SaltEdgeCommand {
  /// What the service signs its calls to banks with.
  struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "service-key", abstract: "Print or turn over the key that banks check the service's calls with.",
      subcommands: [Show.self, Prepare.self, Switch.self], defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the public key that is in use.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions

      func run() async throws {
        let app = try await installation.app()
        try SaltEdgeCommand.show(try await app.saltEdge.keys.publicKey(), output)
      }
    }

    struct Prepare: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "prepare", abstract: "Draw the next key and print its public half; it does not sign yet.",
        discussion: "Give it to every bank with a server of its own, to be taken beside the one in use. Then: switch.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions

      func run() async throws {
        let app = try await installation.app()
        try SaltEdgeCommand.show(try await app.saltEdge.keys.prepare(by: OperatorOptions.machineUser), output)
      }
    }

    struct Switch: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "switch", abstract: "Sign with the prepared key from now on; the one before is gone for good.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @OptionGroup var confirmation: ConfirmationOptions

      func run() async throws {
        try confirmation.confirm("The service key in use will be gone for good.")
        let app = try await installation.app()
        try await app.saltEdge.keys.promote(by: OperatorOptions.machineUser)
        try output.done("The prepared key signs from now on.")
      }
    }
  }

  /// - Parameter pem: a public key, which ends with a line.
  fileprivate static func show(_ pem: String, _ output: OutputOptions) throws {
    if output.json { try output.show(["public_key": pem], []) } else { print(pem, terminator: "") }
  }
}
