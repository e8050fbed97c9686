// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentCore
import Evidence
import Foundation
import GatehouseApp

/// `gatehouse document`: images of identity documents.
struct DocumentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "document", abstract: "Read images of identity documents.", subcommands: [ReadDocument.self])
}

/// Prints everything that Evidence reads from images of documents.
struct ReadDocument: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Read images of identity documents.",
    discussion: "Nothing is stored. Leaves with 1 when one of the images could not be read.")

  @Argument(help: "JPEG or PNG files.")
  var files: [String]

  @Flag(help: "Print one JSON array.")
  var json = false

  @Option(
    name: .customLong("as"),
    help: "What it should be: PASSPORT, NATIONAL_ID_FRONT_SIDE, NATIONAL_ID_BACK_SIDE or DRIVING_LICENSE.")
  var expected: String?

  @Option(help: "The day that decides what is expired, YYYY-MM-DD (default: today).")
  var on: String?

  @Option(help: "Folder of document templates to read by besides, as the setting evidence.templates names one.")
  var templates: String?

  private struct Entry: Encodable {
    let file: String
    var reading: DocumentReading?
    var error: String?
    var milliseconds: [String: Double]?
  }

  func run() async throws {
    let kind = try expected.map { text in
      guard let kind = DocumentKind(rawValue: text) else { throw ValidationError("\(text) is no kind of document") }
      return kind
    }
    let day = try Day.parse(on)
    var settings = EvidenceSettings()
    if let templates {
      try CommandFailure.require(templates)
      settings.templates = try DocumentTemplates(folder: templates)
    }
    let reader = EvidenceReader(settings: settings)
    var entries: [Entry] = []
    for file in files {
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw CommandFailure.notFound("cannot read \(file)")
      }
      do {
        let document = try await reader.read(bytes, as: kind, on: day)
        entries.append(Entry(file: file, reading: document.reading, milliseconds: document.timings))
      } catch let problem as ImageProblem {
        entries.append(Entry(file: file, error: problem.code))
      }
      if !json, let entry = entries.last { print(Self.text(entry)) }
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(CommandJSON.escaped(String(decoding: try encoder.encode(entries), as: UTF8.self)))
    }
    if entries.contains(where: { $0.error != nil || $0.reading?.failure != nil }) { throw ExitCode.refused }
  }

  private static func text(_ entry: Entry) -> String {
    var lines = [entry.file]
    func add(_ name: String, _ value: String?) {
      // Barcodes and print are the holder's to choose: a terminal takes no command from them.
      guard let value else { return }
      lines.append("  " + name.padding(toLength: 18, withPad: " ", startingAt: 0) + TerminalLine.of(value))
    }
    add("error", entry.error)
    guard let reading = entry.reading else { return lines.joined(separator: "\n") }
    add("shows", reading.detected?.rawValue ?? reading.failure?.shows?.rawValue ?? "no document that is known")
    for line in reading.mrz?.lines ?? [] { add("mrz", line) }
    for other in reading.mrz?.alternatives ?? [] {
      add("doubtful", "line \(other.line + 1), character \(other.position + 1): \(other.from), perhaps \(other.to)")
    }
    for (field, value) in (reading.visualZone?.values ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      add(field.rawValue, "\(value.text)  (\(Int((value.confidence * 100).rounded())) %)")
    }
    if let barcode = reading.barcode {
      add("barcode", "\(barcode.licence.number ?? "–") AAMVA \(barcode.licence.version)")
    }
    if let qr = reading.qr { add("qr", qr.values.keys.map(\.rawValue).sorted().joined(separator: ", ")) }
    add("faces", "\(reading.faces.count) (\(reading.faces.detector))")
    for check in reading.checks {
      add(
        check.code.rawValue,
        check.result.rawValue + (check.fields.isEmpty ? "" : ": " + check.fields.joined(separator: ", ")))
    }
    for issue in reading.quality.issues { add(issue.severity.rawValue, "\(issue.code.rawValue): \(issue.text)") }
    if let failure = reading.failure {
      add("failure", "\(failure.code.rawValue): \(failure.fields.joined(separator: ", "))")
    }
    if let total = entry.milliseconds?["total"] { add("time", "\(Int(total)) ms") }
    return lines.joined(separator: "\n")
  }
}
