// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The values of `format` that the document may use. Each is asserted, not merely noted.
enum StringFormat: String, CaseIterable {
  case date, uuid, email, uri
  case dateTime = "date-time"

  /// Byte by byte: each answer of each test has some, and a regular expression is compiled anew at each use.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .date: Self.isDate(text.utf8[...])
    case .dateTime: Self.isDateTime(text.utf8[...])
    case .uuid: Self.isUUID(text.utf8[...])
    case .email: Self.isEmail(text)
    case .uri: Self.isURI(text)
    }
  }

  /// RFC 9562 §4.
  private static func isUUID(_ text: Bytes) -> Bool {
    let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(isHex) }
  }

  /// Something, `@`, and labels with points between them; nowhere a blank.
  private static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !text.contains(where: \.isWhitespace)
      && parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }

  /// A scheme (RFC 3986 §3.1), and something behind it without a blank.
  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first, isLetter(first) else {
      return false
    }
    let rest = text[text.utf8.index(after: colon)...]
    return text.utf8[..<colon].allSatisfy { isLetter($0) || isDigit($0) || "+.-".utf8.contains($0) } && !rest.isEmpty
      && !rest.contains(where: \.isWhitespace)
  }

  /// `YYYY-MM-DD`, a day that exists.
  private static func isDate(_ text: Bytes) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, let year = number(parts[0], digits: 4), let month = number(parts[1], digits: 2),
      let day = number(parts[2], digits: 2)
    else { return false }
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && (1...days[month - 1]).contains(day)
  }

  /// RFC 3339 §5.6.
  private static func isDateTime(_ text: Bytes) -> Bool {
    guard text.count >= 20, isDate(text.prefix(10)), text.dropFirst(10).first == UInt8(ascii: "T") else { return false }
    let time = text.dropFirst(11)
    guard isClock(time.prefix(8), seconds: 61) else { return false }
    var rest = time.dropFirst(8)
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.elementsEqual("Z".utf8) { return true }
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
    return isClock(rest.dropFirst(), seconds: nil)
  }

  /// `HH:MM`, and `:SS` where seconds are below a bound.
  private static func isClock(_ text: Bytes, seconds: Int?) -> Bool {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let bounds = [24, 60] + (seconds.map { [$0] } ?? [])
    return parts.count == bounds.count
      && zip(parts, bounds).allSatisfy { part, bound in number(part, digits: 2).map { $0 < bound } ?? false }
  }

  private typealias Bytes = Substring.UTF8View

  private static func number(_ text: Bytes, digits: Int) -> Int? {
    text.count == digits && text.allSatisfy(isDigit) ? Int(Substring(text)) : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  private static func isHex(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
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
