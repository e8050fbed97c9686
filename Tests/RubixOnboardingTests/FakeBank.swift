// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RubixOnboarding

/// The server's side of the tokens, and canned answers for everything else.
///
/// Access tokens are `A1`, `A2`, …, refresh tokens `R1`, `R2`, …; a refresh spends its token, and the one just spent
/// gives its successor once more, as within the server's 10 s.
actor FakeBank {
  typealias Outcome = Result<TransportResponse, TransportError>

  private var generation = 1
  private var accepted: Set<String> = ["A1"]
  private var answers: [String: [Outcome]] = [:]
  private var refreshAnswers: [Outcome] = []
  private var waitingForCrowd: [CheckedContinuation<Void, Never>] = []
  private var crowd = 0
  private(set) var requests: [TransportRequest] = []

  nonisolated var transport: HTTPTransport {
    HTTPTransport { (request, progress) async throws(TransportError) in
      if let body = request.body, let progress {
        progress(UploadProgress(bytesSent: Int64(body.count), bytesTotal: Int64(body.count)))
      }
      return try await self.answer(request).get()
    }
  }

  /// What a call gets once its token is accepted, in order; the last is repeated.
  func on(_ call: String, _ outcomes: Outcome...) { answers[call] = outcomes }

  /// What refreshes get instead of new tokens, one each. A failure is an answer that was lost: the token is spent.
  func onRefresh(_ outcomes: Outcome...) { refreshAnswers = outcomes }

  /// From now on the access tokens given so far are expired.
  func expireTokens() { accepted = [] }

  /// Refreshes answer only when so many calls were told that their token is expired.
  func holdRefreshes(until crowd: Int) { self.crowd = crowd }

  func count(_ call: String) -> Int { requests.filter { $0.call == call }.count }
  func keys(_ call: String) -> [String?] { requests.filter { $0.call == call }.map { $0.headers["idempotency-key"] } }

  private func answer(_ request: TransportRequest) async -> Outcome {
    requests.append(request)
    if request.call == "POST auth/refresh-token" { return await refresh(request) }
    let token = request.headers["x-access-token"]
    if token == nil, request.call != "POST auth/register" { return .problem(401, "token-missing") }
    if let token, !accepted.contains(token) {
      crowd -= 1
      if crowd <= 0 {
        for refresh in waitingForCrowd { refresh.resume() }
        waitingForCrowd = []
      }
      return .problem(401, "token-expired")
    }
    guard let planned = answers[request.call], let next = planned.first else {
      Issue.record("nothing expects \(request.call)")
      return .failure(TransportError(.unexpectedCall))
    }
    if planned.count > 1 { answers[request.call] = Array(planned.dropFirst()) }
    return next
  }

  private func refresh(_ request: TransportRequest) async -> Outcome {
    if crowd > 0 { await withCheckedContinuation { waitingForCrowd.append($0) } }
    let planned = refreshAnswers.isEmpty ? nil : refreshAnswers.removeFirst()
    if let planned, case .success = planned { return planned }
    switch request.headers["x-refresh-token"] {
    case "R\(generation)": generation += 1
    case "R\(generation - 1)": break
    default: return .problem(401, "refresh-reused")
    }
    accepted.insert("A\(generation)")
    if let planned { return planned }
    return .json(
      #"{"status":"SUCCESS","message":"","access_expires_in":900,"refresh_expires_in":2592000}"#,
      headers: ["x-access-token": "A\(generation)", "x-refresh-token": "R\(generation)"])
  }
}

extension TransportRequest {
  /// Such as `GET auth/me`.
  var call: String { "\(method) \(url.path.replacingOccurrences(of: "/api/v1/onboarding/", with: ""))" }
}

extension FakeBank.Outcome {
  static func json(_ text: String, status: Int = 200, headers: TransportHeaders = [:]) -> Self {
    var headers = headers
    headers["content-type"] = "application/json"
    return .success(TransportResponse(status: status, headers: headers, body: Data(text.utf8)))
  }

  static func problem(_ status: Int, _ code: String, _ more: String = "", headers: TransportHeaders = [:]) -> Self {
    var headers = headers
    headers["content-type"] = "application/problem+json"
    let type = "https://gatehouse.example/problems/\(code)"
    let body = #"{"type":"\#(type)","title":"t","status":\#(status),"code":"\#(code)"\#(more)}"#
    return .success(TransportResponse(status: status, headers: headers, body: Data(body.utf8)))
  }
}
