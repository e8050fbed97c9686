// SPDX-License-Identifier: Apache-2.0

/// Until when a signature holds, on both wires.
public enum SignatureExpiry {
  /// What apps sign for: now and five minutes.
  public static let secondsByDefault: Int64 = 300
  /// How far ahead an expiry may be: the hour that the documentation of v1 tells, and ours for v2 too.
  public static let secondsAheadMax: Int64 = 3600

  /// - Parameters: instants in seconds since 1970, UTC.
  /// - Throws: `signatureExpired` unless now < expiry ≤ now + the maximum.
  static func check(_ expiresAt: Int64, now: Int64, secondsAheadMax: Int64) throws(SaltEdgeError) {
    let (limit, overflow) = now.addingReportingOverflow(secondsAheadMax)
    guard now < expiresAt, overflow || expiresAt <= limit else { throw .signatureExpired }
  }
}
