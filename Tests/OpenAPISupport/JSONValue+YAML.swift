// SPDX-License-Identifier: Apache-2.0

import Yams

extension JSONValue {
  /// Reads YAML that means the same to every reader.
  ///
  /// Words that YAML 1.1 and 1.2 read differently (`yes`, an unquoted date) and keys that are no text are refused
  /// here, keys that come twice by the parser, which also puts what an alias stands for in its place.
  /// - Throws: `OpenAPIDocument.Invalid`, or the parser's error.
  package init(yaml: String) throws {
    guard let node = try Yams.compose(yaml: yaml) else {
      throw OpenAPIDocument.Invalid([Violation("", "yaml", "The document is empty.")])
    }
    try self.init(node, at: "")
  }

  private init(_ node: Node, at pointer: String) throws {
    switch node {
    case .scalar(let scalar): self = try Self.scalar(scalar, tag: node.tag, at: pointer)
    case .sequence(let sequence):
      self = .array(try sequence.enumerated().map { try JSONValue($1, at: pointer + "/\($0)") })
    case .mapping(let mapping):
      var members: [String: JSONValue] = [:]
      for (key, value) in mapping {
        guard case .scalar(let name) = key, key.tag == Tag(.str) else {
          throw Self.refusal(pointer, "A key is not a text; quote it.")
        }
        members[name.string] = try JSONValue(value, at: pointer + "/" + Violation.escaped(name.string))
      }
      self = .object(members)
    case .alias: throw Self.refusal(pointer, "This alias stands for nothing.")
    }
  }

  private static func scalar(_ scalar: Node.Scalar, tag: Tag, at pointer: String) throws -> JSONValue {
    switch tag {
    case Tag(.str): return .string(scalar.string)
    case Tag(.null) where scalar.string == "null": return .null
    case Tag(.bool) where ["true", "false"].contains(scalar.string): return .bool(scalar.string == "true")
    case Tag(.int), Tag(.float):
      if let number = Double(scalar.string), number.isFinite { return .number(number) }
    default: break
    }
    throw refusal(pointer, "Readers of YAML differ about this word; quote it.")
  }

  private static func refusal(_ pointer: String, _ message: String) -> OpenAPIDocument.Invalid {
    OpenAPIDocument.Invalid([Violation(pointer, "yaml", message)])
  }
}
