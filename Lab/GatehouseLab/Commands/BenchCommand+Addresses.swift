// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit

extension BenchCommand {
  struct Addresses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "addresses",
      abstract: "Address suggestions over invented addresses, beside SQLite's full-text index in the same run.",
      discussion: "Both in a folder that goes away. Build with -c release.")

    @Option(help: "Addresses.")
    var count = 1_000_000

    @Option(help: "Patterns that are looked for.")
    var queries = 2000

    @Option(help: "The same seed invents the same addresses.")
    var seed: UInt64 = 7

    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    func validate() throws {
      guard (100...5_000_000).contains(count), (100...100_000).contains(queries) else {
        throw ValidationError("--count is 100 to 5000000, --queries 100 to 100000")
      }
    }

    func run() async throws {
      let folder = BenchOutput.folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let report = try await AddressBench(
        count: count, queries: queries, seed: seed,
        say: BenchOutput.say
      ).run(in: folder)
      guard json else {
        print(report.table(isRelease: PowerAuth.isRelease))
        return
      }
      print(try BenchOutput.json(report))
    }
  }
}
