// SPDX-License-Identifier: Apache-2.0

public import Foundation
import GatehouseWire

extension FinapticAPI {
  /// An instant on the wire: RFC 3339 in UTC, written with six digits of a second and `Z` (finaptic §10.3).
  public struct Instant: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let microsecondsSince1970: Int64

    /// The instant that lies so many microseconds after 1970-01-01T00:00:00Z.
    public init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    /// The instant that lies so many milliseconds after 1970-01-01T00:00:00Z.
    public init(millisecondsSince1970: Int64) { microsecondsSince1970 = millisecondsSince1970 * 1000 }

    /// The instant of a Foundation date, rounded to the microsecond. Dates outside the years 1…9999 are held at
    /// that edge; one that is no number, as an app's arithmetic may make it, is 1970-01-01.
    public init(_ date: Date) {
      let interval = date.timeIntervalSince1970
      let seconds = interval.isNaN ? 0 : min(max(interval, -62_135_596_800), 253_402_300_799)
      microsecondsSince1970 = Int64((seconds * 1_000_000).rounded())
    }

    /// The instant as a Foundation date.
    public var date: Date { Date(timeIntervalSince1970: Double(microsecondsSince1970) / 1_000_000) }

    /// Rounded down.
    public var millisecondsSince1970: Int64 {
      let (quotient, remainder) = microsecondsSince1970.quotientAndRemainder(dividingBy: 1000)
      return remainder < 0 ? quotient - 1 : quotient
    }

    /// Reads `2026-11-21T06:00:00.123456Z`, with any fraction of a second, of which six digits are kept, and any
    /// offset such as `-05:00`.
    /// - Returns: nil for anything else, for days that do not exist, and for what an offset puts outside of the years
    ///   1 to 9999 in UTC, which could not be written.
    public init?(_ text: String) {
      let bytes = Array(text.utf8)
      guard bytes.count >= 20, bytes.count <= 40, let day = WireDate(String(text.prefix(10))) else { return nil }
      guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
        let hour = Digits.read(bytes[11..<13]), let minute = Digits.read(bytes[14..<16]),
        let second = Digits.read(bytes[17..<19]), hour < 24, minute < 60, second < 60
      else { return nil }
      let tail = bytes[19...]
      guard let end = tail.firstIndex(where: { $0 != UInt8(ascii: ".") && !Digits.range.contains($0) }),
        let fraction = Self.microseconds(bytes[19..<end]), let offset = Self.offsetMinutes(bytes[end...])
      else { return nil }
      let seconds = ((day.daysSince1970 * 24 + hour) * 60 + minute - offset) * 60 + second
      guard WireInstant.range.contains(Int64(seconds) * 1000) else { return nil }
      microsecondsSince1970 = Int64(seconds) * 1_000_000 + Int64(fraction)
    }

    private static func microseconds(_ text: ArraySlice<UInt8>) -> Int? {
      if text.isEmpty { return 0 }
      let digits = text.dropFirst()
      guard text.first == UInt8(ascii: "."), !digits.isEmpty, digits.allSatisfy({ Digits.range.contains($0) })
      else { return nil }
      let kept = digits.prefix(6)
      return (kept.count..<6).reduce(kept.reduce(0) { $0 * 10 + Int($1 - Digits.range.lowerBound) }) { value, _ in
        value * 10
      }
    }

    /// Minutes east of UTC.
    private static func offsetMinutes(_ text: ArraySlice<UInt8>) -> Int? {
      if text.elementsEqual("Z".utf8) { return 0 }
      let bytes = Array(text)
      guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = Digits.read(bytes[1..<3]),
        let minutes = Digits.read(bytes[4..<6]), hours < 24, minutes < 60
      else { return nil }
      switch bytes[0] {
      case UInt8(ascii: "+"): return hours * 60 + minutes
      case UInt8(ascii: "-"): return -(hours * 60 + minutes)
      default: return nil
      }
    }

    /// `2026-11-21T06:00:00.000000Z`.
    public var description: String {
      let (second, fraction) = Self.floored(microsecondsSince1970, by: 1_000_000)
      let (day, secondOfDay) = Self.floored(second, by: 86_400)
      let clock = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { Digits.pad($0, to: 2) }
      return "\(WireDate(daysSince1970: Int(day)))T\(clock.joined(separator: ":")).\(Digits.pad(fraction, to: 6))Z"
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
      return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let instant = Self(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 instant")
      }
      self = instant
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }

    /// Earlier before later.
    public static func < (left: Self, right: Self) -> Bool {
      left.microsecondsSince1970 < right.microsecondsSince1970
    }
  }
}
