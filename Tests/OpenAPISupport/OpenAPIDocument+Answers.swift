// SPDX-License-Identifier: Apache-2.0

import Foundation

extension OpenAPIDocument {
  /// Holds an answer against what the document says of its operation and status.
  ///
  /// JSON bodies are checked member by member; of any other body only the media type and that it is not empty.
  /// - Parameters:
  ///   - headers: of the answer, names in any case; nil leaves headers unchecked.
  ///   - path: concrete, with or without its query.
  package func validate(
    response: (status: Int, contentType: String?, body: Data), headers: [String: String]? = nil, method: String,
    path: String
  ) -> [Violation] {
    guard let operation = operation(method, path) else {
      return [Violation("path", "path", "The document has no such operation.")]
    }
    guard let stated = operation.content["responses"]?["\(response.status)"] else {
      return [Violation("status", "responses", "\(operation.id) is not said to answer \(response.status).")]
    }
    let answer = root.resolved(stated)
    let fields = headers.map { violations(ofHeaders: $0, stated: answer["headers"]) } ?? []
    return fields + violations(of: response.body, response.contentType, stated: answer["content"])
  }

  private func violations(ofHeaders headers: [String: String], stated: JSONValue?) -> [Violation] {
    let fields = Self.lowercased(headers)
    return (stated?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { name, header in
      violations(of: fields[name.lowercased()], as: root.resolved(header), at: "header \(name)")
    }
  }

  /// A body against the media types that it may have. No stated content means no body.
  func violations(of body: Data, _ contentType: String?, stated content: JSONValue?) -> [Violation] {
    guard let content = content?.members, !content.isEmpty else {
      return body.isEmpty ? [] : [Violation("body", "content", "There should be no body.")]
    }
    let mediaType = Self.mediaType(contentType)
    guard let mediaType, let media = content[mediaType] else {
      return [
        Violation("header content-type", "content", "Should be \(content.keys.sorted().joined(separator: " or ")).")
      ]
    }
    guard mediaType.hasSuffix("json") else {
      return body.isEmpty ? [Violation("body", "content", "The body is empty.")] : []
    }
    guard let value = try? JSONValue(json: body) else { return [Violation("body", "content", "The body is not JSON.")] }
    return check(value, against: media["schema"] ?? .null)
  }

  /// A header, query or path value as the type that its schema asks for.
  func violations(of text: String?, as parameter: JSONValue, at place: String) -> [Violation] {
    guard let text else {
      return parameter["required"] == .bool(true) ? [Violation(place, "required", "It is missing.")] : []
    }
    let schema = parameter["schema"] ?? .null
    let types = root.resolved(schema)["type"].map { $0.texts ?? [$0.text ?? ""] } ?? []
    var value = JSONValue.string(text)
    if types.contains("boolean"), text == "true" || text == "false" { value = .bool(text == "true") }
    if types.contains("integer") || types.contains("number"), let number = Double(text) { value = .number(number) }
    return check(value, against: schema, at: place)
  }

  /// Without parameters, in lower case.
  static func mediaType(_ contentType: String?) -> String? {
    contentType?.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
  }

  static func lowercased(_ headers: [String: String]) -> [String: String] {
    Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
  }
}
