// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticSamples
import Testing

/// That the samples compile is the larger part of the test; these run without a server.
@Suite("Finaptic: samples without a server", .serialized)
@MainActor
struct OfflineSamplesTests {
  @Test("an invalid key is told at once, with its code")
  func wrongKey() async throws {
    let told = await Transcript.heard { OnboardingSamples.initialize() }
    #expect(told == "Initialization failed: INVALID_ARGUMENT: The SDK key is empty.")
  }

  @Test("of samples that are played beside each other each is heard, and none takes another one's line away")
  func beside() async {
    let played = (0..<20).map { _ in Task { await Transcript.heard { OnboardingSamples.initialize() } } }
    var all: [String] = []
    for one in played { all.append(await one.value) }
    #expect(all.count { $0.hasPrefix("Initialization failed") } == 20)
    #expect(Transcript.lines.isEmpty)
  }
}
