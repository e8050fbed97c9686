// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit

extension BenchCommand {
  struct PowerAuth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "powerauth",
      abstract: "Signatures and encrypted requests per second on one core, beside what their primitives allow.",
      discussion: "The embedded store, in a folder that goes away. Build with -c release.")

    @Option(help: "Rounds that are counted; one more warms up.")
    var rounds = 7

    @Option(help: "Milliseconds for each of nine things in each round.")
    var turn = 200

    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    func validate() throws {
      guard (1...100).contains(rounds), (10...10_000).contains(turn) else {
        throw ValidationError("--rounds is 1 to 100, --turn 10 to 10000")
      }
    }

    func run() async throws {
      let folder = BenchOutput.folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let report = try await PowerAuthBench(rounds: rounds, turn: .milliseconds(turn)).run(in: folder)
      guard json else {
        print(report.table(isRelease: Self.isRelease))
        return
      }
      print(try BenchOutput.json(report))
    }

    static var isRelease: Bool {
      #if DEBUG
        false
      #else
        true
      #endif
    }
  }
}
