// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseTransport
internal import GatehouseWire
public import RubixWire

/// The onboarding of one customer on this device, as a client of the Rubix API (rubix-onboarding §10).
///
/// The server decides what comes next. Start with `resume()`, show what it says, make the one call that belongs to it,
/// and ask again. Every call may be repeated after a failure; nothing is done twice.
public actor RubixOnboarding {
  let server: OnboardingServer
  let policy: OnboardingPolicy
  let clock: ClientClock
  let randomness: ClientRandomness
  let refresher: TokenRefresher
  private let transport: HTTPTransport

  /// - Parameters:
  ///   - baseURL: The institution's address; the API's own path is added.
  ///   - tenant: The institution, when the address serves several.
  ///   - tokenStore: `SecureTokenStore` over a `KeychainStore` or a `SealedFileStore`.
  ///   - transport: The network, once per request; retries are added here.
  ///   - clock: For the waits between retries and polls.
  ///   - randomness: For their spread, and for correlation ids and idempotency keys.
  ///   - policy: The named maxima.
  public init(
    baseURL: URL,
    tenant: String? = nil,
    tokenStore: any TokenStore,
    transport: HTTPTransport = .live(),
    clock: ClientClock = .live,
    randomness: ClientRandomness = .live,
    policy: OnboardingPolicy = OnboardingPolicy()
  ) {
    let server = OnboardingServer(baseURL: baseURL, tenant: tenant)
    self.server = server
    self.policy = policy
    self.clock = clock
    self.randomness = randomness
    self.transport = transport.retrying(policy.retry, clock: clock, randomness: randomness) { response in
      // The first attempt is still being worked on: its answer will be ours (§5.2).
      response.status == 409 && response.problem.code == .stepInProgress
    }
    refresher = TokenRefresher(
      server: server, store: tokenStore, transport: transport, clock: clock, randomness: randomness)
  }

  /// Starts a new application and keeps its tokens, in place of any earlier one on this device (§3.5, §6.1).
  public func register(_ request: RegisterRequest) async throws(RubixError) -> OnboardingView {
    // A stored answer that the server replays may come without tokens; a fresh key then makes a fresh application.
    for _ in 0..<2 {
      let response = try await answer(to: call("POST", "auth/register", body: request), accessToken: nil)
      guard response.isSuccess else { throw .problem(response.problem) }
      if let tokens = OnboardingTokens(headers: response.headers, deviceID: request.deviceID) {
        try await refresher.keep(tokens)
        return try response.decoded(as: OnboardingView.self)
      }
      guard response.headers[OnboardingHeader.idempotencyReplayed] == "true" else { break }
    }
    throw .decoding(OnboardingHeader.accessToken)
  }

  /// Ends the session on the server, then forgets the tokens. There is no way back into the application (§3.5).
  /// When no answer comes the tokens stay, so that it can be repeated.
  public func logout() async throws(RubixError) {
    guard let tokens = try await refresher.current() else { return }
    do throws(RubixError) {
      _ = try await authorized(call("DELETE", "auth/logout"))
    } catch .sessionLost {
      // The server has ended it before.
    }
    try await refresher.drop(try await refresher.current() ?? tokens)
  }

  /// A call without a body. POSTs carry `{}` and a fresh idempotency key.
  func call(_ method: String, _ path: String, query: [(name: String, value: String)] = []) -> OnboardingCall {
    OnboardingCall(
      method: method, path: path, query: query, body: method == "POST" ? Data("{}".utf8) : nil,
      deadline: policy.deadline, idempotencyKey: method == "POST" ? freshID() : nil, correlationID: freshID())
  }

  /// A call with a body.
  func call(_ method: String, _ path: String, body: some Encodable) throws(RubixError) -> OnboardingCall {
    var call = call(method, path)
    do { call.body = try WireJSON.encode(body) } catch { throw .decoding("request") }
    return call
  }

  /// Makes the call as the customer and reads the answer.
  func send<Answer: Decodable & Sendable>(
    _ call: OnboardingCall, as _: Answer.Type = Answer.self
  ) async throws(RubixError) -> Answer {
    try await authorized(call).decoded(as: Answer.self)
  }

  /// Makes the call as the customer.
  ///
  /// 1. 401 `token-expired`: refresh once, shared with all other calls, and repeat once, with the same key (§3.4).
  /// 2. Any other 401: the session is lost.
  /// 3. Any other refusal is a problem.
  func authorized(_ call: OnboardingCall) async throws(RubixError) -> TransportResponse {
    guard var tokens = try await refresher.current() else { throw .sessionLost }
    var response = try await answer(to: call, accessToken: tokens.accessToken)
    if response.status == 401, response.problem.code == .tokenExpired {
      tokens = try await refresher.renewed(after: tokens)
      response = try await answer(to: call, accessToken: tokens.accessToken)
    }
    if response.isSuccess { return response }
    let problem = response.problem
    guard response.status == 401, problem.code != .tokenExpired else { throw .problem(problem) }
    throw await refresher.loss(of: tokens, by: problem.code)
  }

  /// Waits between two polls.
  func pause(for duration: Duration) async throws(RubixError) {
    do { try await clock.pause(for: duration) } catch { throw .transport(TransportError(.cancelled)) }
  }

  func freshID() -> String { randomness.uuid().uuidString.lowercased() }

  private func answer(to call: OnboardingCall, accessToken: String?) async throws(RubixError) -> TransportResponse {
    do throws(TransportError) {
      return try await transport.send(server.request(for: call, accessToken: accessToken), progress: call.progress)
    } catch {
      throw .transport(error)
    }
  }
}
