// SPDX-License-Identifier: Apache-2.0

/// Work that a server does again and again while it runs, as ending what time ends and deleting old rows.
package struct ScheduledJob: Sendable {
  /// One word, as it stands in the log and as a metric's label.
  package let name: String
  /// How long it rests after a run that succeeded, and after one that failed.
  package let interval: Duration
  package let retryInterval: Duration
  package let run: @Sendable () async throws -> Void

  /// - Parameter retryInterval: nil is the interval.
  package init(
    _ name: String, every interval: Duration = .seconds(30), retryAfter retryInterval: Duration? = nil,
    run: @escaping @Sendable () async throws -> Void
  ) {
    precondition(!name.contains(" "), "The log withholds a job's name that is more than one word.")
    self.name = name
    self.interval = interval
    self.retryInterval = retryInterval ?? interval
    self.run = run
  }
}
