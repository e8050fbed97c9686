// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

public enum HTTPMethod: String, Sendable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
}

/// Where parameters go: into the query, or into the body as JSON.
public enum Encoding: String, Sendable {
  case url, json
}

/// A request that an app makes of its own.
public protocol Routable {
  var method: HTTPMethod { get }
  var encoding: Encoding { get }
  var url: URL { get }
  var headers: [String: String]? { get }
  var parameters: [String: Any]? { get }
}

extension Routable {
  /// Parameters are in the query, sorted by name, or in the body; never in both.
  public func asURLRequest() -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method.rawValue
    request.allHTTPHeaderFields = headers
    guard let parameters else { return request }
    switch encoding {
    case .url:
      let items = parameters.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: "\($0.value)") }
      request.url = url.appending(queryItems: items)
    case .json:
      if request.value(forHTTPHeaderField: "Content-Type") == nil {
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      }
      request.httpBody = ParametersSerializer.createBody(parameters: parameters)
    }
    return request
  }
}
