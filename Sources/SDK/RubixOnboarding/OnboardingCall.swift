// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire
internal import RubixWire

/// One intended call: what it says and how it may be repeated. Built once, so that every repetition is the same.
struct OnboardingCall: Sendable {
  var method: String
  var path: String
  var query: [(name: String, value: String)] = []
  var body: Data?
  var deadline: Duration
  /// Set for every POST; the server recognises a repetition by it (rubix-onboarding §5.2).
  var idempotencyKey: String?
  var correlationID: String
  var progress: UploadProgress.Observer?
}

/// The institution: where it is and what every request to it carries.
struct OnboardingServer: Sendable {
  static let basePath = "api/v1/onboarding"

  let baseURL: URL
  let tenant: String?

  func request(for call: OnboardingCall, accessToken: String?) -> TransportRequest {
    var url = baseURL.appendingPathComponent(Self.basePath).appendingPathComponent(call.path)
    if !call.query.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
      parts.queryItems = call.query.map { URLQueryItem(name: $0.name, value: $0.value) }
      // Servers that read queries as forms take a plain `+` for a space.
      parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
      url = parts.url ?? url
    }
    var headers: TransportHeaders = [
      "accept": "application/json, \(ProblemDetails.mediaType)",
      OnboardingHeader.channelID: "mobile",
      OnboardingHeader.correlationID: call.correlationID,
    ]
    if call.body != nil { headers["content-type"] = "application/json" }
    headers[OnboardingHeader.tenantID] = tenant
    headers[OnboardingHeader.accessToken] = accessToken
    headers[OnboardingHeader.idempotencyKey] = call.idempotencyKey
    return TransportRequest(
      method: call.method, url: url, headers: headers, body: call.body, deadline: call.deadline)
  }
}
