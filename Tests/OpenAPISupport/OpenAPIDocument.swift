// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An OpenAPI 3.1 document that was found whole: every reference leads somewhere, and nothing in it is outside the part
/// of the standard that is checked here.
package struct OpenAPIDocument: Sendable {
  /// A document that cannot be used, with every fault that was found.
  package struct Invalid: Error, CustomStringConvertible {
    package let faults: [Violation]

    init(_ faults: [Violation]) { self.faults = faults }

    package var description: String { faults.map(\.description).joined(separator: "\n") }
  }

  /// A method at a path.
  package struct Operation: Sendable {
    /// Upper case.
    package let method: String
    package let template: PathTemplate
    package let id: String
    let content: JSONValue
  }

  let root: JSONValue
  package let operations: [Operation]

  /// - Throws: `Invalid`, or the error of the YAML parser.
  package init(yaml: String) throws { try self.init(JSONValue(yaml: yaml)) }

  /// - Throws: `Invalid`, or the parser's error when the bytes are not JSON.
  package init(json: Data) throws { try self.init(JSONValue(json: json)) }

  /// - Throws: `Invalid`.
  package init(_ root: JSONValue) throws {
    let faults = DocumentAudit(root: root).faults
    guard faults.isEmpty else { throw Invalid(faults) }
    self.root = root
    operations = (root["paths"]?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { path, item in
      (item.members ?? [:]).sorted { $0.key < $1.key }.map { method, content in
        Operation(
          method: method.uppercased(), template: PathTemplate(path), id: content["operationId"]?.text ?? "",
          content: content)
      }
    }
  }

  /// The operation that a concrete path means; where several templates fit, the one with the earlier literal part.
  package func operation(_ method: String, _ path: String) -> Operation? {
    let (method, pieces) = (method.uppercased(), path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/"))
    return operations.filter { $0.method == method && $0.template.values(in: pieces) != nil }
      .min { $0.template.isMoreLiteral(than: $1.template) }
  }

  func check(_ value: JSONValue, against schema: JSONValue, at place: String = "") -> [Violation] {
    SchemaValidator(document: root).violations(of: value, against: schema, at: place)
  }
}

// MARK: - Against a router

extension OpenAPIDocument {
  /// Routes that the document does not tell of, as `GET /a/{}`. Names of path parameters do not count.
  package func undocumented(in routes: [(method: String, path: String)]) -> [String] {
    Set(routes.map { Self.shape($0.method, PathTemplate($0.path)) }).subtracting(shapes).sorted()
  }

  /// Operations of the document that no route serves.
  package func missing(in routes: [(method: String, path: String)]) -> [String] {
    shapes.subtracting(routes.map { Self.shape($0.method, PathTemplate($0.path)) }).sorted()
  }

  private var shapes: Set<String> { Set(operations.map { Self.shape($0.method, $0.template) }) }

  private static func shape(_ method: String, _ template: PathTemplate) -> String {
    "\(method.uppercased()) \(template.shape)"
  }
}
