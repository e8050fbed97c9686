import Kit
import TestSupport
import Testing

@Suite("Kit: the notifier", .storeless, .timeLimit(.minutes(1)))
struct BellTests {
  @Test("a ring before the wait is kept")
  func kept() async {
    let notifier = Notifier()
    notifier.notify()
    await notifier.wait()
  }

  @Test("many rings wake once: the next wait goes on waiting")
  func coalesced() async {
    let notifier = Notifier()
    for _ in 0..<5 { notifier.notify() }
    await notifier.wait()
    let second = Task { await notifier.wait() }
    second.cancel()
    await second.value
  }

  @Test("a ring during the wait ends it")
  func rung() async {
    let notifier = Notifier()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await notifier.wait() }
      group.addTask { notifier.notify() }
      await group.waitForAll()
    }
  }

  @Test("a cancelled wait ends, before it began or after")
  func cancelled() async {
    for _ in 0..<200 {
      let notifier = Notifier()
      let waiting = Task { await notifier.wait() }
      waiting.cancel()
      await waiting.value
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
    // Would not return if the ring had been lost.
    await notifier.wait()
  }

  @Test("no ring is lost between threads that ring and one that waits")
  func raced() async {
    let notifier = Notifier()
    for _ in 0..<500 {
      let ringing = Task.detached { notifier.notify() }
      await notifier.wait()
      await ringing.value
    }
  }

  @Test("a wait with a limit ends without a ring, and leaves the next ring to the next")
  func limited() async {
    let notifier = Notifier()
    await notifier.wait(atMost: .milliseconds(1))
    notifier.notify()
    await notifier.wait(atMost: .seconds(50))
  }
}
