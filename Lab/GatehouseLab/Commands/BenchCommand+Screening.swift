// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

extension BenchCommand {
  struct Screening: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "screening",
      abstract: "What the matcher finds and how fast, beside nomenklatura's where a file tells of it.",
      discussion: """
        The folder has name_pairs.csv, positives_*.csv, negatives_*.csv and lists/*.csv in the columns of \
        docs/screening.md. Build with -c release.
        """)

    @Option(help: "The folder with lists, pairs and queries.")
    var data: String

    @Option(help: "Entries that are searched; lists are grown to each.")
    var sizes = "10000,100000,1000000"

    @Option(help: "Rows of each table of queries that are timed at each size.")
    var sample = 400

    @Option(help: "Queries that are searched exhaustively beside, of each table.")
    var exhaustive = 60

    @Option(help: "Entries of the list that is swapped.")
    var swap = 100_000

    @Option(help: "The same seed grows the same lists.")
    var seed: UInt64 = 27

    @Option(help: "What scripts/screening_peer.py measured, as JSON.")
    var peer: String?

    func validate() throws {
      guard sizes.split(separator: ",").allSatisfy({ Int($0).map { (1000...2_000_000).contains($0) } ?? false }) else {
        throw ValidationError("--sizes are numbers from 1000 to 2000000")
      }
      guard (1...100_000).contains(sample), (0...100_000).contains(exhaustive), (0...500_000).contains(swap) else {
        throw ValidationError("--sample is 1 to 100000, --exhaustive 0 to 100000, --swap 0 to 500000")
      }
    }

    func run() async throws {
      let bench = ScreeningBench(
        data: try ScreeningData(folder: data), sizes: sizes.split(separator: ",").compactMap { Int($0) },
        sample: sample,
        exhaustive: exhaustive, swapped: swap, seed: seed,
        say: BenchOutput.say)
      let peers = try peer.map {
        try JSONDecoder().decode([ScreeningPeer].self, from: Data(contentsOf: URL(fileURLWithPath: $0)))
      }
      try await bench.run(beside: peers ?? []) { print($0) }
      if !PowerAuth.isRelease { print("This is a debug build: only -c release says anything.") }
    }
  }
}
