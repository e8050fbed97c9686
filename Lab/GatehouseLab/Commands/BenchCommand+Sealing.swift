// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit

extension BenchCommand {
  struct Sealing: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sealing",
      abstract: "Rows under keys of persons, beside the data key in the same run, and how fast they are migrated.",
      discussion: "In a SQLite file that goes away. Build with -c release.")

    @Option(help: "Rows of each round.")
    var rows = 20_000

    @Option(help: "Persons whose rows they are.")
    var persons = 2000

    @Option(help: "Bytes of each value.")
    var bytes = 400

    @Option(help: "Rounds that are counted; one more warms up.")
    var rounds = 3

    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    func validate() throws {
      guard (100...1_000_000).contains(rows), (2...rows).contains(persons), (1...65_536).contains(bytes),
        (1...20).contains(rounds)
      else {
        throw ValidationError(
          "--rows is 100 to 1000000, --persons 2 to as many, --bytes 1 to 65536, --rounds 1 to 20")
      }
    }

    func run() async throws {
      let folder = BenchOutput.folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let report = try await SealBench(
        rows: rows, persons: persons, bytes: bytes, rounds: rounds,
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
