// SPDX-License-Identifier: Apache-2.0

import Testing

/// Lets others run until something is so.
/// - Throws: when that takes longer than five minutes, or the test is cancelled, as by its time limit: a loop that does
///   not look would go on for ever, and hold up the whole run.
package func waitUntil(
  _ what: String, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(300)
  while try await !isSo() {
    try Task.checkCancellation()
    try #require(ContinuousClock.now < end, "It never came that \(what).", sourceLocation: sourceLocation)
    await Task.yield()
  }
}

/// Lets others run until the task is cancelled.
package func waitUntilCancelled() async {
  let (never, held) = AsyncStream.makeStream(of: Never.self)
  for await _ in never {}
  withExtendedLifetime(held) {}
}
