// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

/// Sends calls to the server, and again where that is safe and can help (finaptic §2.3).
///
/// 1. A call has one deadline for all its attempts.
/// 2. It is repeated on `unavailable` only, at most twice, after a pause with full jitter or what the server asked for.
/// 3. Every repetition is the same, its idempotency key with it.
/// 4. A server that certificate pinning refused is not asked again.
struct FinapticHTTPClient: Sendable {
  /// Attempts in all, and the pauses between them.
  static let policy = RetryPolicy(attemptsMax: 3)
  static let deadline = Duration.seconds(30)
  /// For calls that wait for a decision.
  static let deadlineOfDecisions = Duration.seconds(120)
  /// Bytes of a refusal where an answer was to go on.
  private static let refusalMax = 64 * 1024

  let key: FinapticSDKKey
  let transport: HTTPTransport
  let clock: ClientClock
  let randomness: ClientRandomness
  let logHandler: FinapticLog.Handler

  /// One call with everything that its repetitions have in common.
  struct Call: Sendable {
    let method: FinapticMethod
    let body: Data
    let idempotencyKey: String?
    /// By the clock's uptime.
    let end: Duration
    var attempts = 0
    /// Whether the answer was made for an earlier arrival of the same call.
    var isRepeated = false
  }

  /// - Parameter idempotencyKey: of an earlier call that may have arrived; nil for a call of its own.
  func call(
    _ method: FinapticMethod, _ body: some Encodable, idempotencyKey: String? = nil
  ) throws(FinapticError) -> Call {
    let data: Data
    do { data = try WireJSON.encode(body) } catch {
      throw FinapticError(code: .invalidArgument, message: "The request cannot be written.", cause: error)
    }
    let allowed = method.kind == .decide ? Self.deadlineOfDecisions : Self.deadline
    return Call(
      method: method, body: data, idempotencyKey: method.kind == .read ? nil : idempotencyKey ?? freshID(),
      end: clock.uptime() + allowed)
  }

  func freshID() -> String { randomness.uuid().uuidString.lowercased() }

  /// Sends the call.
  /// - Returns: the body of a successful answer.
  func send(_ call: inout Call, token: String?) async throws(FinapticError) -> Data {
    let base = call.method.client == "authentication" ? key.authURL ?? key.baseURL : key.baseURL
    var headers: TransportHeaders = ["content-type": "application/json"]
    headers[FinapticAPI.idempotencyKeyHeader] = call.idempotencyKey
    headers["authorization"] = token.map { "Bearer \($0)" }
    let request = TransportRequest(
      method: "POST", url: base.appendingPathComponent(call.method.path), headers: headers, body: call.body)
    let response = try await send(request, until: call.end, attempts: &call.attempts)
    call.isRepeated = response.headers[FinapticAPI.replayedHeader] == "true"
    return response.body
  }

  /// What an app needs before its first call.
  func configuration() async throws(FinapticError) -> FinapticAPI.Configuration {
    let request = TransportRequest(
      method: "GET", url: key.baseURL.appendingPathComponent(FinapticAPI.configurationPath))
    let start = clock.uptime()
    var attempts = 0
    do throws(FinapticError) {
      let response = try await send(request, until: start + Self.deadline, attempts: &attempts)
      let configuration = try Self.read(FinapticAPI.Configuration.self, from: response.body)
      log("configuration", since: start, attempts: attempts, nil)
      return configuration
    } catch {
      log("configuration", since: start, attempts: attempts, error)
      throw error
    }
  }

  /// Opens an answer that goes on, once.
  /// - Returns: nil on a network that takes answers whole only.
  func open(
    _ path: String, _ headers: TransportHeaders, token: String?, silenceMax: Duration
  ) async throws(FinapticError) -> TransportBody? {
    var request = TransportRequest(
      method: "GET", url: key.baseURL.appendingPathComponent(path), headers: headers, deadline: silenceMax)
    request.headers[FinapticAPI.clientKeyHeader] = key.clientKey
    request.headers["authorization"] = token.map { "Bearer \($0)" }
    let refusal: TransportResponse
    do throws(TransportError) {
      let stream = try await transport.open(request)
      if stream.status == 200, stream.mediaType == "text/event-stream" { return stream.body }
      refusal = try await Self.whole(stream)
    } catch {
      guard error.code != .unsupported else { return nil }
      throw FinapticError(error, isPinned: !key.pins.isEmpty)
    }
    throw FinapticError(refusal)
  }

  /// An answer that turned out to end.
  private static func whole(_ stream: TransportStream) async throws(TransportError) -> TransportResponse {
    var bytes = Data()
    while bytes.count < refusalMax, let part = try await stream.body.next() { bytes += part }
    return TransportResponse(status: stream.status, headers: stream.headers, body: bytes)
  }

  func log(_ method: String, since start: Duration, attempts: Int, _ error: FinapticError?) {
    logHandler(
      FinapticLogEntry(
        method: method, duration: clock.uptime() - start, attempts: attempts, code: error?.code,
        refNumber: error?.refNumber))
  }

  /// - Throws: an error that names the member that differs, and nothing of the content.
  static func read<Answer: Decodable>(_: Answer.Type, from data: Data) throws(FinapticError) -> Answer {
    do { return try WireJSON.decode(Answer.self, from: data) } catch {
      throw .unreadable((error as? DecodingError)?.path ?? "body")
    }
  }

  private func send(
    _ request: TransportRequest, until end: Duration, attempts: inout Int
  ) async throws(FinapticError) -> TransportResponse {
    var request = request
    request.headers[FinapticAPI.clientKeyHeader] = key.clientKey
    request.headers["accept"] = "application/json"
    var attemptsHere = 0
    while true {
      request.deadline = end - clock.uptime()
      guard request.deadline > .zero else { throw FinapticError(TransportError(.timedOut), isPinned: false) }
      attemptsHere += 1
      attempts += 1
      let failure: FinapticError
      var pause: Duration?
      do throws(TransportError) {
        let response = try await transport.send(request)
        if response.isSuccess { return response }
        failure = FinapticError(response)
        pause = response.retryAfter
      } catch {
        failure = FinapticError(error, isPinned: !key.pins.isEmpty)
      }
      guard failure.genericCode == .unavailable, !(failure.cause is PinningFailure),
        let delay = Self.policy.delay(after: attemptsHere, retryAfter: pause, unit: randomness.unit()),
        clock.uptime() + delay < end
      else { throw failure }
      do { try await clock.pause(for: delay) } catch {
        throw FinapticError(TransportError(.cancelled), isPinned: false)
      }
    }
  }
}
