// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What one request used up of the limits that are the caller's own, for its answer to say. A limit whose use tells of
/// another person, such as of the owner of a phone number, is not entered.
package final class RateUsage: Sendable {
  /// Of the request that this task serves.
  @TaskLocal package static var current: RateUsage?

  private let entries = Mutex<[RateLimit: RateLimit.Usage]>([:])

  package init() {}

  /// The last word on each limit, by name.
  package var usages: [RateLimit.Usage] {
    entries.withLock { $0.values.sorted { $0.policy.name < $1.policy.name } }
  }

  package func note(_ usage: RateLimit.Usage) { entries.withLock { $0[usage.policy] = usage } }
}
