// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Configuration
import Foundation
import GatehouseApp
import HTTP
import Hummingbird
import Logging
import ServiceLifecycle

/// Serves the API and, unless told not to, performs owed effects.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the API; a worker runs along unless told not to.")

  @OptionGroup var installation: InstallationOptions

  @Option(help: "Address to listen on (default: 127.0.0.1).")
  var host: String?

  @Option(help: "Port to listen on (default: 8080).")
  var port: Int?

  @Flag(inversion: .prefixedNo, help: "Perform owed effects in this process.")
  var worker = true

  @Flag(help: "Let a sandbox listen to other machines: anybody who reaches it reads what it holds.")
  var publicSandbox = false

  @Option(help: "What becomes of whom in Finaptic's sandboxes: a JSON file, or a folder of them; repeatable.")
  var sandboxProfiles: [String] = []

  func run() async throws {
    var flags: [String: ConfigValue] = [:]
    if let host { flags["host"] = ConfigValue(.string(host), isSecret: false) }
    if let port { flags["port"] = ConfigValue(.int(port), isSecret: false) }
    if !sandboxProfiles.isEmpty {
      flags["finaptic.sandboxProfiles"] = ConfigValue(.stringArray(sandboxProfiles), isSecret: false)
    }
    if publicSandbox { flags["sandbox.public"] = ConfigValue(.bool(true), isSecret: false) }
    let settings = try await installation.settings(flags).requireStart()
    let logger = settings.logger("gatehouse")
    let app = OpenedStores.keep(try await DemoBankSetup.openServing(settings, logger: logger))
    app.announce()
    try await app.run(
      [app.keyWatch] + (worker ? [app.scheduler, app.worker] : []) + app.drainingServer(onReady: Self.welcome(app)))
  }
}

extension Serve {
  /// Prints where a newcomer finds what in a sandbox. For the terminal, not for the log: the holder of the link to sign
  /// in gets in.
  private static func welcome(_ app: App) -> @Sendable (Int) async -> Void {
    { port in
      guard let pages = app.sandboxPages(port: port) else { return }
      var words = "\nThis is a sandbox of Gatehouse. Its pages:\n"
      let width = pages.map(\.address.count).max() ?? 0
      for page in pages {
        words += "  \(page.address.padding(toLength: width, withPad: " ", startingAt: 0))  \(page.what)\n"
      }
      if let address = try? await app.firstRunAddress(port: port) {
        words += "Sign in as the first administrator, once, in a quarter of an hour, on this machine:\n  \(address)\n"
      }
      words += "In another terminal, `gatehouse sandbox seed` adds an agent who is free and keys for apps, and\n"
      words += "`gatehouse-lab seed` fills the queue with the cases of invented people.\n\n"
      try? FileHandle.standardOutput.write(contentsOf: Data(words.utf8))
    }
  }
}

/// Performs owed effects without serving.
struct Work: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Perform owed effects, without serving.")

  @OptionGroup var installation: InstallationOptions

  func run() async throws {
    let settings = try await installation.settings().requireStart()
    let logger = settings.logger("gatehouse.worker")
    let app = OpenedStores.keep(try await App.open(settings, logger: logger))
    try await app.run([app.workerReady, app.keyWatch, app.scheduler, app.worker, app.workerGate])
  }
}
