// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import OneAssistWire

/// What the secure screen is doing: its key, its timers, its lamp. Changed by one signal after the other.
struct ScreenCourse {
  private let screen: ShownScreen
  private let mouth: AsyncStream<ShownScreen.Signal>.Continuation
  private var session: ScreenSession?
  /// How often it became visible. What was begun in an earlier turn counts no more.
  private var turn = 0
  private var isVisible = false
  private var restoreLamp: (@Sendable () async -> Void)?
  private var running: [Work: Task<Void, Never>] = [:]
  private var wasCaptured = false
  /// Why no key came the last time.
  private var refusal: OAError?

  private enum Work {
    case key, nextCode, nextKey, keyOver, looks, changes
  }

  init(screen: ShownScreen, mouth: AsyncStream<ShownScreen.Signal>.Continuation) {
    (self.screen, self.mouth) = (screen, mouth)
  }

  private var clock: ClientClock { screen.ports.clock }

  /// - Returns: why the screen has to close; nil when the user closed it.
  mutating func follow(_ signals: AsyncStream<ShownScreen.Signal>) async -> OAError? {
    for await signal in signals {
      switch signal {
      case .happened(.closed): return nil
      case .happened(.screenshotTaken): await screen.report(OneAssist.ScreenEvent(event: "SCREENSHOT"))
      case .happened(.enteredBackground):
        await becomeHidden()
        await screen.host.update(.blank)
      case .happened(.enteredForeground):
        guard !isVisible else { continue }
        if await look() { return .ERROR_SCREEN_RECORDING }
        await screen.host.update(screen.waiting)
        await becomeVisible()
      case .look:
        if await look() { return .ERROR_SCREEN_RECORDING }
      case .key(let outcome, let turn):
        guard turn == self.turn, isVisible else { continue }
        if let error = await take(outcome) { return error }
      case .nextCode(let turn):
        guard turn == self.turn, isVisible else { continue }
        await showCode()
      case .nextKey(let turn):
        guard turn == self.turn, isVisible else { continue }
        askForKey()
      case .keyOver(let turn):
        guard turn == self.turn, isVisible else { continue }
        return refusal ?? .ERROR_UNKNOW
      }
    }
    // The call was cancelled.
    return .ERROR_UNABLE_TO_PROCESS_DESC
  }

  mutating func becomeVisible() async {
    (isVisible, turn, session, refusal) = (true, turn + 1, nil, nil)
    restoreLamp = await screen.ports.lamp.raise()
    watchCapture()
    askForKey()
  }

  mutating func becomeHidden() async {
    isVisible = false
    for work in running.values { work.cancel() }
    running = [:]
    await restoreLamp?()
    restoreLamp = nil
  }

  /// - Returns: whether any screen is recorded or mirrored.
  private mutating func look() async -> Bool {
    let isCaptured = await screen.ports.capture.isCaptured()
    if isCaptured != wasCaptured {
      wasCaptured = isCaptured
      NotificationCenter.default.post(name: .screenRecordingStatusChanged, object: nil)
    }
    return isCaptured
  }

  /// - Returns: why there is nothing to show, the first time; a later key may come at the next try.
  private mutating func take(_ outcome: Result<OneAssist.ScreenKey, OAError>) async -> OAError? {
    let made = outcome.map { ScreenSession($0, imei: screen.imei, clock: clock) }
    switch made {
    case .success(let fresh?):
      // The timers of the key before are over with it.
      (session, turn, refusal) = (fresh, turn + 1, nil)
      let lead = min(ShownScreen.renewalLead, fresh.lifetime / 2)
      let turn = turn
      after(fresh.lifetime - lead, .nextKey) { .nextKey(turn: turn) }
      after(fresh.lifetime, .keyOver) { .keyOver(turn: turn) }
      await showCode()
    case .success(nil): refusal = .ERROR_UNKNOW
    case .failure(let error): refusal = error
    }
    guard let refusal else { return nil }
    if session == nil { return refusal }
    let turn = turn
    after(ShownScreen.renewalPause, .nextKey) { .nextKey(turn: turn) }
    return nil
  }

  private mutating func showCode() async {
    guard let session else { return }
    await screen.host.update(session.content(screen.imei, clock: clock))
    let turn = turn
    after(session.untilNext(clock), .nextCode) { .nextCode(turn: turn) }
  }

  // MARK: What goes on meanwhile

  private mutating func askForKey() {
    let (key, mouth, turn) = (screen.key, mouth, turn)
    run(.key) { mouth.yield(.key(await key(), turn: turn)) }
  }

  private mutating func watchCapture() {
    // What changes from here on is told; what changed before, the first look sees.
    let (clock, mouth, changes) = (clock, mouth, screen.ports.capture.changes())
    mouth.yield(.look)
    run(.looks) {
      while (try? await clock.pause(for: ShownScreen.lookInterval)) != nil { mouth.yield(.look) }
    }
    run(.changes) {
      for await _ in changes { mouth.yield(.look) }
    }
  }

  private mutating func after(_ pause: Duration, _ work: Work, _ signal: @escaping @Sendable () -> ShownScreen.Signal) {
    let (clock, mouth) = (clock, mouth)
    run(work) {
      guard (try? await clock.pause(for: pause)) != nil else { return }
      mouth.yield(signal())
    }
  }

  /// In place of what of the same kind was running.
  private mutating func run(_ work: Work, _ body: @escaping @Sendable () async -> Void) {
    running.updateValue(Task { await body() }, forKey: work)?.cancel()
  }
}
