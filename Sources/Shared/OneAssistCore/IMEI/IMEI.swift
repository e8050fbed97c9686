// SPDX-License-Identifier: Apache-2.0

/// The number of a device: eight digits of type, six of series, a check digit (3GPP TS 23.003 §6.2; specification §5.3).
///
/// Nothing prints it in full by accident: `description` is the redacted form. Code that needs the digits says `digits`.
public struct IMEI: Sendable, Hashable, CustomStringConvertible {
  /// Fifteen ASCII digits, the last of which checks the others.
  public let digits: String

  /// - Returns: nil unless the text is exactly fifteen digits whose check digit is right, not all of them equal, with a
  ///   type that is not all zeros (§5.2, steps 3 and 4). Test numbers are IMEIs; see `isTest`.
  public init?(_ digits: String) {
    guard digits.utf8.count == 15, let values = digits.digitValues, Luhn.isValid(values), Set(values).count > 1,
      values.prefix(8).contains(where: { $0 != 0 })
    else { return nil }
    self.digits = digits
  }

  /// The first eight digits: which make and model (TAC).
  public var typeAllocationCode: String { String(digits.prefix(8)) }

  /// Whether its reporting body is `00`: numbers for tests, refused outside debug mode (§5.2, step 4).
  public var isTest: Bool { digits.hasPrefix("00") }

  /// The type and the last three digits: all that a log may show (§5.5).
  public var description: String { "\(typeAllocationCode)\u{2026}\(digits.suffix(3))" }
}

extension IMEI: CustomReflectable {
  /// Says as little as `description`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
