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
    _ = Transcript.take()
    OnboardingSamples.initialize()
    let lines = await Transcript.next()
    #expect(lines == ["Initialization failed: INVALID_ARGUMENT: The SDK key is empty."])
  }
}

extension Transcript {
  /// What is printed next, on the main queue.
  static func next() async -> [String] {
    while lines.isEmpty { await Task.yield() }
    return take()
  }
}
