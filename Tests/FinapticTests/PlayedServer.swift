// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Synchronization

@testable import Finaptic

/// A server that is played: answers by path, and remembers what it was asked.
final class PlayedServer: Sendable {
  typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

  private struct State {
    var answers: [String: [Answer]] = [:]
    var requests: [TransportRequest] = []
    var pauses: [Duration] = []
    /// Seconds since 1970.
    var now = 1_800_000_000.0
    var ids = 0
  }

  private let state = Mutex(State())

  /// The next answers for a method; the last one stays.
  func play(_ method: FinapticMethod, _ answers: Answer...) { play(method.path, answers) }

  func play(_ path: String, _ answers: [Answer]) { state.withLock { $0.answers[path] = answers } }

  var requests: [TransportRequest] { state.withLock { $0.requests } }
  var pauses: [Duration] { state.withLock { $0.pauses } }

  func requests(_ method: FinapticMethod) -> [TransportRequest] {
    requests.filter { $0.url.path == method.path }
  }

  func advance(seconds: Double) { state.withLock { $0.now += seconds } }

  private var transport: HTTPTransport {
    HTTPTransport { [self] (request, _) async throws(TransportError) in
      let answer = state.withLock { state -> Answer? in
        state.requests.append(request)
        let path = request.url.path
        guard let answers = state.answers[path], let first = answers.first else { return nil }
        if answers.count > 1 { state.answers[path]?.removeFirst() }
        return first
      }
      guard let answer else { throw TransportError(.unexpectedCall) }
      return try await answer(request)
    }
  }

  func options(store: any DirectSecureStore = MemorySecureStore()) -> FinapticOptions {
    FinapticOptions(
      store: store, transport: transport,
      clock: ClientClock(
        wallTime: { [self] in state.withLock { $0.now } },
        uptime: { [self] in .seconds(state.withLock { $0.now }) },
        pause: { [self] (duration) async throws(CancellationError) in
          state.withLock {
            $0.pauses.append(duration)
            $0.now += Double(duration.components.seconds)
          }
        }),
      randomness: ClientRandomness(
        unit: { 0.5 },
        uuid: { [self] in
          let number = state.withLock { state in
            state.ids += 1
            return state.ids
          }
          return UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number)) ?? UUID()
        }),
      timeZone: { TimeZone(identifier: "America/Toronto") ?? .gmt })
  }

  /// An SDK that has been initialised against this server.
  func sdk(
    store: any DirectSecureStore = MemorySecureStore(), log: @escaping FinapticLog.Handler = { _ in }
  ) async throws -> FinapticSDK {
    play(FinapticAPI.configurationPath, [PlayedServer.ok(PlayedServer.configuration)])
    var options = options(store: store)
    options.log = log
    return try await FinapticSDK.make(sdkKey: PlayedServer.key.text, options: options)
  }

  static let key = FinapticSDKKey(
    environment: .sandbox, tenantID: 7, baseURL: URL(string: "https://bank.example") ?? URL(fileURLWithPath: "/"),
    clientKey: "ck-7")

  static let configuration = FinapticAPI.Configuration(
    consents: [
      "CONSENT_TYPE_TERMS_OF_USE_OF_APP", "CONSENT_TYPE_ELECTRONIC_COMMUNICATION", "CONSENT_TYPE_PRIVACY_POLICY",
      "CONSENT_TYPE_PRODUCT_AGREEMENT",
    ].map {
      FinapticAPI.Terms(
        documentType: $0, documentNameAndVersion: "https://bank.example/\($0)/1", neededBeforeValidation: true)
    }, referenceDataVersion: "1")

  static func ok(_ value: some Encodable & Sendable) -> Answer {
    { (_) async throws(TransportError) in
      guard let body = try? WireJSON.encode(value) else { throw TransportError(.other) }
      return TransportResponse(status: 200, body: body)
    }
  }

  /// An answer that was made for an earlier arrival of the same call.
  static func repeated(_ value: some Encodable & Sendable) -> Answer {
    let first = ok(value)
    return { (request) async throws(TransportError) in
      var response = try await first(request)
      response.headers[FinapticAPI.replayedHeader] = "true"
      return response
    }
  }

  /// The same answer after something has happened.
  static func after(_ event: @escaping @Sendable () async -> Void, _ answer: @escaping Answer) -> Answer {
    { (request) async throws(TransportError) in
      await event()
      return try await answer(request)
    }
  }

  static func fail(_ code: TransportError.Code) -> Answer {
    { (_) async throws(TransportError) in throw TransportError(code) }
  }

  static func refuse(
    _ code: FinapticCode, _ specific: FinapticCode? = nil, refNumber: String? = nil, retryAfter: Int? = nil,
    violations: [FinapticAPI.FieldViolation]? = nil
  ) -> Answer {
    { (_) async throws(TransportError) in
      let body = FinapticAPI.ErrorBody(
        code: code.rawValue, message: "no",
        details: FinapticAPI.ErrorDetails(
          errorCode: specific?.rawValue, source: "onboarding", refNumber: refNumber, fieldViolations: violations))
      var response = TransportResponse(status: code.httpStatus, body: (try? WireJSON.encode(body)) ?? Data())
      response.headers["retry-after"] = retryAfter.map { "\($0)" }
      return response
    }
  }

  static func tokens(_ number: Int, expiresIn: Int = 900) -> FinapticAPI.AuthState {
    FinapticAPI.AuthState(accessToken: "access-\(number)", refreshToken: "refresh-\(number)", expiresIn: expiresIn)
  }

  static func application(
    _ status: String = "Data Collection", customerId: String? = nil
  ) -> FinapticAPI.ApplicationResponse {
    FinapticAPI.ApplicationResponse(
      basicDetails: FinapticAPI.BasicDetails(
        applicationId: "a-1", onboardingApplicationStatus: status, requestStatus: "OK", remainingAllowedRetries: 3),
      customerId: customerId)
  }
}

extension TransportRequest {
  /// The body's members as text, for comparisons.
  var text: String { body.map { String(decoding: $0, as: UTF8.self) } ?? "" }
  var bearer: String? { headers["authorization"] }
  var idempotencyKey: String? { headers[FinapticAPI.idempotencyKeyHeader] }
}

extension Result where Failure == FinapticError {
  var error: FinapticError? {
    if case .failure(let error) = self { return error }
    return nil
  }
}
