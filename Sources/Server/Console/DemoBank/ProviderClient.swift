// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit

/// The demonstration bank's client of the Authenticator's service: the provider API, with the bank's own credentials,
/// as any bank's system calls it.
struct ProviderClient: Sendable {
  let book: DemoBankService
  let http: PeerHTTP

  /// Why the service did not do what it was asked.
  enum Failure: Error, Equatable {
    case unreachable
    /// Its status: 404 is also for what ended or belongs to another customer.
    case refused(Int)
  }

  func describe() async throws -> ServiceAnswers.Provider { try await call("GET", "") }

  func connectLink(for customer: String, version: Int) async throws -> ServiceAnswers.Link {
    try await call("POST", "connect-links", ServiceAnswers.LinkRequest(user_id: customer, api_version: version))
  }

  /// The device that a customer is asked to connect.
  func session(_ session: String) async throws -> ServiceAnswers.Session {
    try await call("POST", "sessions/describe", ServiceAnswers.SessionRequest(session: session, user_id: nil))
  }

  /// - Parameter customer: nil refuses.
  /// - Returns: where the app's web view goes next.
  func end(session: String, customer: String?) async throws -> String {
    let path = customer == nil ? "sessions/refuse" : "sessions/authenticate"
    let answer: ServiceAnswers.Redirect = try await call(
      "POST", path, ServiceAnswers.SessionRequest(session: session, user_id: customer))
    return answer.redirect_url
  }

  func devices(of customer: String) async throws -> [ServiceAnswers.Device] {
    let answer: ServiceAnswers.Devices = try await call(
      "POST", "connections/search", ServiceAnswers.CustomerRequest(user_id: customer))
    return answer.connections
  }

  func revoke(device: String) async throws {
    let _: ServiceAnswers.Device = try await call("POST", "connections/\(device)/revoke", EmptyBody())
  }

  /// - Parameter key: the same for every repetition of the same order.
  func open(_ request: ServiceAnswers.Request, key: String) async throws -> ServiceAnswers.Opened {
    try await call("POST", "authorizations", request, key: key)
  }

  func authorization(_ id: String) async throws -> ServiceAnswers.Authorization {
    try await call("GET", "authorizations/\(id)")
  }

  /// - Returns: nil when it was not decided.
  func evidence(_ id: String) async throws -> ServiceAnswers.Evidence? {
    do { return try await call("GET", "authorizations/\(id)/evidence") } catch Failure.refused(404) { return nil }
  }

  private func call<Answer: Decodable>(
    _ method: String, _ path: String, _ body: (some Encodable)? = EmptyBody?.none, key: String? = nil
  ) async throws -> Answer {
    var headers = [
      "Accept": "application/json",
      "Authorization": "Basic \(Data("\(book.client):\(book.secret)".utf8).base64EncodedString())",
    ]
    headers["Idempotency-Key"] = key
    if body != nil { headers["Content-Type"] = "application/json" }
    let url = "\(book.address)/api/v1/saltedge/providers/\(book.provider)\(path.isEmpty ? "" : "/\(path)")"
    let answer: PeerHTTP.Answer
    do {
      answer = try await http.send(
        .init(method, url, headers: headers, body: try body.map { try WireJSON.encode($0) } ?? Data()))
    } catch is PeerHTTP.Failure { throw Failure.unreachable }
    guard (200...299).contains(answer.status) else { throw Failure.refused(answer.status) }
    do { return try WireJSON.decode(Answer.self, from: answer.body) } catch { throw Failure.unreachable }
  }
}
