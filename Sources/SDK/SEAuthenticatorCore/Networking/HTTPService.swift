// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import GatehouseTransport
internal import GatehouseWire
public import SaltEdgeAuthenticator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Sends requests that an app makes of its own, and reads `T` from the whole body of the answer.
public struct HTTPService<T: Decodable & Sendable> {
  /// - Parameters:
  ///   - completionQueue: where one of the closures is called, once.
  ///   - failure: gets the answer's `error_class`, or one of this side's.
  @preconcurrency
  public static func makeRequest(
    _ request: any Routable, completionQueue: DispatchQueue = .main, completion: SEHTTPResponse<T>,
    failure: @escaping FailureBlock
  ) {
    call(request).report(on: completionQueue, completion, failure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func makeRequest(
    _ request: any Routable
  ) async throws(SEAuthenticatorError) -> T {
    try await call(request).answer()
  }

  private static func call(_ routable: any Routable) -> PublishedCall<T> {
    let request = routable.asURLRequest()
    // Parameters that are no JSON must not become a request without a body.
    let isUnwritable = routable.encoding == .json && routable.parameters != nil && request.httpBody == nil
    return PublishedCall { (client) async throws(AuthenticatorError) in
      guard !isUnwritable, let url = request.url else { throw AuthenticatorError(.notSent, .apiRequest) }
      var headers = TransportHeaders()
      headers["User-Agent"] = SEAuthenticatorPlatform.current.device.userAgent
      for (name, value) in request.allHTTPHeaderFields ?? [:] { headers[name] = value }
      let response = try await client.send(
        TransportRequest(
          method: request.httpMethod ?? "GET", url: url, headers: headers, body: request.httpBody,
          deadline: client.limits.deadline, silenceMax: client.limits.silenceMax))
      if response.isSuccess, let answer = try? decoder.decode(T.self, from: response.body) { return answer }
      _ = try ServiceHTTPClient.read(response, as: EmptyBody.self)
      throw .unusableAnswer
    }
  }

  /// Dates are instants, or days.
  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = text.iso8601date ?? DateUtils.ymdDateFormatter.date(from: text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither an instant nor a day")
      }
      return date
    }
    return decoder
  }
}
