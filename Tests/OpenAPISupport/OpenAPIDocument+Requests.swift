// SPDX-License-Identifier: Apache-2.0

import Foundation

extension OpenAPIDocument {
  /// Holds a request against what the document says of its operation: path, query, headers, credentials, body.
  ///
  /// Of a body that is not JSON only the media type and that it is not empty are checked.
  package func validate(
    request: (contentType: String?, body: Data), headers: [String: String] = [:], method: String, path: String
  ) -> [Violation] {
    guard let operation = operation(method, path) else {
      return [Violation("path", "path", "The document has no such operation.")]
    }
    return violations(ofParameters: operation, path: path, headers: Self.lowercased(headers))
      + violations(ofCredentials: operation, headers: Self.lowercased(headers))
      + violations(ofBody: request, of: operation)
  }

  private func violations(
    ofParameters operation: Operation, path: String, headers: [String: String]
  ) -> [Violation] {
    let pathValues = operation.template.values(in: path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")) ?? [:]
    let items = URLComponents(string: path)?.queryItems ?? []
    let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    let parameters = (operation.content["parameters"]?.elements ?? []).map(root.resolved)
    let stated = Set(parameters.filter { $0["in"]?.text == "query" }.compactMap { $0["name"]?.text })
    let unknown = Set(query.keys).subtracting(stated).sorted()
    return unknown.map { Violation("query \($0)", "parameters", "This query member is not known.") }
      + parameters.flatMap { parameter in
        let (place, name) = (parameter["in"]?.text ?? "", parameter["name"]?.text ?? "")
        let value =
          switch place {
          case "path": pathValues[name]
          case "query": query[name]
          default: headers[name.lowercased()]
          }
        return violations(of: value, as: parameter, at: "\(place) \(name)")
      }
  }

  private func violations(ofCredentials operation: Operation, headers: [String: String]) -> [Violation] {
    let choices = operation.content["security"]?.elements ?? []
    let isMet = choices.contains { choice in
      (choice.members ?? [:]).keys.allSatisfy { holds(root["components"]?["securitySchemes"]?[$0], headers) }
    }
    return choices.isEmpty || isMet ? [] : [Violation("headers", "security", "The credentials are missing.")]
  }

  private func holds(_ scheme: JSONValue?, _ headers: [String: String]) -> Bool {
    switch scheme?["type"]?.text {
    case "apiKey" where scheme?["in"]?.text == "cookie":
      headers["cookie"]?.contains("\(scheme?["name"]?.text ?? "")=") == true
    case "apiKey": headers[(scheme?["name"]?.text ?? "").lowercased()]?.isEmpty == false
    case "http": headers["authorization"]?.lowercased().hasPrefix("\(scheme?["scheme"]?.text ?? "") ") == true
    default: false
    }
  }

  private func violations(ofBody request: (contentType: String?, body: Data), of operation: Operation) -> [Violation] {
    guard let body = operation.content["requestBody"] else {
      return request.body.isEmpty ? [] : [Violation("body", "requestBody", "There should be no body.")]
    }
    if request.body.isEmpty {
      return body["required"] == .bool(true) ? [Violation("body", "requestBody", "The body is missing.")] : []
    }
    return violations(of: request.body, request.contentType, stated: body["content"])
  }
}
