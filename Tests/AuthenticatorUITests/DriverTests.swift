// SPDX-License-Identifier: Apache-2.0

import GatehouseUI
import Testing

/// A machine that notes what it hears.
private struct Notes: ScreenMachine {
  enum Event: Sendable, Equatable { case ask(Int), watch(Int), stop, answer(Int) }
  enum Effect: ScreenEffect {
    case ask(Int), watch(Int), stop

    var lane: String? { if case .ask = self { nil } else { "watch" } }
    var endsLane: Bool { self == .stop }
    var isWatch: Bool { if case .watch = self { true } else { false } }
  }

  var heard: [Int] = []

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .ask(let number): return [.ask(number)]
    case .watch(let number): return [.watch(number)]
    case .stop: return [.stop]
    case .answer(let number):
      heard.append(number)
      return []
    }
  }

  func screen(in context: ScreenContext) -> Screen<Event> { Screen(id: "notes", title: "Notes", elements: []) }
}

@MainActor @Suite("Screens: the driver", .timeLimit(.minutes(5)))
struct DriverTests {
  /// Answers what a test lets through, by number.
  private struct Gate: Sendable {
    let stream: AsyncStream<Int>
    let open: AsyncStream<Int>.Continuation

    init() { (stream, open) = AsyncStream.makeStream() }
  }

  @Test("an effect's answer is taken in, and the driver is busy until its end")
  func answer() async {
    let gate = Gate()
    let driver = ScreenDriver(Notes()) { effect, send in
      guard case .ask = effect else { return }
      for await number in gate.stream { await send(.answer(number)) }
    }
    driver.send(.ask(1))
    #expect(driver.isBusy)
    gate.open.yield(7)
    while driver.machine.heard.isEmpty { await driver.next() }
    #expect(driver.machine.heard == [7] && driver.isBusy)
    gate.open.finish()
    while driver.isBusy { await driver.next() }
    #expect(driver.machine.heard == [7])
  }

  @Test("a new effect of a lane ends the one before, whose answer is not heard any more")
  func lanes() async {
    let (first, second) = (Gate(), Gate())
    let driver = ScreenDriver(Notes()) { effect, send in
      switch effect {
      case .watch(1):
        // It does not look whether it was ended, and answers all the same.
        await send(.answer(1))
        var numbers = first.stream.makeAsyncIterator()
        _ = await numbers.next()
        await send(.answer(10))
        second.open.yield(2)
      case .watch:
        for await number in second.stream { await send(.answer(number)) }
      default: break
      }
    }
    driver.send(.watch(1))
    #expect(!driver.isBusy, "a watch goes on by itself")
    while driver.machine.heard != [1] { await driver.next() }
    driver.send(.watch(2))
    first.open.yield(0)
    while driver.machine.heard.count < 2 { await driver.next() }
    #expect(driver.machine.heard == [1, 2])
    driver.send(.stop)
    #expect(!driver.isBusy)
  }

  @Test("after its stop a driver takes nothing in, and a task that waits goes on")
  func stop() async {
    let gate = Gate()
    let driver = ScreenDriver(Notes()) { _, send in
      for await number in gate.stream { await send(.answer(number)) }
    }
    driver.send(.ask(1))
    async let waited: Void = driver.next()
    driver.stop()
    await waited
    driver.send(.answer(9))
    await driver.next()
    #expect(driver.machine.heard.isEmpty && !driver.isBusy)
  }
}
