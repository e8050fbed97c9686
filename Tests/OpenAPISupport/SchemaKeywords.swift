// SPDX-License-Identifier: Apache-2.0

/// The keywords of JSON Schema that the document may use, and how each must be written. Any other keyword is a fault
/// when the document is loaded, so that none is ever passed over in silence.
enum SchemaKeywords {
  /// Notes for readers, without a meaning for values. The bytes of a form part have no JSON value, hence
  /// `contentMediaType` is here.
  static let notes: Set<String> = ["title", "description", "example", "default", "deprecated", "contentMediaType"]
  static let types: Set<String> = ["null", "boolean", "integer", "number", "string", "array", "object"]
  static let encodings: Set<String> = ["base64"]

  /// What is wrong with one schema, those inside it included.
  static func faults(in schema: JSONValue, at pointer: String) -> [Violation] {
    guard let members = schema.members else {
      return [Violation(pointer, "schema", "A schema is an object here.")]
    }
    var faults = members.sorted { $0.key < $1.key }.flatMap { keyword, value in
      self.faults(of: keyword, value, at: pointer + "/" + Violation.escaped(keyword))
    }
    // A name that is required but unknown is a slip of the pen.
    if let required = schema["required"]?.texts, let properties = schema["properties"]?.members {
      for name in required where properties[name] == nil {
        faults.append(Violation(pointer + "/required", "required", "\(name) is not among the properties."))
      }
    }
    return faults
  }

  private static func faults(of keyword: String, _ value: JSONValue, at pointer: String) -> [Violation] {
    func check(_ isFine: Bool, _ message: String) -> [Violation] {
      isFine ? [] : [Violation(pointer, keyword, message)]
    }
    switch keyword {
    case "$ref": return check(value.text?.hasPrefix("#/") == true, "Only references inside the document.")
    case "type":
      let words = value.texts ?? value.text.map { [$0] } ?? []
      return check(!words.isEmpty && types.isSuperset(of: words), "Unknown type.")
    case "enum": return check(value.elements?.isEmpty == false, "A list of values.")
    case "const": return []
    case "required": return check(value.texts != nil, "A list of names.")
    case "properties":
      guard let properties = value.members else { return check(false, "An object of schemas.") }
      return properties.sorted { $0.key < $1.key }.flatMap {
        faults(in: $1, at: pointer + "/" + Violation.escaped($0))
      }
    case "additionalProperties": return value.flag == false ? [] : faults(in: value, at: pointer)
    case "items": return faults(in: value, at: pointer)
    case "allOf", "anyOf", "oneOf":
      guard let schemas = value.elements, !schemas.isEmpty else { return check(false, "A list of schemas.") }
      return schemas.enumerated().flatMap { faults(in: $1, at: pointer + "/\($0)") }
    case "minimum", "maximum": return check(value.number != nil, "A number.")
    case "minItems", "maxItems", "minLength", "maxLength":
      return check(value.number.map { $0 >= 0 && $0.rounded() == $0 } ?? false, "A count.")
    case "pattern": return check(value.text.flatMap(TextPattern.init) != nil, "A regular expression.")
    case "format": return check(value.text.flatMap(StringFormat.init(rawValue:)) != nil, "Unknown format.")
    case "contentEncoding": return check(value.text.map(encodings.contains) ?? false, "Unknown encoding.")
    case _ where notes.contains(keyword): return []
    default: return check(false, "This keyword is not checked here; it must not be used.")
    }
  }
}
