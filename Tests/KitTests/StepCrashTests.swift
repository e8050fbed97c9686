// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Storage
import Testing
import TestSupport

@Suite("Crash: a step is whole or not there", .storeless)
struct StepCrashTests {
  @Test(
    "row, audit line, effect and answer agree after each of twenty kills, and nothing that was acknowledged is missing",
    .enabled(if: CrashWriterProgram.url != nil, "no CrashWriter was built"), .timeLimit(.minutes(2)),
    arguments: SQLite.Durability.allCases)
  func kills(durability: SQLite.Durability) async throws {
    let folder = try TestFolder()
    var loop = CrashLoop(writer: try #require(CrashWriterProgram.url), durability, seed: 3, folder: folder.path)
    for _ in 0..<20 { try await loop.kill() }
    #expect(loop.counts.faults == [])
    #expect(loop.counts.kills == 20 && loop.counts.acknowledged > 0)
  }
}
