// SPDX-License-Identifier: Apache-2.0

/// One code as the secure screen shows it (specification §7.4).
public struct SecureScreenCode: Sendable, Hashable {
  /// Eleven digits, the last of which checks the others.
  public let digits: String
  /// The step's number modulo 100, shown beside the code.
  public let hint: Int

  /// - Precondition: the payload is ten digits.
  init(payload: String, counter: UInt64) {
    digits = payload + String(Luhn.checkDigit(payload.digitValues ?? []))
    hint = Int(counter % 100)
  }

  /// `ddddd ddddd d`, as it is shown.
  public var shown: String { "\(digits.prefix(5)) \(digits.dropFirst(5).prefix(5)) \(digits.suffix(1))" }

  /// Two digits, as it is shown.
  public var shownHint: String { hint < 10 ? "0\(hint)" : "\(hint)" }

  /// Whether a text is eleven digits with the right check digit.
  public static func isWellFormed(_ digits: String) -> Bool {
    guard digits.utf8.count == RollingCode.digitsCount, let values = digits.digitValues else { return false }
    return Luhn.isValid(values)
  }
}
