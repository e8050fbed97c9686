// SPDX-License-Identifier: Apache-2.0

/// Runs a machine: takes events in, one after the other, and carries out what follows from them. Everything of it is on
/// the main actor, as views are.
@MainActor
public final class ScreenDriver<Machine: ScreenMachine> {
  /// Hands an event back from an effect.
  public typealias Send = @MainActor @Sendable (Machine.Event) -> Void
  /// Carries one effect out, and sends what comes of it.
  public typealias Perform = @Sendable (_ effect: Machine.Effect, _ send: @escaping Send) async -> Void

  private struct Running {
    let lane: String?
    let isWatch: Bool
    let task: Task<Void, Never>
  }

  /// Where everything stands.
  public private(set) var machine: Machine
  /// Called after every event, for views.
  public var changed: (@MainActor () -> Void)?
  private let perform: Perform
  private var running: [Int: Running] = [:]
  private var started = 0
  private var isStopped = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter perform: the calls behind the effects.
  public init(_ machine: Machine, perform: @escaping Perform) {
    (self.machine, self.perform) = (machine, perform)
  }

  /// Takes an event in. After `stop` nothing is taken in any more.
  public func send(_ event: Machine.Event) {
    guard !isStopped else { return }
    for effect in machine.handle(event) { begin(effect) }
    wake()
  }

  /// Ends everything that runs.
  public func stop() {
    isStopped = true
    for one in running.values { one.task.cancel() }
    running = [:]
    wake()
  }

  /// Whether a call is under way that ends by itself.
  public var isBusy: Bool { running.values.contains { !$0.isWatch } }

  /// Waits for the next event, or for the end of an effect. Returns at once after `stop`.
  public func next() async {
    guard !isStopped else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Lets all who wait look again, such as after a deadline.
  public func wake() {
    changed?()
    let due = waiting
    waiting = []
    for one in due { one.resume() }
  }

  private func begin(_ effect: Machine.Effect) {
    if let lane = effect.lane {
      for (number, one) in running where one.lane == lane {
        one.task.cancel()
        running[number] = nil
      }
    }
    guard !effect.endsLane else { return }
    started += 1
    let (number, perform) = (started, perform)
    // What an effect answers after it was ended is not heard.
    let task = Task { [weak self] in
      await perform(effect) { event in
        guard self?.running[number] != nil else { return }
        self?.send(event)
      }
      self?.end(number)
    }
    running[number] = Running(lane: effect.lane, isWatch: effect.isWatch, task: task)
  }

  private func end(_ number: Int) {
    running[number] = nil
    wake()
  }
}
