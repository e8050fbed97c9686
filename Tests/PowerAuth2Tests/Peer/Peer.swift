import Foundation
import GatehouseTransport
import PowerAuthCore
import Synchronization

/// The other end, which really does the protocol with the server's half of `PowerAuthCore` and shares no code with the
/// SDK: what it accepts is right.
final class Peer: Sendable {
  struct TemporaryKeyPair: Sendable {
    let privateKey: ECPrivateKey
    let expiresAt: UInt64
    let activation: String?
  }

  struct Token: Sendable {
    let secret: SecretKey
    let type: SignatureType
    let activation: String
  }

  struct State: Sendable {
    var activations: [String: PeerActivation] = [:]
    var codes: Set<String> = []
    var temporaryKeys: [String: TemporaryKeyPair] = [:]
    var tokens: [String: Token] = [:]
    var seenRequests: Set<Data> = []
    var seenNonces: Set<Data> = []
    var signatures: [SeenSignature] = []
    /// Paths and bodies of requests, as they came.
    var requests: [(path: String, body: Data)] = []
    /// What the next call of a path gets instead of an answer.
    var faults: [String: [Fault]] = [:]
    var customObject: [String: JSONValue] = ["activationFlags": .array([])]
    var recovery: ActivationRecovery?
    var confirmedCodes: Set<String> = []
    var seed: UInt64 = 1000
    var lastOrder: (type: ActivationType, identity: [String: String], device: ActivationDevice)?
  }

  enum Fault: Sendable {
    /// No answer comes, before or after the peer acts.
    case lost(afterActing: Bool)
    /// Another body.
    case body(String, status: Int)
    /// The answer waits until the gate opens; a cancelled call does not.
    case held(Gate)
  }

  static let codeText = ActivationCode(.seeded(77)).text

  let masterKey: ECPrivateKey
  let configuration: SDKConfiguration
  let version: ProtocolVersion
  let clock: MovableClock
  let randomness: Randomness
  /// Milliseconds by which the peer's clock is ahead of the device's.
  let skew = Mutex<Int64>(0)
  let state = Mutex(State())

  init(version: ProtocolVersion = .v33, clock: MovableClock, seed: UInt64 = 1) {
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
  var now: UInt64 { UInt64(Int64(clock.wall * 1000) + skew.withLock { $0 }) }

  var transport: HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in try await self.receive(request) }
  }

  private func receive(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let path = request.url.path
    let body = request.body ?? Data()
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
    case nil: break
    }
    return answer(path, body, request.headers)
  }

  private func answer(_ path: String, _ body: Data, _ headers: TransportHeaders) -> TransportResponse {
    guard let endpoint = PowerAuthEndpoint(rawValue: path) else { return TransportResponse(status: 404) }
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

  func activation(_ identifier: String?) -> PeerActivation? {
    state.withLock { state in identifier.flatMap { state.activations[$0] } }
  }

  func change(_ identifier: String?, _ edit: @Sendable (inout PeerActivation) -> Void) {
    state.withLock { state in
      guard let identifier, var activation = state.activations[identifier] else { return }
      edit(&activation)
      state.activations[identifier] = activation
    }
  }

  func next(_ endpoint: PowerAuthEndpoint, _ fault: Fault) {
    state.withLock { $0.faults[endpoint.rawValue, default: []].append(fault) }
  }

  func count(of endpoint: PowerAuthEndpoint) -> Int {
    state.withLock { $0.requests.count { $0.path == endpoint.rawValue } }
  }

  /// For one device's randomness: no two devices draw the same.
  func nextSeed() -> UInt64 {
    state.withLock { state in
      state.seed += 1
      return state.seed
    }
  }

  var signatures: [SeenSignature] { state.withLock { $0.signatures } }
}

/// A gate that lets through those who came when it opens.
final class Gate: Sendable {
  private let opening: AsyncStream<Void>
  private let opener: AsyncStream<Void>.Continuation
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init() {
    (opening, opener) = AsyncStream.makeStream()
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  func open() { opener.finish() }

  /// Waits until somebody stands before the gate.
  func reached() async { for await _ in arrivals { return } }

  func pass() async throws(TransportError) {
    arrival.yield()
    for await _ in opening {}
    if Task.isCancelled { throw TransportError(.cancelled) }
  }
}

extension Randomness {
  /// The same bytes for the same seed, from any thread.
  static func seeded(_ seed: UInt64) -> Randomness {
    let generator = SeededBytes(seed)
    return Randomness { generator.next($0) }
  }
}

/// Bytes by SplitMix64.
final class SeededBytes: Sendable {
  private let state: Mutex<UInt64>

  init(_ seed: UInt64) { state = Mutex(seed) }

  func next(_ count: Int) -> [UInt8] {
    state.withLock { state in
      (0..<count).map { _ in
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
      }
    }
  }
}
