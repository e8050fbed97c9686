// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// The figures as a table for other programs (RFC 4180), in English and with a full stop in numbers.
package enum FiguresCSV {
  static func text(_ rows: [FlowFigures.Row]) -> String {
    let head = ["flow", "from", "event", "to", "is_last", "moves", "timed", "mean_seconds"]
    let lines = rows.map { row in
      let mean = row.timed > 0 ? row.time.inSeconds / Double(row.timed) : nil
      return [row.flow, row.from, row.event, row.to, row.isLast ? "1" : "0", "\(row.moves)", "\(row.timed)"]
        + [mean.map { String(format: "%.3f", locale: Locale(identifier: "en_US_POSIX"), $0) } ?? ""]
    }
    return ([head] + lines).map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
  }

  private static let formulaMarks = "=+-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".unicodeScalars

  /// A spreadsheet takes a text that begins so for a formula: an apostrophe before it makes it a text again. One that
  /// is set to another language parts cells at semicolons or tabs, so that behind these a text begins as well, also
  /// inside of quotation marks: these are doubled, and one that reads two of them takes what follows for the text.
  package static func field(_ text: String) -> String {
    var (kept, isStart) = ("".unicodeScalars, true)
    for scalar in text.unicodeScalars {
      if isStart, formulaMarks.contains(scalar) { kept.append("'") }
      kept.append(scalar)
      isStart = ";\t\r\n".unicodeScalars.contains(scalar) || isStart && (scalar == " " || scalar == "\"")
    }
    let text = String(kept)
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
