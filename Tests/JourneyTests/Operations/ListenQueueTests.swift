// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
  "Operations: connections that wait until they are taken", .storeless,
  .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(1)))
struct ListenQueueTests {
  @Test("400 that come at once to a program that is busy are all kept, and none has to try again")
  func kept() throws {
    // The system bounds the queue of every program.
    let most = try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
    try #require(Int(most.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 400)
    let program = try ServedProcess(graceSeconds: 0)
    defer {
      program.kill()
      _ = program.wait()
    }
    let port = try program.port("listening")
    program.pause()
    // One that has no place in the queue waits for a second at least, and here until its patience ends.
    let sockets = try (0..<400).map { _ in try HTTPSocket(port) }
    #expect(sockets.count == 400)
  }
}
