// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An instant on the wire: RFC 3339 in UTC, written with `Z` (rubix-onboarding §1), to the millisecond.
public struct WireInstant: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public let millisecondsSince1970: Int64

  /// The instant that lies so many milliseconds after 1970-01-01T00:00:00Z.
  public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

  /// Milliseconds since 1970 of the years 1 to 9999: no others are written.
  package static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The instant of a Foundation date, rounded to the millisecond. Dates outside the years 1…9999 are held at that
  /// edge; one that is no number, as an app's arithmetic may make it, is 1970-01-01.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let (first, last) = (Double(Self.range.lowerBound), Double(Self.range.upperBound))
    millisecondsSince1970 = milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, first), last))
  }

  /// The instant as a Foundation date.
  public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }

  /// Reads `2026-11-21T06:00:00Z`, with any fraction of a second, of which three digits are kept.
  /// - Returns: nil for anything else; other offsets than `Z` are refused.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, let day = WireDate(String(text.prefix(10))) else { return nil }
    guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes.last == UInt8(ascii: "Z"),
      let hour = Digits.read(bytes[11..<13]), let minute = Digits.read(bytes[14..<16]),
      let second = Digits.read(bytes[17..<19]), hour < 24, minute < 60, second < 60
    else { return nil }
    var milliseconds = 0
    let fraction = bytes[19..<(bytes.count - 1)]
    if !fraction.isEmpty {
      guard fraction.first == UInt8(ascii: "."), fraction.count > 1,
        fraction.dropFirst().allSatisfy({ Digits.range.contains($0) })
      else { return nil }
      let kept = fraction.dropFirst().prefix(3)
      milliseconds = kept.reduce(0) { $0 * 10 + Int($1 - Digits.range.lowerBound) }
      for _ in kept.count..<3 { milliseconds *= 10 }
    }
    let seconds = ((day.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
    millisecondsSince1970 = Int64(seconds) * 1000 + Int64(milliseconds)
  }

  /// `2026-11-21T06:00:00Z`; the fraction appears, with three digits, only when it is not zero.
  public var description: String {
    let (seconds, milliseconds) = millisecondsSince1970.quotientAndModulo(dividingBy: 1000)
    let (days, second) = seconds.quotientAndModulo(dividingBy: 86_400)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { Digits.pad($0, to: 2) }.joined(separator: ":")
    let fraction = milliseconds == 0 ? "" : "." + Digits.pad(milliseconds, to: 3)
    return "\(WireDate(daysSince1970: Int(days)))T\(clock)\(fraction)Z"
  }

  /// Reads the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let instant = WireInstant(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 instant in UTC")
    }
    self = instant
  }

  /// Writes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Earlier before later.
  public static func < (left: WireInstant, right: WireInstant) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}

extension Int64 {
  /// Division that rounds down, so that instants before 1970 come out right.
  fileprivate func quotientAndModulo(dividingBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
