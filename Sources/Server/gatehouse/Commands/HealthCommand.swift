// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp

/// Asks the server of this machine how it is, for engines of containers: an image without a shell has nothing else that
/// could ask.
struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Ask the server that runs with these settings whether it lives; 4 when nothing answers.",
    discussion: "Asks the operations listener of this machine, and opens neither the store nor the key ring.")

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @Flag(help: "Ask whether it takes requests, instead of whether it answers; 1 when a check fails or it leaves.")
  var ready = false

  func run() async throws {
    let health = try await installation.settings().health(isReady: ready)
    try output.show(["status": health], [health.rawValue])
    switch health {
    case .live, .ready: return
    case .failing, .draining: throw ExitCode.refused
    case .silent: throw ExitCode(CommandExit.unavailable.rawValue)
    }
  }
}
