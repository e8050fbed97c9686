/// How often an applicant may fail (finaptic §5.5): the first failed validation is no retry, each later one uses one.
package struct RetryRule: Sendable, Equatable {
  /// What `remainingAllowedRetries` begins with.
  package var maxRetries = 3

  package init() {}

  /// After so many failures.
  package func remaining(after failures: Int) -> Int { min(maxRetries, max(0, maxRetries + 1 - failures)) }

  /// Whether that many failures are one too many.
  package func isExhausted(after failures: Int) -> Bool { failures > maxRetries }
}
