// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport
internal import GatehouseWire
internal import RubixWire

/// The tokens in use, and the one refresh that may be under way.
///
/// 1. However many calls find the access token expired, one refresh runs and all wait for it.
/// 2. It belongs to no caller: a caller that is cancelled must not break it off half-way.
/// 3. An answer that was lost is asked for again with the same refresh token, soon enough for the server's tolerance
///    of 10 s (rubix-onboarding §3.3). The same holds after a crash between the answer and the write to the store.
/// 4. New tokens are in the store before anybody uses them.
actor TokenRefresher {
  /// Deadline of each attempt. The last one starts within 8 s of the first, inside the tolerance, and may take long.
  static let deadlines: [Duration] = [.seconds(3), .seconds(3), .seconds(30)]
  /// Longest wait between two attempts; two of them and two deadlines make less than 8 s.
  static let pauseMax = Duration.milliseconds(500)

  private typealias Outcome = Result<OnboardingTokens, RubixError>

  private let server: OnboardingServer
  private let store: any TokenStore
  private let transport: HTTPTransport
  private let clock: ClientClock
  private let randomness: ClientRandomness
  private var tokens: OnboardingTokens?
  private var isLoaded = false
  /// A save that failed is made up for before the next call: the store must not keep a spent refresh token.
  private var isUnsaved = false
  private var underWay: Task<Outcome, Never>?

  init(
    server: OnboardingServer, store: any TokenStore, transport: HTTPTransport, clock: ClientClock,
    randomness: ClientRandomness
  ) {
    self.server = server
    self.store = store
    self.transport = transport
    self.clock = clock
    self.randomness = randomness
  }

  /// - Returns: nil when there is no application on this device.
  func current() async throws(RubixError) -> OnboardingTokens? {
    if !isLoaded {
      let stored: OnboardingTokens?
      do { stored = try await store.load() } catch { throw .tokenStore(error) }
      // Another call may have registered or loaded tokens while this call waited.
      if !isLoaded {
        tokens = stored
        isLoaded = true
      }
    }
    if isUnsaved, let tokens { try await keep(tokens) }
    return tokens
  }

  /// Makes these the tokens in use, and durable.
  func keep(_ new: OnboardingTokens) async throws(RubixError) {
    tokens = new
    isLoaded = true
    isUnsaved = true
    do { try await store.save(new) } catch { throw .tokenStore(error) }
    if tokens == new { isUnsaved = false }
  }

  /// Forgets these tokens, unless others took their place meanwhile.
  func drop(_ lost: OnboardingTokens) async throws(RubixError) {
    guard tokens == nil || tokens?.refreshToken == lost.refreshToken else { return }
    tokens = nil
    isLoaded = true
    isUnsaved = false
    do { try await store.clear() } catch { throw .tokenStore(error) }
  }

  /// - Parameter expired: The tokens whose access token the server called expired.
  func renewed(after expired: OnboardingTokens) async throws(RubixError) -> OnboardingTokens {
    if let underWay { return try await underWay.value.get() }
    guard let tokens else { throw .sessionLost }
    guard tokens.accessToken == expired.accessToken else { return tokens }
    let task = Task { await self.renewal(of: expired) }
    underWay = task
    let outcome = await task.value
    return try outcome.get()
  }

  private func renewal(of expired: OnboardingTokens) async -> Outcome {
    let outcome: Outcome
    do throws(RubixError) {
      let response = try await refresh(expired)
      guard let new = OnboardingTokens(headers: response.headers, deviceID: expired.deviceID) else {
        throw .decoding(OnboardingHeader.accessToken)
      }
      try await keep(new)
      outcome = .success(new)
    } catch {
      outcome = .failure(error)
    }
    underWay = nil
    return outcome
  }

  private func refresh(_ expired: OnboardingTokens) async throws(RubixError) -> TransportResponse {
    let body = try? WireJSON.encode(RefreshTokenRequest(deviceID: expired.deviceID))
    var call = OnboardingCall(
      method: "POST", path: "auth/refresh-token", body: body, deadline: .zero,
      correlationID: randomness.uuid().uuidString.lowercased())
    var failure = RubixError.sessionLost
    for (attempt, deadline) in Self.deadlines.enumerated() {
      if attempt > 0 {
        do { try await clock.pause(for: Self.pauseMax * randomness.unit()) } catch {
          throw .transport(TransportError(.cancelled))
        }
      }
      call.deadline = deadline
      var request = server.request(for: call, accessToken: nil)
      request.headers[OnboardingHeader.refreshToken] = expired.refreshToken
      do throws(TransportError) {
        let response = try await transport.send(request)
        if response.isSuccess { return response }
        failure = .problem(response.problem)
        if response.status == 401 { failure = await loss(of: expired, by: response.problem.code) }
        guard [502, 503, 504].contains(response.status) else { break }
      } catch {
        failure = .transport(error)
        guard error.isTransient else { break }
      }
    }
    throw failure
  }

  /// What a 401 means. The tokens are forgotten only when the server's own words say that they are worthless: a 401 of
  /// some gateway in between must not cost the customer the application.
  func loss(of lost: OnboardingTokens, by code: ProblemCode) async -> RubixError {
    guard Self.finalCodes.contains(code) else { return .sessionLost }
    do throws(RubixError) {
      try await drop(lost)
      return .sessionLost
    } catch {
      return error
    }
  }

  private static let finalCodes: Set<ProblemCode> = [
    .tokenInvalid, .tokenRevoked, .refreshInvalid, .refreshExpired, .refreshReused,
  ]
}

extension OnboardingTokens {
  /// The tokens that an answer carries in its headers (rubix-onboarding §1.1); nil unless both are there.
  init?(headers: TransportHeaders, deviceID: String) {
    guard let access = headers[OnboardingHeader.accessToken], !access.isEmpty,
      let refresh = headers[OnboardingHeader.refreshToken], !refresh.isEmpty
    else { return nil }
    self.init(accessToken: access, refreshToken: refresh, deviceID: deviceID)
  }
}
