// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import Foundation
internal import GatehouseTransport

/// What every client makes its calls with.
struct FinapticCalls: Sendable {
  let http: FinapticHTTPClient
  let session: FinapticSession
  /// Where the app is called back.
  let queue: DispatchQueue
  let timeZone: @Sendable () -> TimeZone

  /// Makes the call, as the signed-in user if there is one.
  ///
  /// 1. An access token that has expired is renewed first. Once the session is over, the call is made without
  ///    a token: the server knows which calls need a user.
  /// 2. A token that the server does not take all the same is renewed once, and the call repeated with the same key.
  ///
  /// - Parameter idempotencyKey: the app's own; nil for a call that is like no other.
  func send<Answer: Decodable & Sendable>(
    _ method: FinapticMethod, _ body: some Encodable & Sendable, idempotencyKey: UUID? = nil,
    as _: Answer.Type = Answer.self
  ) async throws(FinapticError) -> Answer {
    let start = http.clock.uptime()
    var call = try http.call(method, body, idempotencyKey: idempotencyKey?.uuidString.lowercased())
    do throws(FinapticError) {
      let answer = try FinapticHTTPClient.read(Answer.self, from: try await data(for: &call))
      http.log("\(method.client)/\(method.name)", since: start, attempts: call.attempts, nil)
      return answer
    } catch {
      http.log("\(method.client)/\(method.name)", since: start, attempts: call.attempts, error)
      throw error
    }
  }

  /// Opens an answer that goes on, as the signed-in user; a token that the server does not take is renewed once.
  /// - Parameter silenceMax: for the head of the answer, and between any two parts of it.
  /// - Returns: nil on a network that takes answers whole only.
  func open(
    _ path: String, _ headers: TransportHeaders, silenceMax: Duration
  ) async throws(FinapticError) -> TransportBody? {
    let start = http.clock.uptime()
    let method = path.split(separator: "/").suffix(2).joined(separator: "/")
    do throws(FinapticError) {
      let body: TransportBody?
      let tokens = try await session.tokensForCall()
      do throws(FinapticError) {
        body = try await http.open(path, headers, token: tokens?.accessToken, silenceMax: silenceMax)
      } catch {
        guard error.code == .unauthenticated, let tokens, let renewed = try await session.renewed(after: tokens) else {
          throw error
        }
        body = try await http.open(path, headers, token: renewed.accessToken, silenceMax: silenceMax)
      }
      http.log(method, since: start, attempts: 1, nil)
      return body
    } catch {
      http.log(method, since: start, attempts: 1, error)
      throw error
    }
  }

  private func data(for call: inout FinapticHTTPClient.Call) async throws(FinapticError) -> Data {
    // Who signs in is not signed in by that: these calls prove themselves.
    let needsNoUser = call.method.client == "authentication" && call.method != .getUserInfo
    guard !needsNoUser, let tokens = try await session.tokensForCall() else {
      return try await http.send(&call, token: nil)
    }
    do throws(FinapticError) { return try await http.send(&call, token: tokens.accessToken) } catch {
      guard error.code == .unauthenticated else { throw error }
      let renewed: SessionTokens?
      do throws(FinapticError) { renewed = try await session.renewed(after: tokens) } catch let lost {
        guard lost.code == .signinError else { throw lost }
        renewed = nil
      }
      return try await http.send(&call, token: renewed?.accessToken)
    }
  }

  /// Makes calls and tells the app how they ended: once, on its queue.
  func start<Value: Sendable>(
    _ completion: @escaping FinapticCompletion<Value>,
    _ work: @escaping @Sendable (FinapticCalls) async throws(FinapticError) -> Value
  ) {
    start(completion, work) { $0 }
  }

  /// The same with a value that is made where the app is called back.
  func start<Answer: Sendable, Value>(
    _ completion: @escaping FinapticCompletion<Value>,
    _ work: @escaping @Sendable (FinapticCalls) async throws(FinapticError) -> Answer,
    making value: @escaping @Sendable (Answer) -> Value
  ) {
    let callback = Callback(completion)
    Task {
      let outcome: Result<Answer, FinapticError>
      do throws(FinapticError) { outcome = .success(try await work(self)) } catch { outcome = .failure(error) }
      callback.deliver(on: queue) { outcome.map(value) }
    }
  }

  /// The same for calls that answer nothing but an error.
  func start(
    _ completion: @escaping FinapticVoidCompletion,
    _ work: @escaping @Sendable (FinapticCalls) async throws(FinapticError) -> Void
  ) {
    start(
      { (outcome: Result<Void, FinapticError>) in
        if case .failure(let error) = outcome { completion(error) } else { completion(nil) }
      }, work)
  }
}
