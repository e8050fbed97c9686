// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthCore
import Synchronization
import TestSupport

/// The other end, which really does the protocol with the server's half of `PowerAuthCore` and shares no code with the
/// SDK: what it accepts is right.
package final class Peer: Sendable {
  package struct TemporaryKeyPair: Sendable {
    package let privateKey: ECPrivateKey
    package let expiresAt: UInt64
    package let activation: String?
  }

  package struct Token: Sendable {
    package let secret: SecretKey
    package let type: SignatureType
    package let activation: String
  }

  package struct State: Sendable {
    package var activations: [String: PeerActivation] = [:]
    package var codes: Set<String> = []
    package var temporaryKeys: [String: TemporaryKeyPair] = [:]
    package var tokens: [String: Token] = [:]
    package var seenRequests: Set<Data> = []
    package var seenNonces: Set<Data> = []
    package var signatures: [SeenSignature] = []
    /// Paths and bodies of requests, as they came.
    package var requests: [(path: String, body: Data)] = []
    /// What the next call of a path gets instead of an answer.
    package var faults: [String: [Fault]] = [:]
    package var customObject: [String: JSONValue] = ["activationFlags": .array([])]
    package var recovery: ActivationRecovery?
    /// What an app is told of the versions that it may speak; nil is not said.
    package var protocolVersions: [String]?
    package var confirmedCodes: Set<String> = []
    /// An application behind the peer, which answers all calls that are not PowerAuth's.
    package var application: Application?
    package var seed: UInt64 = 1000
    package var lastOrder: (type: ActivationType, identity: [String: String], device: ActivationDevice)?
  }

  package typealias Application =
    @Sendable (_ path: String, _ body: Data, _ headers: TransportHeaders) -> TransportResponse

  package enum Fault: Sendable {
    /// No answer comes, before or after the peer acts.
    case lost(afterActing: Bool)
    /// Another body.
    case body(String, status: Int)
    /// The answer waits until the gate opens; a cancelled call does not.
    case held(Gate)
    /// The peer acts at once, and its answer waits until the gate opens.
    case late(Gate)
  }

  package static let codeText = ActivationCode(.seeded(77)).text

  package let masterKey: ECPrivateKey
  package let configuration: SDKConfiguration
  package let version: ProtocolVersion
  package let clock: MovableClock
  package let randomness: Randomness
  /// Milliseconds by which the peer's clock is ahead of the device's.
  package let skew = Mutex<Int64>(0)
  package let state = Mutex(State())

  package init(version: ProtocolVersion = .v33, clock: MovableClock, seed: UInt64 = 1) {
    randomness = .seeded(seed)
    masterKey = ECPrivateKey(randomness)
    configuration = SDKConfiguration(
      applicationKey: ApplicationKey(randomness), applicationSecret: ApplicationSecret(randomness),
      masterPublicKey: masterKey.publicKey)
    self.version = version
    self.clock = clock
    state.withLock { _ = $0.codes.insert(Self.codeText) }
  }

  /// Milliseconds since 1970 by the peer's clock.
  package var now: UInt64 { UInt64(Int64(clock.wall * 1000) + skew.withLock { $0 }) }

  package var transport: HTTPTransport {
    HTTPTransport { (request, progress) async throws(TransportError) in
      try await self.receive(request, progress)
    }
  }

  private func receive(
    _ request: TransportRequest, _ progress: UploadProgress.Observer?
  ) async throws(TransportError) -> TransportResponse {
    let path = request.url.path
    let body = request.body ?? Data()
    let size = Int64(body.count)
    // As a network reports it: in steps, one of them twice, one late.
    for sent in [size / 4, size / 2, size / 2, size / 3, size] {
      progress?(UploadProgress(bytesSent: sent, bytesTotal: size))
    }
    let fault = state.withLock { state -> Fault? in
      state.requests.append((path, body))
      guard state.faults[path]?.isEmpty == false else { return nil }
      return state.faults[path]?.removeFirst()
    }
    switch fault {
    case .lost(afterActing: false): throw TransportError(.connectionLost)
    case .lost(afterActing: true):
      _ = answer(path, body, request.headers)
      throw TransportError(.connectionLost)
    case .body(let text, let status): return TransportResponse(status: status, body: Data(text.utf8))
    case .held(let gate): try await gate.pass()
    case .late(let gate):
      let answer = answer(path, body, request.headers)
      try await gate.pass()
      return answer
    case nil: break
    }
    return answer(path, body, request.headers)
  }

  private func answer(_ path: String, _ body: Data, _ headers: TransportHeaders) -> TransportResponse {
    guard let endpoint = PowerAuthEndpoint(rawValue: path) else {
      return state.withLock { $0.application }?(path, body, headers) ?? TransportResponse(status: 404)
    }
    do {
      return TransportResponse(status: 200, body: try handle(endpoint, body, headers))
    } catch let refusal as Refusal {
      let envelope = ResponseEnvelope(refusal.failure, status: .error)
      return TransportResponse(status: refusal.status, body: (try? JSONEncoder().encode(envelope)) ?? Data())
    } catch {
      return TransportResponse(status: 500, body: Data("\(type(of: error))".utf8))
    }
  }

  // MARK: For tests

  package func activation(_ identifier: String?) -> PeerActivation? {
    state.withLock { state in identifier.flatMap { state.activations[$0] } }
  }

  package func change(_ identifier: String?, _ edit: @Sendable (inout PeerActivation) -> Void) {
    state.withLock { state in
      guard let identifier, var activation = state.activations[identifier] else { return }
      edit(&activation)
      state.activations[identifier] = activation
    }
  }

  package func next(_ endpoint: PowerAuthEndpoint, _ fault: Fault) { next(endpoint.rawValue, fault) }

  /// Any path, an application's too.
  package func next(_ path: String, _ fault: Fault) {
    state.withLock { $0.faults[path, default: []].append(fault) }
  }

  package func count(of endpoint: PowerAuthEndpoint) -> Int {
    state.withLock { $0.requests.count { $0.path == endpoint.rawValue } }
  }

  /// For one device's randomness: no two devices draw the same.
  package func nextSeed() -> UInt64 {
    state.withLock { state in
      state.seed += 1
      return state.seed
    }
  }

  package var signatures: [SeenSignature] { state.withLock { $0.signatures } }
}

/// A gate that lets through those who came when it opens.
package final class Gate: Sendable {
  private let opening: AsyncStream<Void>
  private let opener: AsyncStream<Void>.Continuation
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  package init() {
    (opening, opener) = AsyncStream.makeStream()
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  package func open() { opener.finish() }

  /// Waits until a request waits at the gate.
  package func reached() async { for await _ in arrivals { return } }

  package func pass() async throws(TransportError) {
    arrival.yield()
    for await _ in opening {}
    if Task.isCancelled { throw TransportError(.cancelled) }
  }
}
