// SPDX-License-Identifier: Apache-2.0

/// End-to-end encryption of requests and answers: named numbers that both ends keep to (powerauth.md §4).
public enum ECIES {
  static let macBytes = 32
  static let nonceBytes = 16
  /// Bytes of the largest plaintext.
  public static let plaintextMax = 16 * 1024 * 1024

  /// Milliseconds for which a server remembers requests, and by which their time may be off.
  public static let lifetime: UInt64 = 60_000
  /// The same for versions without a timestamp, whose requests could be repeated for ever.
  public static let lifetimeWithoutTimestamp: UInt64 = 7_200_000

  /// How long, in milliseconds, a server remembers the requests of a version.
  public static func lifetime(of version: ProtocolVersion) -> UInt64 {
    version.hasTimestamp ? lifetime : lifetimeWithoutTimestamp
  }

  /// Whether a request's time is near enough, both in milliseconds since 1970. The reference server takes old
  /// requests, and so takes them once more when it has forgotten them; this one does not.
  public static func isTimely(_ timestamp: UInt64, now: UInt64) -> Bool {
    (timestamp > now ? timestamp - now : now - timestamp) <= lifetime
  }
}
