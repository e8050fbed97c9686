// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import SaltEdgeCore
import Synchronization
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

/// A phone with an authenticator on it. Its clock stands still but for the pauses that are asked for, its network is a
/// fake service, its owner does what the test says.
final class Phone: Sendable {
  /// 2026-11-21T06:00:00Z.
  static let start: Int64 = 1_795_240_800
  static let device = DeviceDescription(
    app: "Authenticator", version: "3.3.0", build: "130", model: "iPhone 8 Plus", system: "iOS 14.5")

  private struct State: Sendable {
    var wall = Double(Phone.start)
    var uptime = Duration.zero
    var boot: BootTime? = BootTime(id: "boot-1", sinceStart: .seconds(500))
    var pauses: [Duration] = []
    var place: Geolocation?
    var face = Biometrics.Outcome.recognised
    var hasFace = true
    var pages: [SignInRequest] = []
    var end: String?
    var keysDrawn = 0
  }

  private let state = Mutex(State())
  let store: MemorySecureStore
  let service: FakeService

  init(store: MemorySecureStore = MemorySecureStore(), service: FakeService = FakeService()) {
    (self.store, self.service) = (store, service)
  }

  var clock: ClientClock {
    ClientClock(
      wallTime: { self.state.withLock { $0.wall } }, uptime: { self.state.withLock { $0.uptime } },
      boot: { self.state.withLock { $0.boot } },
      pause: { (duration) async throws(CancellationError) in
        guard !Task.isCancelled else { throw CancellationError() }
        self.state.withLock { $0.pauses.append(duration) }
        self.advance(duration)
      })
  }

  var now: WireInstant { WireInstant(millisecondsSince1970: Int64(state.withLock { $0.wall } * 1000)) }
  var pauses: [Duration] { state.withLock { $0.pauses } }
  var pages: [SignInRequest] { state.withLock { $0.pages } }

  func advance(_ duration: Duration) {
    state.withLock {
      $0.uptime += duration
      $0.boot = $0.boot.map { BootTime(id: $0.id, sinceStart: $0.sinceStart + duration) }
      $0.wall += Double(duration.components.seconds)
    }
  }

  /// The owner turns the calendar.
  func turn(by seconds: Double) { state.withLock { $0.wall += seconds } }

  /// The device was off, and is running for so long; nil does not tell.
  func reboot(_ boot: BootTime?) { state.withLock { $0.boot = boot } }

  /// What the bank's page ends with; nil when the user leaves it.
  func signIn(ends: String?) { state.withLock { $0.end = ends } }

  func stand(at place: Geolocation?) { state.withLock { $0.place = place } }

  func face(_ outcome: Biometrics.Outcome, isAvailable: Bool = true) {
    state.withLock { ($0.face, $0.hasFace) = (outcome, isAvailable) }
  }

  /// A start of the app: what was not stored is forgotten. The monotonic clock begins at any value.
  func start(_ change: (inout AuthenticatorSetup) -> Void = { _ in }) -> Authenticator {
    state.withLock { $0.uptime = .seconds(1000) }
    var setup = AuthenticatorSetup(
      device: Self.device,
      signInPage: SignInPage { page in
        self.state.withLock {
          $0.pages.append(page)
          return $0.end
        }
      })
    setup.biometrics = Biometrics(
      isAvailable: { self.state.withLock { $0.hasFace } }, evaluate: { _ in self.state.withLock { $0.face } })
    setup.places = Places { self.state.withLock { $0.place } }
    setup.policy.passcodeRounds = 100
    setup.makeKey = { () throws(SaltEdgeError) in
      let number = self.state.withLock {
        $0.keysDrawn += 1
        return $0.keysDrawn
      }
      return try TestKeys.named("device \(number)")
    }
    change(&setup)
    return Authenticator(setup, store: store, transport: service.transport, clock: clock)
  }

  /// With a passcode, 1234, and unlocked.
  func ready(_ change: (inout AuthenticatorSetup) -> Void = { _ in }) async throws -> Authenticator {
    let authenticator = start(change)
    #expect(try await authenticator.createPasscode("1234", again: "1234") == .set)
    return authenticator
  }
}

extension Authenticator {
  /// A proof by the right passcode.
  func present() async throws -> UserPresence {
    guard case .passed(let proof) = try await unlock(with: .passcode("1234")) else {
      throw AuthenticatorError(.outOfOrder, .appLocked)
    }
    return proof
  }
}

/// The error that something throws; nil when it throws none.
func thrown(_ act: () async throws -> some Sendable) async -> AuthenticatorError? {
  do {
    _ = try await act()
    return nil
  } catch {
    guard let error = error as? AuthenticatorError else {
      Issue.record("\(error) is not an error of the module")
      return nil
    }
    return error
  }
}
