// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import WultraWire
import PowerAuth2
import PowerAuthPeer
import Synchronization
import Testing
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: states by the server's events", .timeLimit(.minutes(1)))
struct StateEventsTests {
  private let server = OnboardingPeer()
  private let line = EventPublisher()

  /// A service on a network with answers that go on.
  /// - Parameter paused: is told of every wait, which ends at once.
  private func service(
    _ paused: @escaping @Sendable (Duration) async -> Void = { _ in }
  ) async throws -> WDOVerificationService {
    _ = try await server.phone.activated()
    let (phone, line) = (server.phone, line)
    let clock = phone.clock.client
    let whole = phone.peer.transport
    let network = HTTPTransport(
      send: { (request, progress) async throws(TransportError) in try await whole.send(request, progress: progress) },
      open: { (request) async throws(TransportError) in try line.open(request) })
    let sdk = PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        baseEndpointUrl: "https://bank.example", configuration: phone.peer.configuration.text),
      platform: PowerAuthPlatform(
        store: phone.store, transport: network,
        clock: ClientClock(wallTime: clock.wallTime, uptime: clock.uptime) {
          (duration) async throws(CancellationError) in
          await paused(duration)
          guard !Task.isCancelled else { throw CancellationError() }
        }))
    return WDOVerificationService(
      networking: WPNNetworkingService(
        powerAuth: sdk, config: WPNConfig(baseUrl: "https://bank.example/onboarding/"), serviceName: "test",
        transport: network))
  }

  /// The server moves, and sends an event.
  private func move(_ phase: Wultra.VerificationPhase?, _ status: Wultra.VerificationStatus, number: Int) throws {
    server.at(phase, status)
    try line.tell(phase, status, number: number)
  }

  private var asked: Int { server.endpoints.filter { $0 == .identityStatus }.count }

  @Test("a change is shown when the server tells of it, without a poll in between")
  func told() async throws {
    let service = try await service { _ in Issue.record("waited") }
    server.at(.documentVerification, .inProgress)
    var states = service.states().makeAsyncIterator()
    #expect(try await states.next()?.description.hasSuffix("documentVerification") == true)
    // What is known already, then a sign of life, then news.
    try line.tell(.documentVerification, .inProgress, number: 7)
    line.send(":\n\n")
    try move(.presenceCheck, .notInitialized, number: 8)
    #expect(try await states.next()?.description == "WDOVerificationState.presenceCheck")
    #expect(asked == 2)
    // In the user's turn as well; the same screen does not come twice.
    try move(.presenceCheck, .inProgress, number: 9)
    try move(.completed, .accepted, number: 10)
    #expect(try await states.next()?.description == "WDOVerificationState.success")
    #expect(try await states.next() == nil)
    #expect(line.requests.map { $0.headers["last-event-id"] } == [nil])
    #expect(line.requests[0].method == "GET" && line.requests[0].url.path == "/onboarding/api/identity/events")
    #expect(line.requests[0].headers["x-powerauth-token"]?.hasPrefix("PowerAuth ") == true)
  }

  @Test("what a call of the app finds out comes before what the server tells of it, and is not repeated")
  func ownCalls() async throws {
    let service = try await service()
    var states = service.states().makeAsyncIterator()
    #expect(try await states.next()?.description == "WDOVerificationState.intro")
    try line.tell(nil, .notInitialized, number: 1)
    _ = try await service.consentGet()
    #expect(try await states.next()?.description == "WDOVerificationState.consent")
    _ = try await service.consentApprove()
    #expect(try await states.next()?.description == "WDOVerificationState.documentsToScanSelect")
    try move(.documentUpload, .inProgress, number: 2)
    try move(.documentVerification, .rejected, number: 3)
    #expect(try await states.next()?.description == "WDOVerificationState.endstate")
  }

  @Test("while the connection is broken the server is asked; it is taken up after the last event that came")
  func broken() async throws {
    let (line, server) = (line, server)
    let waits = Mutex(0)
    let service = try await service { _ in
      // The second wait: there was no event for this one.
      if waits.withLock({ waits in
        waits += 1
        return waits
      }) == 2 {
        server.at(.clientEvaluation, .inProgress)
      }
    }
    server.at(.documentVerification, .inProgress)
    var states = service.states().makeAsyncIterator()
    _ = try await states.next()
    try line.tell(.documentVerification, .inProgress, number: 41)
    try move(.documentVerificationFinal, .inProgress, number: 42)
    #expect(try await states.next()?.description.hasSuffix("documentsCrossVerification") == true)
    line.cut(refusing: 3)
    #expect(try await states.next()?.description.hasSuffix("clientVerification") == true)
    let next = Task { try await states.next() }
    await line.opened(5)
    try move(.completed, .accepted, number: 43)
    #expect(try await next.value?.description == "WDOVerificationState.success")
    #expect(line.requests.dropFirst().allSatisfy { $0.headers["last-event-id"] == "42" })
  }

  @Test("a connection that ends in order is taken up again after the shortest wait, without a poll meanwhile")
  func ended() async throws {
    let waits = Mutex<[Duration]>([])
    let service = try await service { duration in waits.withLock { $0.append(duration) } }
    server.at(.documentVerification, .inProgress)
    var states = service.states().makeAsyncIterator()
    _ = try await states.next()
    line.send(":\n\n")
    let next = Task { try await states.next() }
    await line.opened(1)
    line.finish()
    await line.opened(2)
    try move(.completed, .accepted, number: 1)
    #expect(try await next.value?.description == "WDOVerificationState.success")
    let waited = waits.withLock { $0 }
    #expect(asked == 2 && waited.count == 1 && waited.allSatisfy { $0 <= WDOPollingPolicy().delayFirst })
  }

  @Test("a comment is a sign of life after a loss; a connection that ends without any is lost")
  func signOfLife() async throws {
    let waits = Mutex(0)
    let service = try await service { _ in waits.withLock { $0 += 1 } }
    let events = VerificationEvents(networking: service.calls.networking, policy: WDOPollingPolicy())
    line.cut(refusing: 1)
    #expect(await events.next() == .lost)
    line.send(":\n\n")
    #expect(await events.next() == .found)
    line.finish()
    let next = Task { await events.next() }
    await line.opened(3)
    line.finish()
    #expect(await next.value == .lost)
    #expect(waits.withLock { $0 } == 2)
  }

  @Test(
    "a server without events is asked as it always was",
    arguments: [(404, "application/json"), (405, "text/plain"), (200, "application/json"), (501, "text/plain")])
  func without(status: Int, type: String) async throws {
    let server = server
    line.refuse(status, type)
    let waits = Mutex<[Duration]>([])
    let service = try await service { duration in
      let count = waits.withLock { waits in
        waits.append(duration)
        return waits.count
      }
      if count == 3 { server.at(.completed, .accepted) }
    }
    server.at(.documentVerification, .inProgress)
    var states: [String] = []
    for try await state in service.states() { states.append(state.description) }
    #expect(states.last == "WDOVerificationState.success" && states.count == 2)
    #expect(waits.withLock { $0 } == [1, 2, 4].map { .seconds($0) })
    #expect(line.requests.count == 1)
  }

  @Test("a device that the server refuses is told so by the status")
  func refused() async throws {
    line.refuse(401, "application/json")
    let service = try await service()
    var states = service.states().makeAsyncIterator()
    #expect(try await states.next()?.description == "WDOVerificationState.intro")
    server.refuse(.identityStatus, "POWERAUTH_AUTH_FAIL", status: 401)
    await #expect(throws: WDOVerificationService.Fail.self) { try await states.next() }
  }

  @Test("cancelling the task ends the connection")
  func cancelled() async throws {
    let service = try await service()
    let (stream, told) = AsyncStream<String>.makeStream()
    let watcher = Task {
      for try await state in service.states() { told.yield(state.description) }
      told.finish()
    }
    var lines = stream.makeAsyncIterator()
    #expect(await lines.next() == "WDOVerificationState.intro")
    await line.opened(1)
    watcher.cancel()
    try await watcher.value
    await line.closed()
  }
}

