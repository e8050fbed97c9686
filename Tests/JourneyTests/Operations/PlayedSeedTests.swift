// SPDX-License-Identifier: Apache-2.0
import Foundation
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

  @Test(
    "a misspelt name of a case is refused before a store is made",
    .enabled(if: PlayedPagesTests.isPlayable, "needs the programs beside the tests"))
  func misspelt() throws {
    let folder = try TestFolder()
    let lab = try #require(ServedProcess.program).deletingLastPathComponent().appending(path: "gatehouse-lab")
    let (seed, output) = (ChildProcess(), Pipe())
    seed.executableURL = lab
    seed.arguments = ["seed", "--data", folder.file("data"), "--only", "chat", "--only", "rubix-cal"]
    (seed.standardOutput, seed.standardError) = (output, output)
    try seed.run()
    let told = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    seed.waitUntilExit()
    #expect(seed.terminationStatus == 64, "\(told)")
    #expect(told.contains("no case is named rubix-cal; they are rubix-call, "), "\(told)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
  }
}
