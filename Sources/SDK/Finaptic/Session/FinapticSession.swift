// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

/// The tokens in use, and the one renewal that may be under way (finaptic §8.1).
///
/// 1. However many calls find the access token expired, one renewal runs and all wait for it.
/// 2. It belongs to no caller: one that goes away must not break it off half-way.
/// 3. New tokens are in the store before anybody uses them.
/// 4. A renewal that was under way when the user signed in or out changes nothing, and a call that one user began is
///    never made as another.
/// 5. Only the server's own refusal of the refresh token ends the session.
actor FinapticSession {
  private static let name = "finaptic.session"
  /// An access token that ends this soon is renewed before it is used.
  private static let margin = 5.0

  private let http: FinapticHTTPClient
  private let store: any DirectSecureStore
  private var tokens: SessionTokens?
  private var isLoaded = false
  /// Goes up whenever the user signs in or out.
  private var generation = 0
  private var renewal: Task<Result<SessionTokens?, FinapticError>, Never>?

  init(http: FinapticHTTPClient, store: any DirectSecureStore) {
    self.http = http
    self.store = store
  }

  /// - Returns: nil when no user is signed in.
  func current() throws(FinapticError) -> SessionTokens? {
    if isLoaded { return tokens }
    do throws(SecureStoreError) {
      tokens = try store.read(Self.name).flatMap { try? WireJSON.decode(SessionTokens.self, from: $0) }
    } catch {
      // Tokens that cannot be read must not keep the user from signing in.
      guard error.code == .tampered else { throw FinapticError(error) }
      do { try store.remove(Self.name) } catch { throw FinapticError(error) }
    }
    isLoaded = true
    return tokens
  }

  func isExpired(_ tokens: SessionTokens) -> Bool { tokens.accessExpiry - Self.margin <= http.clock.wallTime() }

  /// The tokens of a user who just signed in. When they cannot be kept, the user who was signed in still is.
  func begin(_ answer: FinapticAPI.AuthState) throws(FinapticError) -> SessionTokens {
    let new = try keep(answer, of: generation + 1)
    generation += 1
    renewal = nil
    return new
  }

  /// Signs the user out on this device.
  func end() throws(FinapticError) {
    generation += 1
    renewal = nil
    (tokens, isLoaded) = (nil, true)
    do { try store.remove(Self.name) } catch { throw FinapticError(error) }
  }

  /// The user has new rights, which only a new access token carries. When it cannot be had now, the next call gets it.
  func renewForNewRights() async {
    // One that is under way may have been answered before there were any.
    if let renewal { _ = await renewal.value }
    guard var poor = tokens else { return }
    poor.accessExpiry = 0
    tokens = poor
    // Also in the next process: this one may end before the network is back.
    try? write(poor)
    _ = try? await renewed(after: poor)
  }

  /// What `currentAuthState` says: an expired access token is renewed; when the network is what is missing, the old one
  /// is better than none.
  /// - Returns: nil when no user is signed in, or the session has ended.
  func authState() async throws(FinapticError) -> AuthState? {
    guard let tokens = try current() else { return nil }
    guard isExpired(tokens) else { return tokens.authState }
    do throws(FinapticError) { return try await renewed(after: tokens)?.authState } catch {
      // What there is by now: nothing when the session ended or the user signed out, the new user's when one signed in.
      return try current()?.authState
    }
  }

  /// The tokens for a call: renewed first when they have expired.
  /// - Returns: nil when no user is signed in, or the session has ended.
  func tokensForCall() async throws(FinapticError) -> SessionTokens? {
    guard let tokens = try current() else { return nil }
    guard isExpired(tokens) else { return tokens }
    do throws(FinapticError) { return try await renewed(after: tokens) } catch {
      guard error.code == .signinError else { throw error }
      return nil
    }
  }

  /// Tokens that are newer than these.
  /// - Returns: nil when no user is signed in any more.
  /// - Throws: `signinError` when the server does not take the refresh token; the session has ended then.
  func renewed(after used: SessionTokens) async throws(FinapticError) -> SessionTokens? {
    guard let tokens = try current() else { return nil }
    guard used.generation == generation else { throw .sessionChanged }
    guard tokens.accessToken == used.accessToken else { return tokens }
    let task = renewal ?? Task { await self.renew(tokens) }
    renewal = task
    return try await task.value.get()
  }

  /// Renews, and once more what was answered before and is only repeated now: who knows how old that is.
  private func renew(_ old: SessionTokens) async -> Result<SessionTokens?, FinapticError> {
    let begun = generation
    var outcome = await renewOnce(old, begun: begun)
    if case .success(let repeated?) = outcome, generation == begun, repeated.accessExpiry == 0 {
      let again = await renewOnce(repeated, begun: begun)
      if case .failure = again, generation == begun, tokens != nil {
        // Without a network the repeated ones are the newest that there are.
      } else {
        outcome = again
      }
    }
    if generation == begun { renewal = nil }
    return outcome
  }

  private func renewOnce(_ old: SessionTokens, begun: Int) async -> Result<SessionTokens?, FinapticError> {
    let method = FinapticMethod.refreshAuthState
    let start = http.clock.uptime()
    var attempts = 0
    let outcome: Result<SessionTokens?, FinapticError>
    do throws(FinapticError) {
      var call = try http.call(
        method, FinapticAPI.RefreshTokenRequest(refreshToken: old.refreshToken), idempotencyKey: old.renewalKey)
      defer { attempts = call.attempts }
      let data = try await http.send(&call, token: nil)
      let answer = try FinapticHTTPClient.read(FinapticAPI.AuthState.self, from: data)
      guard generation == begun || tokens == nil else { throw FinapticError.sessionChanged }
      outcome = .success(generation == begun ? try keep(answer, of: begun, isRepeated: call.isRepeated) : nil)
    } catch {
      if error.code == .signinError, generation == begun { try? end() }
      outcome = .failure(error)
    }
    var failure: FinapticError?
    if case .failure(let error) = outcome { failure = error }
    http.log("\(method.client)/\(method.name)", since: start, attempts: attempts, failure)
    return outcome
  }

  /// - Parameter isRepeated: whether the answer was made some time ago.
  private func keep(
    _ answer: FinapticAPI.AuthState, of generation: Int, isRepeated: Bool = false
  ) throws(FinapticError) -> SessionTokens {
    let new = SessionTokens(
      accessToken: answer.accessToken, refreshToken: answer.refreshToken,
      accessExpiry: isRepeated ? 0 : http.clock.wallTime() + Double(answer.expiresIn), renewalKey: http.freshID(),
      generation: generation)
    do throws(SecureStoreError) { try write(new) } catch { throw FinapticError(error) }
    (tokens, isLoaded) = (new, true)
    return new
  }

  private func write(_ tokens: SessionTokens) throws(SecureStoreError) {
    guard let data = try? WireJSON.encode(tokens) else { throw SecureStoreError(.unavailable) }
    try store.write(data, as: Self.name)
  }
}

extension FinapticError {
  fileprivate static let sessionChanged = FinapticError(
    code: .unauthenticated, message: "The user signed in or out while the call was under way.")
}
