// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The values of `format` that the document may use. Each is asserted, not merely noted.
enum StringFormat: String, CaseIterable {
  case date, uuid, email, uri
  case dateTime = "date-time"

  func accepts(_ text: String) -> Bool {
    switch self {
    case .date: Self.isDate(text[...])
    case .dateTime: Self.isDateTime(text)
    case .uuid: text.wholeMatch(of: #/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/#) != nil
    case .email: text.wholeMatch(of: #/[^@\s]+@[^@\s.]+(\.[^@\s.]+)*/#) != nil
    case .uri: text.wholeMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:[^\s]+/#) != nil
    }
  }

  /// `YYYY-MM-DD`, a day that exists.
  private static func isDate(_ text: Substring) -> Bool {
    guard let match = text.wholeMatch(of: #/([0-9]{4})-([0-9]{2})-([0-9]{2})/#), let year = Int(match.1),
      let month = Int(match.2), let day = Int(match.3)
    else { return false }
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && (1...days[month - 1]).contains(day)
  }

  /// RFC 3339 §5.6.
  private static func isDateTime(_ text: String) -> Bool {
    let form = #/(.{10})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(Z|[+\-]([0-9]{2}):([0-9]{2}))/#
    guard let match = text.wholeMatch(of: form), isDate(match.1), let hour = Int(match.2), let minute = Int(match.3),
      let second = Int(match.4)
    else { return false }
    let offset = (match.7.flatMap { Int($0) } ?? 0, match.8.flatMap { Int($0) } ?? 0)
    return hour < 24 && minute < 60 && second <= 60 && offset.0 < 24 && offset.1 < 60
  }
}

/// `pattern` of JSON Schema: found anywhere in the text unless anchored.
struct TextPattern {
  private let expression: NSRegularExpression

  /// - Returns: nil when the pattern is not a regular expression.
  init?(_ pattern: String) {
    // ECMA 262 lets `$` match at the very end only; here it would also match before a last line feed.
    let exact = pattern.hasSuffix("$") && !pattern.hasSuffix("\\$") ? pattern + "(?!\\n)" : pattern
    guard let expression = try? NSRegularExpression(pattern: exact) else { return nil }
    self.expression = expression
  }

  func accepts(_ text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
