// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp

/// What a sandbox is filled with, and what time it is there.
struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox", abstract: "Fill a sandbox with what a newcomer needs, and move its clock.",
    subcommands: [Seed.self, Advance.self, Clock.self])

  struct Seed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "seed",
      abstract: "Add an agent who is free for calls, and what the app of each system is configured with.",
      discussion: """
        Passwords, keys and secrets are printed this once. A repetition adds what is missing. Cases for the queue come \
        from apps, or from invented people: the program `gatehouse-lab` plays them by its command `seed`.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var tenant: TenantOptions

    func run() async throws {
      let app = try await SandboxCommand.sandbox(installation)
      guard let seed = SandboxSeed(app) else { throw SandboxCommand.isNone }
      let rows = try await seed.run(tenant: tenant.name, by: OperatorOptions.machineUser).map {
        Row(what: "\($0.what)", made: $0.made.map { "\($0)" })
      }
      try output.list("seeded", rows) { "\($0.what): \($0.made ?? "there already.")" }
    }

    private struct Row: Encodable {
      let what: String
      let made: String?
    }
  }
}
