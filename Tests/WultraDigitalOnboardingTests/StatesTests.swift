// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import WultraWire
import PowerAuth2
import PowerAuthPeer
import Synchronization
import Testing
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: the sequence of states", .timeLimit(.minutes(5)))
struct StatesTests {
  private let server = OnboardingPeer()

  /// A service whose waits end at once and are counted; what happens in each is up to the test.
  private func service(
    _ waited: @escaping @Sendable (Duration) -> Void
  ) async throws -> WDOVerificationService {
    _ = try await server.phone.activated()
    let phone = server.phone
    let clock = phone.clock.client
    let sdk = PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        baseEndpointUrl: "https://bank.example", configuration: phone.peer.configuration.text),
      platform: PowerAuthPlatform(
        store: phone.store, transport: phone.peer.transport,
        clock: ClientClock(wallTime: clock.wallTime, uptime: clock.uptime) {
          (duration) async throws(CancellationError) in
          waited(duration)
          guard !Task.isCancelled else { throw CancellationError() }
        }))
    return WDOVerificationService(networking: server.networking(sdk))
  }

  @Test("while the server works it is asked less and less often; each state comes once; success is the last")
  func polls() async throws {
    let waits = Mutex<[Duration]>([])
    let server = server
    let service = try await service { duration in
      let count = waits.withLock { waits in
        waits.append(duration)
        return waits.count
      }
      switch count {
      case 5: server.at(.documentVerificationFinal, .inProgress)
      case 7: server.at(.clientEvaluation, .inProgress)
      case 8: server.at(.completed, .accepted)
      default: break
      }
    }
    server.at(.documentVerification, .inProgress)
    var states: [String] = []
    for try await state in service.states() { states.append(state.description) }
    #expect(
      states == [
        "WDOVerificationState.processing:WDOVerificationState.ProcessingItem.documentVerification",
        "WDOVerificationState.processing:WDOVerificationState.ProcessingItem.documentsCrossVerification",
        "WDOVerificationState.processing:WDOVerificationState.ProcessingItem.clientVerification",
        "WDOVerificationState.success",
      ])
    #expect(waits.withLock { $0 } == [1, 2, 4, 8, 8, 1, 2, 1].map { .seconds($0) })
  }

  @Test("while it is the user's turn the server is not asked, and what the app's calls find out comes through")
  func ownCalls() async throws {
    let service = try await service { _ in Issue.record("waited") }
    var states = service.states().makeAsyncIterator()
    #expect(try await states.next()?.description == "WDOVerificationState.intro")
    async let next = states.next()
    _ = try await service.consentGet()
    #expect(try await next?.description == "WDOVerificationState.consent")
    #expect(server.endpoints == [.identityStatus, .consentText])
  }

  @Test("the end of the process is the last state")
  func endstate() async throws {
    let service = try await service { _ in }
    server.refuse(.identityStatus, "ONBOARDING_PROCESS_LIMIT_REACHED", status: 429)
    var states: [String] = []
    for try await state in service.states() { states.append(state.description) }
    #expect(states == ["WDOVerificationState.endstate"])
  }

  @Test("a lost connection is borne, so often; a refusal without a state is not")
  func failures() async throws {
    let service = try await service { _ in }
    server.next(.identityStatus, .lost(afterActing: false))
    server.next(.identityStatus, .body("", status: 503))
    server.at(.completed, .accepted)
    var states: [String] = []
    for try await state in service.states() { states.append(state.description) }
    #expect(states == ["WDOVerificationState.success"])

    for _ in 0..<3 { server.next(.identityStatus, .lost(afterActing: false)) }
    var few = service.states(policy: WDOPollingPolicy(failuresMax: 2)).makeAsyncIterator()
    await #expect(throws: WDOVerificationService.Fail.self) { try await few.next() }
    #expect(try await few.next() == nil)

    server.refuse(.identityStatus, "INVALID_REQUEST")
    var refused = service.states().makeAsyncIterator()
    await #expect(throws: WDOVerificationService.Fail.self) { try await refused.next() }
  }

  @Test("cancelling the task ends the sequence, in the user's turn and in the server's")
  func cancelled() async throws {
    let service = try await service { _ in }
    let (stream, told) = AsyncStream<String>.makeStream()
    let watcher = Task {
      for try await state in service.states() { told.yield(state.description) }
      told.finish()
    }
    var lines = stream.makeAsyncIterator()
    #expect(await lines.next() == "WDOVerificationState.intro")
    watcher.cancel()
    try await watcher.value
    #expect(await lines.next() == nil)

    server.at(.documentVerification, .inProgress)
    let gate = Gate()
    let waiting = Task { () -> Int in
      var count = 0
      for try await _ in service.states() {
        count += 1
        server.next(.identityStatus, .held(gate))
      }
      return count
    }
    await gate.reached()
    waiting.cancel()
    gate.open()
    #expect(try await waiting.value == 1)
  }
}
