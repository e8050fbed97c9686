// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The pages that `PlayedPagesTests` leaves out. Each of the two is in another program of `make test` (Makefile): one
/// that played all pages would end after all others.
@Suite("Operations: pages that need a seed or take long, word for word", .storeless)
struct PlayedSeedTests {
  @Test(
    "every shell line of pages that need the seed of a sandbox, or take long, does what it says",
    .enabled(if: PlayedPagesTests.isPlayable, "needs python3, jq, curl and the programs beside the tests"),
    .timeLimit(.minutes(30)))
  func pages() throws { try PlayedPagesTests.play("play-pages", "--only", "seed", "--only", "long") }
}
