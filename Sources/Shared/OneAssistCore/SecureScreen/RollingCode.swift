// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The code that changes on the secure screen: it proves which phone is in a photo, and when (specification §7.4).
///
/// `HMAC-SHA256(key, sessionId ‖ IMEI ‖ counter)`, the counter as eight bytes with the highest first; its first 64 bits
/// modulo 10^10 as ten digits, then their Luhn digit.
public struct RollingCode: Sendable {
  /// Bytes of a session's key.
  public static let keyBytes = 32
  /// Digits of a code, the check digit included.
  public static let digitsCount = 11
  /// Milliseconds for which a code is shown, where the server says nothing else.
  public static let stepMillisecondsStandard: Int64 = 1000

  /// Milliseconds since 1970 at which the session began, by the server's clock.
  public let issuedAt: Int64
  /// Milliseconds for which a code is shown.
  public let stepMilliseconds: Int64
  private let key: SymmetricKey
  private let bound: Data

  /// - Parameters:
  ///   - sessionID: of the secure screen, as the server names it.
  ///   - imei: the primary one.
  /// - Returns: nil unless the key has 32 bytes and the step is positive.
  public init?(
    key: Data, sessionID: String, imei: IMEI, issuedAt: Int64,
    stepMilliseconds: Int64 = Self.stepMillisecondsStandard
  ) {
    guard key.count == Self.keyBytes, stepMilliseconds > 0 else { return nil }
    self.key = SymmetricKey(data: key)
    bound = Data(sessionID.utf8) + Data(imei.digits.utf8)
    (self.issuedAt, self.stepMilliseconds) = (issuedAt, stepMilliseconds)
  }

  /// How many steps of a session have passed.
  /// - Parameter time: milliseconds since 1970, by the server's clock.
  /// - Returns: nil before the session, and for times that no clock shows.
  public func counter(at time: Int64) -> UInt64? {
    let (elapsed, overflows) = time.subtractingReportingOverflow(issuedAt)
    return overflows || elapsed < 0 ? nil : UInt64(elapsed / stepMilliseconds)
  }

  /// What is shown in one step.
  public func code(_ counter: UInt64) -> SecureScreenCode {
    var message = bound
    withUnsafeBytes(of: counter.bigEndian) { message.append(contentsOf: $0) }
    let mac = HMAC<SHA256>.authenticationCode(for: message, using: key)
    let number = mac.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 10_000_000_000
    let text = String(number)
    return SecureScreenCode(payload: String(repeating: "0", count: 10 - text.utf8.count) + text, counter: counter)
  }

  /// What is shown at a time; nil before the session.
  public func code(at time: Int64) -> SecureScreenCode? { counter(at: time).map(code) }

  /// The step at which a code was shown, the latest when there are several; nil when it was at none of them.
  /// - Parameters:
  ///   - digits: eleven, as they were read.
  ///   - times: milliseconds since 1970 by the server's clock; at most an hour of steps is looked through.
  public func counter(showing digits: String, within times: ClosedRange<Int64>) -> UInt64? {
    guard SecureScreenCode.isWellFormed(digits), let last = counter(at: times.upperBound) else { return nil }
    let first = max(counter(at: times.lowerBound) ?? 0, last - min(last, Self.searchMax))
    return (first...last).last { code($0).digits == digits }
  }

  private static let searchMax: UInt64 = 3600
}