/// The server's end of answers that go on.
private final class EventPublisher: Sendable {
  private struct State: Sendable {
    var requests: [TransportRequest] = []
    var source: TransportBody.Source?
    var unsent: [Data] = []
    var refusals = 0
    var answer: (status: Int, type: String)?
    var closes = 0
    var waiters: [(isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var requests: [TransportRequest] { state.withLock { $0.requests } }

  func open(_ request: TransportRequest) throws(TransportError) -> TransportStream {
    let (body, source) = TransportBody.make { [self] in change { $0.closes += 1 } }
    let answer = change { state -> (status: Int, type: String)? in
      state.requests.append(request)
      if let answer = state.answer { return answer }
      guard state.refusals == 0 else {
        state.refusals -= 1
        return nil
      }
      state.source = source
      for part in state.unsent { source.add(part) }
      state.unsent = []
      return (200, "text/event-stream; charset=utf-8")
    }
    guard let answer else { throw TransportError(.unreachable) }
    return TransportStream(status: answer.status, headers: ["Content-Type": answer.type], body: body)
  }

  func refuse(_ status: Int, _ type: String) { change { $0.answer = (status, type) } }

  func send(_ text: String) {
    change { state in
      if let source = state.source { source.add(Data(text.utf8)) } else { state.unsent.append(Data(text.utf8)) }
    }
  }

  func tell(_ phase: Wultra.VerificationPhase?, _ status: Wultra.VerificationStatus, number: Int) throws {
    let event = Wultra.IdentityEvent(
      processId: OnboardingPeer.process, identityVerificationStatus: status, identityVerificationPhase: phase)
    send("id: \(number)\nevent: verification\ndata: \(String(decoding: try WireJSON.encode(event), as: UTF8.self))\n\n")
  }

  /// Breaks the connection, and the next ones before they are there.
  func cut(refusing refusals: Int) {
    let source = change { state in
      defer { state.source = nil }
      state.refusals = refusals
      return state.source
    }
    source?.end(TransportError(.connectionLost))
  }

  /// Ends the connection in order.
  func finish() {
    let source = change { state in
      defer { state.source = nil }
      return state.source
    }
    source?.end()
  }

  func opened(_ count: Int) async { await wait { $0.requests.count >= count && $0.source != nil } }
  func closed() async { await wait { $0.closes > 0 } }

  private func wait(_ isMet: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMetNow = state.withLock { state in
        if !isMet(state) { state.waiters.append((isMet, continuation)) }
        return isMet(state)
      }
      if isMetNow { continuation.resume() }
    }
  }

  @discardableResult
  private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let (value, met) = state.withLock { state in
      let value = body(&state)
      let (before, now) = (state.waiters, state)
      state.waiters = before.filter { !$0.isMet(now) }
      let met = before.filter { $0.isMet(now) }
      return (value, met.map(\.continuation))
    }
    for continuation in met { continuation.resume() }
    return value
  }
}
