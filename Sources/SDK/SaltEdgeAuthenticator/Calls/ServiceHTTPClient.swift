// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import GatehouseTransport
internal import GatehouseWire
internal import SaltEdgeCore
internal import SaltEdgeWire

/// Sends calls to services and reads what they answer.
package struct ServiceHTTPClient: Sendable {
  let transport: HTTPTransport
  let clock: ClientClock
  let device: DeviceDescription
  package let limits: ExchangeLimits
  /// Shared by the copies of this client.
  private let expiries: ProofExpiries

  package init(
    transport: HTTPTransport, clock: ClientClock, device: DeviceDescription, limits: ExchangeLimits = ExchangeLimits(),
    expiries: ProofExpiries = ProofExpiries()
  ) {
    (self.transport, self.clock, self.device) = (transport, clock, device)
    (self.limits, self.expiries) = (limits, expiries)
  }

  /// Writes, signs and sends the call once.
  /// - Throws: `AuthenticatorError`, whose class is the one of the body when there is one.
  package func send<Answer>(_ call: ServiceCall<Answer>) async throws(AuthenticatorError) -> Answer {
    let response = try await send(request(for: call))
    return try Self.read(response, as: Answer.self)
  }

  /// Sends what was written before.
  package func send(_ request: TransportRequest) async throws(AuthenticatorError) -> TransportResponse {
    do throws(TransportError) { return try await transport.send(request) } catch { throw AuthenticatorError(error) }
  }

  /// The request as it is sent: its signature holds for five minutes from now. In v2 no two of a connection expire
  /// in the same second.
  /// - Throws: `notSent`, or what keeps the key from being opened.
  package func request<Answer>(for call: ServiceCall<Answer>) throws(AuthenticatorError) -> TransportRequest {
    let now = Int64(clock.wallTime().rounded(.down))
    let expiry =
      if case .v2(let token, _) = call.proof, call.body != nil {
        expiries.next(for: token, nowSeconds: now)
      } else {
        now + SignatureExpiry.secondsByDefault
      }
    var headers = call.headers
    headers["Accept"] = "application/json"
    headers["Content-Type"] = "application/json"
    headers["Accept-Language"] = call.language
    headers["User-Agent"] = device.userAgent
    let body: Data?
    do {
      body = try call.body?(expiry)
      switch call.proof {
      case .none: break
      case .token(let token): headers["Access-Token"] = token
      case .v1(let token, let key):
        let signed = SignedRequest(
          method: call.method, url: call.url.absoluteString, expiresAtSeconds: expiry, body: body ?? Data())
        headers["Access-Token"] = token
        headers[SignedRequest.expiryHeader] = signed.expiresAt
        headers[SignedRequest.signatureHeader] = try signed.signature(with: key.opened())
      case .v2(let token, let key):
        headers["Access-Token"] = token
        headers[DetachedJWS.header] = try DetachedJWS.sign(body ?? Data(), with: key.opened())
      }
    } catch {
      throw error as? AuthenticatorError ?? AuthenticatorError(.notSent, .apiRequest)
    }
    var fields = TransportHeaders()
    for (name, value) in headers {
      // A token or a place with a line end in it would make up headers of its own.
      guard value.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
        throw AuthenticatorError(.notSent, .apiRequest)
      }
      fields[name] = value
    }
    return TransportRequest(
      method: call.method, url: call.url, headers: fields, body: body, deadline: limits.deadline,
      silenceMax: limits.silenceMax)
  }

  /// What is in the envelope, whatever the content type.
  package static func read<Answer: Codable & Sendable>(
    _ response: TransportResponse, as _: Answer.Type
  ) throws(AuthenticatorError) -> Answer {
    if response.isSuccess, let answer = try? WireJSON.decode(SaltEdge.Body<Answer>.self, from: response.body) {
      return answer.data
    }
    if let refusal = try? WireJSON.decode(Refusal.self, from: response.body), !refusal.errorClass.isEmpty {
      throw AuthenticatorError(
        .refused(status: response.status), .init(rawValue: refusal.errorClass), message: refusal.message)
    }
    throw AuthenticatorError(
      .unreadable(status: response.status), .apiResponse,
      message: response.isSuccess ? "Invalid response" : "Request Error (\(response.status))")
  }

  /// An error body of which no more is needed than its class.
  private struct Refusal: Decodable {
    let errorClass: String
    let message: String?

    private enum CodingKeys: String, CodingKey {
      case errorClass = "error_class"
      case message = "error_message"
    }
  }
}
