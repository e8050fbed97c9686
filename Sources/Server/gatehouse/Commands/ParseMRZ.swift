// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentCore
import Foundation
import GatehouseApp
import Kit

/// `gatehouse mrz`: machine-readable zones.
struct MRZCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mrz", abstract: "Parse machine-readable zones (ICAO 9303).", subcommands: [ParseMRZ.self])
}

/// Parses machine-readable zones: lines on standard input, or a file of vectors.
struct ParseMRZ: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse", abstract: "Parse a machine-readable zone (ICAO 9303).",
    discussion: "Reads the lines of one zone from standard input, or a file of vectors whose answers it prints as JSON."
  )

  @Argument(help: "A file of vectors; without it, lines are read from standard input.")
  var file: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: "The day that two-digit years are resolved against, YYYY-MM-DD (default: today).")
  var on: String?

  func run() throws {
    if let file {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw CommandFailure.notFound("cannot read \(file)")
      }
      do {
        print(CommandJSON.escaped(String(decoding: try MRZVectors.reportJSON(for: data), as: UTF8.self)))
      } catch { throw CommandFailure.refused("\(file) is not a file of vectors") }
      return
    }
    let text = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    let result = MRZ.parse(lines: MRZ.lines(inText: text), referenceDate: try Day.parse(on))
    print(json ? CommandJSON.escaped(MRZ.json(result)) : MRZ.summary(result))
    guard result.valid else { throw ExitCode.refused }
  }
}

/// Days given on the command line.
enum Day {
  /// - Parameter text: `YYYY-MM-DD`; nil is today in UTC.
  static func parse(_ text: String?) throws -> CalendarDate {
    guard let text else {
      let today = World.live.now().milliseconds / 86_400_000
      guard let date = CalendarDate(dayNumber: Int(today)) else { throw CommandFailure.refused("the clock is wrong") }
      return date
    }
    guard let date = CalendarDate(text) else { throw ValidationError("\(text) is not a date YYYY-MM-DD") }
    return date
  }
}
