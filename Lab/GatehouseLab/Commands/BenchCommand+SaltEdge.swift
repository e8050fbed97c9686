// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import SaltEdgeFlow
import Storage

extension BenchCommand {
  struct SaltEdge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "saltedge",
      abstract: "Devices that poll and customers that confirm, on one node; signature checks beside openssl's.",
      discussion: """
        The embedded store in a folder that goes away, or an empty PostgreSQL database; clients and server in this \
        process. Build with -c release.
        """)

    @Option(help: "Devices, each of its own customer.")
    var devices = 1000

    @Option(help: "Authorizations a second.")
    var rate = 100

    @Option(help: "Seconds of load.")
    var seconds = 30

    @Option(help: "Rounds of signature checks that are counted; one more warms up. 0 leaves them out.")
    var rounds = 5

    @Option(help: "PostgreSQL instead of the embedded store: an empty database.")
    var databaseURL: String?

    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    func validate() throws {
      guard (1...10_000).contains(devices), (1...1000).contains(rate), (1...3600).contains(seconds),
        (0...100).contains(rounds)
      else {
        throw ValidationError("--devices is 1 to 10000, --rate 1 to 1000, --seconds 1 to 3600, --rounds 0 to 100")
      }
    }

    func run() async throws {
      let folder = BenchOutput.folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var settings = Settings()
      (settings.dataFolder, settings.databaseURL, settings.logLevel) = (folder, databaseURL, "warning")
      settings[SaltEdgeSettings.self].limitFactor = 1_000_000
      let signatures = rounds > 0 ? try SignatureBench(rounds: rounds).run() : nil
      var report = try await SaltEdgeBench(
        devices: devices, rate: rate, duration: .seconds(seconds),
        say: BenchOutput.say
      ).run(settings, database: nil)
      report.signatures = signatures
      guard json else {
        print(report.table(isRelease: PowerAuth.isRelease))
        return
      }
      print(try BenchOutput.json(report))
    }
  }
}
