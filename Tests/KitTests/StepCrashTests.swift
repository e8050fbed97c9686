import CrashTrials
import Testing
import TestSupport

@Suite("Crash: a step is whole or not there", .storeless)
struct StepCrashTests {
  @Test(
    "row, audit line, effect and answer agree after each of forty kills, and nothing that was acknowledged is missing",
    .enabled(if: CrashWriterProgram.url != nil, "no CrashWriter was built"), .timeLimit(.minutes(2)))
  func kills() async throws {
    let folder = try TestFolder()
    var loop = CrashLoop(writer: try #require(CrashWriterProgram.url), seed: 3, folder: folder.path)
    for _ in 0..<40 { try await loop.kill() }
    #expect(loop.counts.faults == [])
    #expect(loop.counts.kills == 40 && loop.counts.acknowledged > 0)
  }
}
