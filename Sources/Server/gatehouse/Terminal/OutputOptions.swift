// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// How a command prints what it found or did.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, and an error as JSON on standard error.")
  var json = false

  /// Prints a document, or the same in lines for people, who are told at a terminal when there is no line.
  func show(_ document: some Encodable, _ lines: [String]) throws {
    guard !json else { return print(try CommandJSON.document(document)) }
    for line in lines { print(line) }
    if lines.isEmpty, isatty(STDOUT_FILENO) == 1 { StandardError.write("Nothing to show.\n") }
  }

  /// Prints rows, one line each. As JSON they are the member `name` of an object; without rows it is an
  /// empty array.
  func list<Row: Encodable>(_ name: String, _ rows: [Row], line: (Row) -> String) throws {
    try show([name: rows], json ? [] : rows.map(line))
  }

  /// Prints that something was done.
  /// - Parameters:
  ///   - id: of what was made or changed.
  ///   - changed: false when it was so already.
  func done(_ words: String, id: String? = nil, changed: Bool = true) throws {
    try show(Done(id: id, changed: changed, message: words), [words])
  }

  /// What a command without a result prints.
  struct Done: Codable, Equatable {
    var id: String?
    let changed: Bool
    /// The words of the same command without `--json`; they may change.
    let message: String
  }
}
