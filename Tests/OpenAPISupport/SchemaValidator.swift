// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Holds a value against a schema of the document (JSON Schema 2020-12, the part that `SchemaKeywords` lists).
struct SchemaValidator {
  /// Deeper than this a schema refers to itself without an end.
  static let depthMax = 64

  let document: JSONValue

  func violations(of value: JSONValue, against schema: JSONValue, at place: String = "", depth: Int = 0) -> [Violation]
  {
    guard depth < Self.depthMax else { return [Violation(place, "$ref", "The schema has no end.")] }
    guard let keywords = schema.members else { return [Violation(place, "schema", "There is no such schema.")] }
    return keywords.sorted { $0.key < $1.key }.flatMap { keyword, rule in
      violations(of: value, keyword, rule, in: schema, at: place, depth: depth)
    }
  }

  private func violations(
    of value: JSONValue, _ keyword: String, _ rule: JSONValue, in schema: JSONValue, at place: String, depth: Int
  ) -> [Violation] {
    func check(_ isFine: Bool, _ message: String) -> [Violation] {
      isFine ? [] : [Violation(place, keyword, message)]
    }
    switch keyword {
    case "$ref":
      return violations(of: value, against: document.resolved(schema), at: place, depth: depth + 1)
    case "type":
      let words = rule.texts ?? rule.text.map { [$0] } ?? []
      return check(!Set(words).isDisjoint(with: value.typeNames), "Not of type \(words.joined(separator: " or ")).")
    case "enum": return check(rule.elements?.contains(value) ?? false, "Not one of the listed values.")
    case "const": return check(rule == value, "Not the one value.")
    case "allOf", "anyOf", "oneOf":
      return combined(value, keyword, rule.elements ?? [], at: place, depth: depth)
    case "required", "properties", "additionalProperties":
      return value.members.map { members(of: $0, keyword, rule, in: schema, at: place, depth: depth) } ?? []
    case "items":
      return (value.elements ?? []).enumerated().flatMap {
        violations(of: $1, against: rule, at: place + "/\($0)", depth: depth + 1)
      }
    case "minItems", "maxItems":
      return value.elements.map { check(Self.keeps(Double($0.count), keyword, rule), "Wrong number of items.") } ?? []
    case "minimum", "maximum":
      return value.number.map { check(Self.keeps($0, keyword, rule), "Out of range.") } ?? []
    case "minLength", "maxLength", "pattern", "format", "contentEncoding":
      return value.text.map { check(Self.keeps($0, keyword, rule), "Not \(keyword) as required.") } ?? []
    case _ where SchemaKeywords.notes.contains(keyword): return []
    default: return check(false, "This keyword is not checked here.")
    }
  }

  private func members(
    of members: [String: JSONValue], _ keyword: String, _ rule: JSONValue, in schema: JSONValue, at place: String,
    depth: Int
  ) -> [Violation] {
    func inside(_ name: String) -> String { place + "/" + Violation.escaped(name) }
    let known = schema["properties"]?.members ?? [:]
    switch keyword {
    case "required":
      return (rule.texts ?? []).filter { members[$0] == nil }
        .map { Violation(inside($0), keyword, "This member is missing.") }
    case "properties":
      return known.sorted { $0.key < $1.key }.flatMap { name, schema in
        members[name].map { violations(of: $0, against: schema, at: inside(name), depth: depth + 1) } ?? []
      }
    default:
      return members.filter { known[$0.key] == nil }.sorted { $0.key < $1.key }.flatMap { name, value in
        rule == .bool(false)
          ? [Violation(inside(name), keyword, "This member is not known.")]
          : violations(of: value, against: rule, at: inside(name), depth: depth + 1)
      }
    }
  }

  private func combined(
    _ value: JSONValue, _ keyword: String, _ schemas: [JSONValue], at place: String, depth: Int
  ) -> [Violation] {
    let outcomes = schemas.map { violations(of: value, against: $0, at: place, depth: depth + 1) }
    if keyword == "allOf" { return outcomes.flatMap { $0 } }
    let matches = outcomes.count(where: \.isEmpty)
    if matches == 1 || (keyword == "anyOf" && matches > 1) { return [] }
    guard matches == 0 else { return [Violation(place, keyword, "\(matches) alternatives match.")] }
    // What the nearest alternative lacks helps more than the bare fact.
    let nearest = outcomes.min { $0.count < $1.count } ?? []
    return [Violation(place, keyword, "No alternative matches.")] + nearest
  }

  private static func keeps(_ number: Double, _ keyword: String, _ rule: JSONValue) -> Bool {
    guard let bound = rule.number else { return false }
    return keyword.hasPrefix("min") ? number >= bound : number <= bound
  }

  private static func keeps(_ text: String, _ keyword: String, _ rule: JSONValue) -> Bool {
    switch keyword {
    // JSON Schema counts Unicode code points (§6.3).
    case "minLength", "maxLength": keeps(Double(text.unicodeScalars.count), keyword, rule)
    case "pattern": rule.text.flatMap(TextPattern.init)?.accepts(text) ?? false
    case "format": rule.text.flatMap(StringFormat.init(rawValue:))?.accepts(text) ?? false
    default: Data(base64Encoded: text) != nil
    }
  }
}

extension JSONValue {
  /// What a value refers to, or the value itself. In a document that loaded every reference leads somewhere.
  func resolved(_ value: JSONValue) -> JSONValue {
    var value = value
    for _ in 0..<8 {
      guard let reference = value["$ref"]?.text else { return value }
      guard let target = self.value(at: reference) else { return .null }
      value = target
    }
    return .null
  }

  /// Follows a reference such as `#/components/schemas/Problem`.
  func value(at reference: String) -> JSONValue? {
    guard reference.hasPrefix("#/") else { return nil }
    return reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false).reduce(self) { value, part in
      value?[String(part).replacing("~1", with: "/").replacing("~0", with: "~")]
    }
  }
}
