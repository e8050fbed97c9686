// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a signature is written (powerauth.md §5.3).
public enum SignatureFormat: Hashable, Sendable {
  /// The second half of every component, together in Base64: 24, 44 or 64 characters.
  case base64
  /// Digits of every component with dashes between.
  case decimal(DecimalLength)

  /// Digits of a component, 4 to 8.
  public struct DecimalLength: Hashable, Sendable {
    public static let range = 4...8
    public static let standard = DecimalLength(checked: 8)

    public let digits: Int

    private init(checked digits: Int) {
      self.digits = digits
    }

    /// - Throws: `malformed` outside of 4 to 8.
    public init(_ digits: Int) throws(PowerAuthError) {
      guard Self.range.contains(digits) else { throw .malformed(.signature) }
      self.digits = digits
    }
  }

  /// Characters of a signature of so many factors.
  public func length(factors: Int) -> Int {
    switch self {
    case .base64: (factors * 16 + 2) / 3 * 4
    case .decimal(let length): factors * (length.digits + 1) - 1
    }
  }

  /// - Parameter components: 32 bytes for each factor.
  func text(of components: [Data]) -> String {
    switch self {
    case .base64: components.map { $0.suffix(16) }.reduce(Data(), +).base64EncodedString()
    case .decimal(let length): components.map { decimalDigits(of: $0, count: length.digits) }.joined(separator: "-")
    }
  }
}
