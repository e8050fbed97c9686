// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore

/// The server's own calls, by HTTP (powerauth.md §8).
struct RemoteServer: Sendable {
  private let address: String
  private let transport: HTTPTransport
  private let deadline: Duration
  private let userAgent: String?
  private let interceptors: [any PowerAuthHttpRequestInterceptor]

  init(
    address: String, transport: HTTPTransport, deadline: TimeInterval, userAgent: String?,
    interceptors: [any PowerAuthHttpRequestInterceptor]
  ) {
    self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
    self.transport = transport
    // `max` gives its first argument when it cannot compare, as with what is no number.
    self.deadline = .milliseconds(Int64(min(max(1, deadline), 600) * 1000))
    self.userAgent = userAgent
    self.interceptors = interceptors
  }

  /// Sends a body and gives back what the server answered.
  /// - Throws: `networkError` when it did not answer or refused; `operationCancelled`.
  func post(
    _ endpoint: PowerAuthEndpoint, _ body: Data, headers: [PowerAuthAuthorizationHttpHeader] = []
  ) async throws(CallFailure) -> Data {
    guard let url = URL(string: address + endpoint.rawValue) else {
      throw CallFailure(.wrongParameter, "The server's address is not one.")
    }
    var fields: TransportHeaders = ["Accept": "application/json"]
    fields["User-Agent"] = userAgent
    for interceptor in interceptors { fields[interceptor.headerKey] = interceptor.headerValue }
    // Behind the app's, which must not stand in for what the protocol says.
    fields["Content-Type"] = "application/json"
    for header in headers { fields[header.key] = header.value }
    let request = TransportRequest(method: "POST", url: url, headers: fields, body: body, deadline: deadline)
    let response: TransportResponse
    do throws(TransportError) { response = try await transport.send(request) } catch {
      throw CallFailure(transport: error)
    }
    guard response.isSuccess else {
      throw CallFailure(refusal: CallFailure.Refusal(status: response.status, body: response.body))
    }
    return response.body
  }

  /// Sends a request object and reads the response object.
  func call<Answer: Decodable>(
    _ endpoint: PowerAuthEndpoint, _ request: some Encodable, headers: [PowerAuthAuthorizationHttpHeader] = [],
    as _: Answer.Type = Answer.self
  ) async throws(CallFailure) -> Answer {
    let body = try RemoteServer.encoded(RequestEnvelope(request))
    let answer = try await post(endpoint, body, headers: headers)
    return try RemoteServer.decoded(ResponseEnvelope<Answer>.self, from: answer).responseObject
  }

  static func encoded(_ value: some Encodable) throws(CallFailure) -> Data {
    do { return try JSONEncoder().encode(value) } catch {
      throw CallFailure(.wrongParameter, "The request cannot be written as JSON.")
    }
  }

  static func decoded<Value: Decodable>(_ type: Value.Type, from data: Data) throws(CallFailure) -> Value {
    do { return try JSONDecoder().decode(type, from: data) } catch {
      throw CallFailure(.networkError, "The server's answer is not what the protocol says.")
    }
  }
}
