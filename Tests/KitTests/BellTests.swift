import Kit
import TestSupport
import Testing

@Suite("Kit: the bell", .storeless, .timeLimit(.minutes(1)))
struct BellTests {
  @Test("a ring before the wait is kept")
  func kept() async {
    let bell = Bell()
    bell.ring()
    await bell.wait()
  }

  @Test("many rings wake once: the next wait goes on waiting")
  func coalesced() async {
    let bell = Bell()
    for _ in 0..<5 { bell.ring() }
    await bell.wait()
    let second = Task { await bell.wait() }
    second.cancel()
    await second.value
  }

  @Test("a ring during the wait ends it")
  func rung() async {
    let bell = Bell()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await bell.wait() }
      group.addTask { bell.ring() }
      await group.waitForAll()
    }
  }

  @Test("a cancelled wait ends, before it began or after")
  func cancelled() async {
    for _ in 0..<200 {
      let bell = Bell()
      let waiting = Task { await bell.wait() }
      waiting.cancel()
      await waiting.value
    }
  }

  @Test("a cancelled wait leaves the ring to the next")
  func cancelledKeepsRing() async {
    let bell = Bell()
    bell.ring()
    let gate = Bell()
    let cancelled = Task {
      await gate.wait()
      await bell.wait()
    }
    cancelled.cancel()
    await cancelled.value
    // Would not return if the ring had been lost.
    await bell.wait()
  }

  @Test("no ring is lost between threads that ring and one that waits")
  func raced() async {
    let bell = Bell()
    for _ in 0..<500 {
      let ringing = Task.detached { bell.ring() }
      await bell.wait()
      await ringing.value
    }
  }

  @Test("a wait with a limit ends without a ring, and leaves the next ring to the next")
  func limited() async {
    let bell = Bell()
    await bell.wait(atMost: .milliseconds(1))
    bell.ring()
    await bell.wait(atMost: .seconds(50))
  }
}
