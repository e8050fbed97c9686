// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp
import Kit
import SaltEdgeFlow

extension SaltEdgeCommand {
  /// Banks: adding them, changing them, keeping one out for a while.
  struct Provider: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "provider", abstract: "Add, change and list banks, keep one out for a while, and let it in again.",
      subcommands: [Add.self, Change.self, List.self, Suspend.self, Resume.self])

    struct Suspend: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Keep a bank out: its calls are refused, its customers' devices are told to come back later.",
        discussion: "At once on every node. Nothing is lost: connections are good again when the bank resumes.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: "Code of the bank.")
      var code: String

      func run() async throws {
        let isNew = try await SaltEdgeCommand.providers(installation) {
          try await $0.suspend(code, by: OperatorOptions.machineUser)
        }
        try output.done(isNew ? "Suspended: \(code)" : "It was suspended already.", id: code, changed: isNew)
      }
    }

    struct Resume: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "resume", abstract: "Let a suspended bank in again.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: "Code of the bank.")
      var code: String

      func run() async throws {
        let isNew = try await SaltEdgeCommand.providers(installation) {
          try await $0.resume(code, by: OperatorOptions.machineUser)
        }
        try output.done(isNew ? "Resumed: \(code)" : "It was not suspended.", id: code, changed: isNew)
      }
    }
  }

  fileprivate static func providers(
    _ installation: InstallationOptions, _ act: (Providers) async throws -> Bool
  ) async throws -> Bool {
    let app = try await installation.app()
    do { return try await act(app.saltEdge.providers) } catch let problem as Problem {
      throw problem.category == .notFound ? Problem(.notFound, problem.code, "There is no bank of that code.") : problem
    }
  }
}
