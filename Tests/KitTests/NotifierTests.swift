// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("Kit: the notifier", .storeless, .timeLimit(.minutes(1)))
struct NotifierTests {
  /// How long a wait takes that ends by itself after `limit`.
  private func duration(of notifier: Notifier, atMost limit: Duration = .seconds(50)) async -> Duration {
    await ContinuousClock().measure { await notifier.wait(atMost: limit) }
  }

  @Test("a ring before the wait is kept")
  func kept() async {
    let notifier = Notifier()
    notifier.notify()
    #expect(await duration(of: notifier) < .seconds(50))
  }

  @Test("many rings wake once: the next wait goes on waiting")
  func coalesced() async {
    let notifier = Notifier()
    for _ in 0..<5 { notifier.notify() }
    #expect(await duration(of: notifier) < .seconds(50))
    #expect(await duration(of: notifier, atMost: .milliseconds(20)) >= .milliseconds(20))
  }

  @Test("a ring during the wait ends it")
  func rung() async {
    let notifier = Notifier()
    async let waited = duration(of: notifier)
    notifier.notify()
    #expect(await waited < .seconds(50))
  }

  @Test("a cancelled wait ends, before it began or after")
  func cancelled() async {
    for _ in 0..<200 {
      let notifier = Notifier()
      let waiting = Task { await duration(of: notifier) }
      waiting.cancel()
      #expect(await waiting.value < .seconds(50))
    }
  }

  @Test("a cancelled wait leaves the ring to the next")
  func cancelledKeepsRing() async {
    let notifier = Notifier()
    notifier.notify()
    let gate = Notifier()
    let cancelled = Task {
      await gate.wait()
      await notifier.wait()
    }
    cancelled.cancel()
    await cancelled.value
    #expect(await duration(of: notifier) < .seconds(50), "the ring was lost")
  }

  @Test("no ring is lost between threads that ring and one that waits")
  func raced() async {
    let notifier = Notifier()
    for _ in 0..<500 {
      let ringing = Task.detached { notifier.notify() }
      #expect(await duration(of: notifier) < .seconds(50))
      await ringing.value
    }
  }

  @Test("a wait with a limit ends without a ring, and leaves the next ring to the next")
  func limited() async {
    let notifier = Notifier()
    #expect(await duration(of: notifier, atMost: .milliseconds(1)) >= .milliseconds(1))
    notifier.notify()
    #expect(await duration(of: notifier) < .seconds(50))
  }
}
