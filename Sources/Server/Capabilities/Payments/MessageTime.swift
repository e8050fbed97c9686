// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// A date and time of a message (`ISODateTime`, that is `xs:dateTime`), kept as it was written.
package struct MessageTime: Sendable, Equatable {
  package let text: String

  /// The day, by the clock that the sender wrote it with.
  package let day: CalendarDate

  /// - Returns: nil unless it is `YYYY-MM-DDThh:mm:ss`, with an optional fraction and an optional offset from UTC.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes[10] == UInt8(ascii: "T"), let day = CalendarDate(text.prefix(10)),
      Self.isClock(bytes[11..<19])
    else { return nil }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (48...57).contains($0) }
      guard (1...9).contains(digits.count) else { return nil }
      rest = rest.dropFirst(1 + digits.count)
    }
    guard Self.isOffset(String(decoding: rest, as: UTF8.self)) else { return nil }
    (self.text, self.day) = (text, day)
  }

  private static func isClock(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(twoDigits)
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] else { return false }
    return hour < 24 && minute < 60 && second < 60
  }

  private static func twoDigits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == 2, bytes.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  /// Whether a text is nothing, `Z`, or `+hh:mm` and `-hh:mm` up to 14 hours.
  static func isOffset(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    if bytes.isEmpty || bytes == [UInt8(ascii: "Z")] { return true }
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"), let hours = twoDigits(bytes[1..<3]), let minutes = twoDigits(bytes[4..<6])
    else { return false }
    return hours < 14 && minutes < 60 || hours == 14 && minutes == 0
  }
}
