// SPDX-License-Identifier: Apache-2.0

package import GatehouseWire

/// An instant as banks write it: ISO 8601 with any fraction, `Z`, an offset, or nothing, which means UTC
/// (specification §2).
package enum PayloadInstant {
  private static let secondsLength = 19
  private static let bytesMax = 64

  /// - Returns: nil for anything else, and for what an offset puts outside of the years 1 to 9999.
  package static func read(_ text: String) -> WireInstant? {
    guard text.utf8.count <= bytesMax, text.utf8.allSatisfy({ $0 < 0x80 }), text.utf8.count >= secondsLength else {
      return nil
    }
    let (local, rest) = (text.prefix(secondsLength), text.dropFirst(secondsLength))
    let fraction = rest.prefix { $0 == "." || $0.isNumber }
    let zone = rest.dropFirst(fraction.count)
    // Three digits are kept of any number.
    guard let instant = WireInstant("\(local)\(fraction.prefix(4))Z"),
      fraction.dropFirst().allSatisfy(\.isNumber), let offset = minutes(zone)
    else { return nil }
    let milliseconds = instant.millisecondsSince1970 - offset * 60_000
    return WireInstant.range.contains(milliseconds) ? WireInstant(millisecondsSince1970: milliseconds) : nil
  }

  /// East of Greenwich.
  private static func minutes(_ zone: Substring) -> Int64? {
    if zone.isEmpty || zone == "Z" { return 0 }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard let sign = zone.first, sign == "+" || sign == "-", zone.count == 5 || zone.count == 6,
      zone.count == 5 || zone.dropFirst(3).first == ":", digits.count == 4, digits.allSatisfy(\.isNumber),
      let hours = Int64(digits.prefix(2)), let minutes = Int64(digits.suffix(2)), hours <= 18, minutes < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
  }
}
