// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthCore
import Synchronization

import PowerAuth2
import TestSupport

/// A device with the SDK on it, beside a peer.
package final class Phone: Sendable {
  package static let pin = "1357"
  package static let wrongPin = "2468"

  package let peer: Peer
  package let clock: MovableClock
  package let store: any DirectSecureStore
  package let finger: Finger
  package let instanceId: String
  package let bytes: SeededBytes

  package init(
    _ version: ProtocolVersion = .v33, store: any DirectSecureStore = MemorySecureStore(), finger: Finger = Finger(),
    peer: Peer? = nil, instanceId: String = "default"
  ) {
    clock = peer?.clock ?? MovableClock()
    self.peer = peer ?? Peer(version: version, clock: clock)
    self.store = store
    self.finger = finger
    self.instanceId = instanceId
    bytes = SeededBytes(self.peer.nextSeed())
  }

  /// A fresh start of the app on what is stored.
  /// - Parameter store: nil for a process of its own; `self.store` for a further object of the same process.
  package func start(
    on store: (any DirectSecureStore)? = nil, _ edit: (PowerAuthConfiguration) -> Void = { _ in }
  ) -> PowerAuthSDK {
    let configuration = PowerAuthConfiguration(
      instanceId: instanceId, baseEndpointUrl: "https://bank.example", configuration: peer.configuration.text)
    configuration.protocolVersion = peer.version == .v32 ? .v32 : .v33
    edit(configuration)
    let bytes = bytes
    return PowerAuthSDK(
      configuration: configuration,
      platform: PowerAuthPlatform(
        store: store ?? ReopenedStore(self.store), transport: peer.transport, clock: clock.client,
        randomness: ClientRandomness(
          unit: { 0.5 }, uuid: { UUID() }, bytes: { bytes.next($0) }),
        biometry: finger.guard, device: PowerAuthDevice(platform: "iOS", model: "iPhone12,3")))
  }

  /// A start and an activation with a PIN, and biometry if wanted.
  package func activated(
    on store: (any DirectSecureStore)? = nil, biometry: Bool = false,
    _ edit: (PowerAuthConfiguration) -> Void = { _ in }
  ) async throws -> PowerAuthSDK {
    let sdk = start(on: store, edit)
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    try sdk.persistActivation(
      with: biometry ? .persistWithPasswordAndBiometry(password: Self.pin) : .persistWithPassword(password: Self.pin))
    return sdk
  }

  /// Has the peer check a signature over a small request.
  package func sign(
    _ sdk: PowerAuthSDK, _ authentication: PowerAuthAuthentication = .possessionWithPassword(Phone.pin)
  ) throws {
    let body = Data(#"{"amount":"10"}"#.utf8)
    let header = try sdk.requestSignature(with: authentication, method: "POST", uriId: "/payment", body: body)
    try peer.verify(header.value, method: "POST", uriId: "/payment", body: body)
  }
}

/// A finger, and the guard that knows it.
package final class Finger: Sendable {
  package enum Moment: Sendable {
    /// The guard is about to keep a key.
    case keeping
    /// The guard has just kept a key.
    case kept
    /// The guard is about to forget a key.
    case forgetting
  }

  private struct State {
    var interludes: [Moment: @Sendable () -> Void] = [:]
    var keys: [String: Data] = [:]
    var availability = PowerAuthBiometryGuard.Availability.available
    /// What the guard says instead of giving the key out.
    var refusal: PowerAuthBiometryGuard.Answer?
    var refusesToKeep = false
    var prompts: [String?] = []
  }

  private let state = Mutex(State())

  package func set(_ availability: PowerAuthBiometryGuard.Availability) {
    state.withLock { $0.availability = availability }
  }
  package func answer(_ refusal: PowerAuthBiometryGuard.Answer?) { state.withLock { $0.refusal = refusal } }
  package func refuseToKeep(_ refuses: Bool = true) { state.withLock { $0.refusesToKeep = refuses } }
  package var prompts: [String?] { state.withLock { $0.prompts } }
  package var keys: [String: Data] { state.withLock { $0.keys } }

  /// Does something at the next such moment, within the guard.
  package func once(_ moment: Moment, _ interlude: @escaping @Sendable () -> Void) {
    state.withLock { $0.interludes[moment] = interlude }
  }

  private func reach(_ moment: Moment) { state.withLock { $0.interludes.removeValue(forKey: moment) }?() }

  package var `guard`: PowerAuthBiometryGuard {
    PowerAuthBiometryGuard(
      availability: { self.state.withLock { $0.availability } },
      hasKey: { name in self.state.withLock { $0.keys[name] != nil } },
      keep: { (key, name) throws(SecureStoreError) in
        self.reach(.keeping)
        let isKept = self.state.withLock { state in
          if !state.refusesToKeep { state.keys[name] = key }
          return !state.refusesToKeep
        }
        guard isKept else { throw SecureStoreError(.unavailable) }
        self.reach(.kept)
      },
      forget: { (name) throws(SecureStoreError) in
        self.reach(.forgetting)
        self.state.withLock { $0.keys[name] = nil }
      },
      unlock: { name, prompt in
        self.state.withLock { state in
          state.prompts.append(prompt)
          return state.refusal ?? state.keys[name].map { .key($0) } ?? .failed
        }
      })
  }
}
