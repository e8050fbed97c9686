// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: how repetitions wait", .storeless)
struct AnswerPollerTests {
  private final class Pauses: Sendable {
    let all = Mutex<[Duration]>([])
    var total: Duration { all.withLock { $0.reduce(.zero, +) } }

    func patience(waitersMax: Int = 10) -> AnswerPoller {
      AnswerPoller(waitersMax: waitersMax) { [self] duration in all.withLock { $0.append(duration) } }
    }
  }

  @Test("until the work is done, with pauses that grow to a second")
  func done() async throws {
    let pauses = Pauses()
    let looks = Mutex(0)
    let waited = try await pauses.patience().wait(upTo: .seconds(50)) {
      looks.withLock { $0 += 1 }
      return looks.withLock { $0 } < 6
    }
    #expect(waited && looks.withLock { $0 } == 6)
    #expect(pauses.all.withLock { $0 }.map { $0 / .milliseconds(125) } == [1, 2, 4, 8, 8, 8])
  }

  @Test("never much longer than is allowed", arguments: [1, 20, 50])
  func limit(seconds: Int) async throws {
    let pauses = Pauses()
    #expect(try await pauses.patience().wait(upTo: .seconds(seconds)) { true })
    #expect(pauses.total >= .seconds(seconds) && pauses.total < .seconds(seconds + 1))
  }

  @Test("not at all where no caller waits, or where too many do")
  func full() async throws {
    let patience = AnswerPoller(waitersMax: 1) { _ in }
    let inner = Mutex<Bool?>(nil)
    let outer = try await patience.wait(upTo: .seconds(1)) {
      let waited = try await patience.wait(upTo: .seconds(1)) { false }
      inner.withLock { $0 = waited }
      return false
    }
    #expect(outer && inner.withLock { $0 } == false)
    // The place is free again, also after an error.
    struct Gone: Error {}
    await #expect(throws: Gone.self) { try await patience.wait(upTo: .seconds(1)) { throw Gone() } }
    #expect(try await patience.wait(upTo: .seconds(1)) { false })
    #expect(try await !AnswerPoller.none.wait(upTo: .seconds(1)) { false })
    #expect(try await !patience.wait(upTo: .zero) { false })
  }
}
