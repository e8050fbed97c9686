// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Screening

/// Screens tables against list files, without an installation, and searches for what an installation keeps again.
struct ScreenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen", abstract: "Screen a table of people or organisations against list files, or score pairs.",
    discussion: """
      `screen --list FILE --queries FILE.csv` searches; `screen pairs FILE.csv` compares two columns. Of an \
      installation, `screen replay ID` searches for a screening again, `screen hits` shows what waits for a person, \
      `screen decide` and `screen approve` decide on it, and `screen self-test` tells what is found of disguised entries.

      `screen` alone is `screen queries`, which takes --list, --queries, --threshold, --policy and --json. \
      `gatehouse screen queries --help` tells what each of them is.
      """,
    subcommands: [
      ScreenQueries.self, ScreenPairs.self, ScreenReplay.self, ScreenHits.self, ScreenDecide.self, ScreenApprove.self,
      ScreenSelfTest.self,
    ],
    defaultSubcommand: ScreenQueries.self)
}

/// `gatehouse screen --list … --queries …`: what each row resembles.
struct ScreenQueries: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queries", abstract: "Search list files for every row of a table.",
    discussion: "Shows up to five entries a row, best first, whether or not they reach the threshold.")

  @Option(name: .customLong("list"), parsing: .upToNextOption, help: "A file of a list; several make one search.")
  var lists: [String] = []

  @Option(help: "A CSV table with a column query_name, full_name or name (docs/screening.md).")
  var queries: String

  @OptionGroup var output: OutputOptions

  @Option(help: "Score from which on an entry is a hit (default: the policy's, 0.85).")
  var threshold: Double?

  @Option(help: "A JSON file of thresholds and weights (docs/screening.md).")
  var policy: String?

  func run() throws {
    guard !lists.isEmpty else { throw ValidationError("name at least one --list") }
    let policy = try ScreenOutput.policy(self.policy, threshold: threshold)
    let index: ScreeningIndex
    do {
      let readings = try ListReader.read(try ListReader.File.all(lists), countries: .iso)
      for reading in readings { ScreenOutput.tell(reading) }
      index = ScreeningIndex(readings.map(\.list), countries: .iso)
    } catch let fault as ListFault { throw CommandFailure.refused("\(fault)") }
    let bytes = try ScreenOutput.table(queries)
    let results = ScreenOutput(isJSON: output.json, of: bytes)
    var unreadable = 0
    var unknown: (count: Int, first: Int)?
    let encoding: ScreenFile.Encoding
    do {
      encoding = try ScreenFile.subjects(bytes) { row, subject in
        let screened = ScreenedRow(row: row, subject, countries: index.countries) {
          index.answers(to: $0, policy: policy, fills: true)
        }
        if screened.error != nil { unreadable += 1 }
        if screened.leftOut != nil { unknown = ((unknown?.count ?? 0) + 1, unknown?.first ?? row) }
        if output.json {
          try results.result(screened)
        } else {
          try results.lines(screened.lines { TerminalLine.of($0) })
        }
      }
    } catch let fault as ScreenFile.Fault { throw CommandFailure.refused("\(queries): \(fault)") }
    try results.finish()
    ScreenOutput.tell(encoding, of: queries)
    if results.isEmpty { StandardError.write("\(queries) has no rows: nothing was searched\n") }
    if let unknown {
      let words = "rows with a nationality that is no country, searched without it: \(unknown.count); the first is row "
      StandardError.write("\(words)\(unknown.first)\n")
    }
    guard unreadable > 0 else { return }
    StandardError.write("rows that were not searched: \(unreadable); their results tell why\n")
  }
}

/// `gatehouse screen pairs`: how alike the two names of each row are.
struct ScreenPairs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pairs", abstract: "Score the two names of every row of a table, to evaluate the matcher.",
    discussion: "Columns name1 and name2, and schema for persons, organisations and vessels.")

  @Argument(help: "The CSV table.")
  var file: String

  @OptionGroup var output: OutputOptions

  @Option(help: "Score from which on two names match (default: the policy's, 0.85).")
  var threshold: Double?

  @Option(help: "A JSON file of thresholds and weights (docs/screening.md).")
  var policy: String?

  func run() throws {
    let policy = try ScreenOutput.policy(self.policy, threshold: threshold)
    let bytes = try ScreenOutput.table(file)
    let results = ScreenOutput(isJSON: output.json, of: bytes)
    var unreadable = 0
    let encoding: ScreenFile.Encoding
    do {
      encoding = try ScreenFile.pairs(bytes) { row, one, other, kind in
        let pair = ScreenedPair(row: row, one, other, kind: kind, policy: policy)
        if pair.error != nil { unreadable += 1 }
        if output.json {
          try results.result(pair)
        } else {
          try results.lines([pair.line((TerminalLine.of(one), TerminalLine.of(other)))])
        }
      }
    } catch let fault as ScreenFile.Fault { throw CommandFailure.refused("\(file): \(fault)") }
    try results.finish()
    ScreenOutput.tell(encoding, of: file)
    if results.isEmpty { StandardError.write("\(file) has no rows: nothing was compared\n") }
    guard unreadable > 0 else { return }
    StandardError.write("rows that were not compared: \(unreadable); their results tell why\n")
  }
}
