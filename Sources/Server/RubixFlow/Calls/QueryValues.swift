// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import GatehouseWire
import Hummingbird
import Kit
import RubixWire
import Scheduling

/// The query of a request, each value checked before it is used.
struct QueryValues {
  private let values: Parameters

  init(_ request: Request) { values = request.uri.queryParameters }

  /// Nil when it was not given or is empty.
  func text(_ name: String) -> String? {
    values.get(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads a value.
  /// - Throws: `Problem` validation-failed when it was given in another form.
  func value<Value>(_ name: String, _ hint: String, _ read: (String) -> Value?) throws -> Value? {
    guard let text = text(name) else { return nil }
    guard text.utf8.count <= 512, let value = read(text) else {
      throw Problem.validation([.init("/\(name)", "format", hint)])
    }
    return value
  }

  func date(_ name: String) throws -> CalendarDate? {
    try value(name, "A day of the calendar, as YYYY-MM-DD.") { CalendarDate($0[...]) }
  }

  func instant(_ name: String) throws -> Instant? {
    try value(name, "A time in UTC, as 2026-11-22T08:00:00Z.") { WireInstant($0).map { Instant($0) } }
  }

  func boolean(_ name: String) throws -> Bool? {
    try value(name, "true or false.") { Bool($0) }
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    try value(name, "A whole number from \(range.lowerBound) to \(range.upperBound).") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// `gender` and `language` of an agent.
  func preference() throws -> AgentPreference {
    AgentPreference(
      gender: try value("gender", AgentPreference.genderHint) { AgentPreference.gender($0) },
      language: try value("language", AgentPreference.languageHint) { AgentPreference.language($0) })
  }
}

extension AgentPreference {
  static let genderHint = "F or M."
  static let languageHint = "A language tag such as en or ar-KW."

  static func gender(_ text: String) -> String? { Gender(rawValue: text).isKnown ? text : nil }

  /// The shape of a short BCP 47 tag: two or three letters, then parts of two to eight letters or digits.
  static func language(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let first = parts.first, (2...3).contains(first.count),
      first.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return nil }
    let rest = parts.dropFirst().allSatisfy { part in
      (2...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    return rest ? text : nil
  }
}

extension Request {
  /// An id in a path or query is a UUID or names nothing.
  /// - Throws: `Problem` not-found.
  static func identifier<Subject>(_ text: String?) throws -> Identifier<Subject> {
    let text = (text ?? "").lowercased()
    let isUUID =
      text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index)
          ? byte == UInt8(ascii: "-") : (48...57).contains(byte) || (97...102).contains(byte)
      }
    guard isUUID else { throw Problem.notFound }
    return Identifier(rawValue: text)
  }
}
