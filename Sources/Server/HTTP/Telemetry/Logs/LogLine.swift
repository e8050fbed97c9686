// SPDX-License-Identifier: Apache-2.0

import Kit
import Logging

/// How lines are written.
package enum LogFormat: String, Sendable, CaseIterable {
  /// For people at a terminal.
  case text
  /// For collectors: one JSON object a line.
  case json
}

/// One record, already scrubbed, on its way to the log.
package struct LogLine: Sendable, Equatable {
  package let time: Instant
  package let level: Logger.Level
  package let logger: String
  package let message: String
  /// By key, ascending.
  package let metadata: [Pair]

  package struct Pair: Sendable, Equatable {
    package let key: String
    package let value: String

    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  package init(time: Instant, level: Logger.Level, logger: String, message: String, metadata: [Pair]) {
    self.time = time
    self.level = level
    self.logger = logger
    self.message = message
    self.metadata = metadata
  }

  package func text(_ format: LogFormat) -> String {
    switch format {
    case .text:
      let pairs = metadata.map { " \($0.key)=\(Self.printable($0.value))" }.joined()
      return "\(Self.stamp(time)) \(level.rawValue) \(logger): \(Self.printable(message))\(pairs)\n"
    case .json:
      var text = "{\"time\":\"\(Self.stamp(time))\",\"level\":\"\(level.rawValue)\",\"logger\":"
      text += Self.quoted(logger) + ",\"message\":" + Self.quoted(message)
      for pair in metadata { text += ",\(Self.quoted(pair.key)):\(Self.quoted(pair.value))" }
      return text + "}\n"
    }
  }

  /// RFC 3339 in UTC with milliseconds. By arithmetic: a formatter would cost more than the rest of the line.
  static func stamp(_ time: Instant) -> String {
    let day = Int((Double(time.milliseconds) / 86_400_000).rounded(.down))
    let rest = Int(time.milliseconds) - day * 86_400_000
    // Days to a date of the Gregorian calendar, in years that begin in March.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = [padded(year, 4), padded(month, 2), padded(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, 2)]
    let clock = [padded(rest / 3_600_000, 2), padded(rest / 60_000 % 60, 2), padded(rest / 1000 % 60, 2)]
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "." + padded(rest % 1000, 3) + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// A value may not begin a new line, or move the cursor of a terminal.
  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// RFC 8259 §7.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case _ where isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
