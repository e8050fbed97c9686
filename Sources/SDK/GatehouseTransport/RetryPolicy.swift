// SPDX-License-Identifier: Apache-2.0

/// How often and how long to wait before asking again: exponential, with full jitter, bounded.
public struct RetryPolicy: Sendable, Equatable {
  /// Attempts in all, the first included.
  public var attemptsMax: Int
  /// Upper end of the first wait; it doubles with each further one.
  public var delayBase: Duration
  /// Upper end of any wait that we choose ourselves.
  public var delayMax: Duration
  /// Longest `Retry-After` that is waited for; a longer one is the caller's to handle.
  public var retryAfterMax: Duration
  /// Statuses that mean "not now". 429 and 503 come from the server, 502 and 504 from a proxy before it.
  public var statuses: Set<Int>

  /// Creates the policy.
  public init(
    attemptsMax: Int = 4,
    delayBase: Duration = .milliseconds(250),
    delayMax: Duration = .seconds(4),
    retryAfterMax: Duration = .seconds(10),
    statuses: Set<Int> = [429, 502, 503, 504]
  ) {
    self.attemptsMax = attemptsMax
    self.delayBase = delayBase
    self.delayMax = delayMax
    self.retryAfterMax = retryAfterMax
    self.statuses = statuses
  }

  /// One attempt only.
  public static let never = RetryPolicy(attemptsMax: 1)

  /// The wait before the next attempt.
  /// - Parameters:
  ///   - attempt: How many attempts were made, counted from 1.
  ///   - retryAfter: What the server asked for. Never undercut; jitter is added so that clients do not return together.
  ///   - unit: A random number in 0..<1.
  /// - Returns: nil when no further attempt is to be made.
  public func delay(after attempt: Int, retryAfter: Duration?, unit: Double) -> Duration? {
    guard attempt < attemptsMax else { return nil }
    let doublings = min(max(attempt - 1, 0), 16)
    let ceiling = min(delayMax, delayBase * (1 << doublings))
    guard let retryAfter else { return ceiling * unit }
    guard retryAfter <= retryAfterMax else { return nil }
    return retryAfter + min(ceiling, delayBase) * unit
  }
}
