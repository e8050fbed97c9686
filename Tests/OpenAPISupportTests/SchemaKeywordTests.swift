// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import OpenAPISupport

/// Each keyword passes what it should and fails what it should: one row each, a value that keeps it and one that breaks.
@Suite("Every schema keyword can fail")
struct SchemaKeywordTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let good: String
    let bad: String
    let rules: [String]

    var testDescription: String { "\(schema) refuses \(bad)" }

    init(_ schema: String, good: String, bad: String, _ rules: String...) {
      self.schema = schema
      self.good = good
      self.bad = bad
      self.rules = rules
    }
  }

  static let cases: [Case] = [
    Case("{ type: string }", good: #""a""#, bad: "1", "type"),
    Case("{ type: boolean }", good: "true", bad: "1", "type"),
    Case("{ type: number }", good: "1.5", bad: "true", "type"),
    Case("{ type: integer }", good: "2.0", bad: "1.5", "type"),
    Case("{ type: array }", good: "[]", bad: "{}", "type"),
    Case("{ type: object }", good: "{}", bad: "[]", "type"),
    Case("{ type: 'null' }", good: "null", bad: "0", "type"),
    Case("{ type: [string, 'null'] }", good: "null", bad: "false", "type"),
    Case("{ type: object, properties: { a: { type: string } } }", good: #"{"b":1}"#, bad: #"{"a":1}"#, "type"),
    Case("{ type: object, required: [a], properties: { a: {} } }", good: #"{"a":null}"#, bad: "{}", "required"),
    Case(
      "{ type: object, properties: { a: {} }, additionalProperties: false }", good: #"{"a":1}"#, bad: #"{"b":1}"#,
      "additionalProperties"),
    Case(
      "{ type: object, properties: { a: {} }, additionalProperties: { type: string } }", good: #"{"a":1,"b":"c"}"#,
      bad: #"{"b":1}"#, "type"),
    Case("{ type: array, items: { type: string } }", good: #"["a"]"#, bad: #"["a",1]"#, "type"),
    Case("{ type: array, minItems: 1 }", good: "[1]", bad: "[]", "minItems"),
    Case("{ type: array, maxItems: 1 }", good: "[1]", bad: "[1,2]", "maxItems"),
    Case("{ enum: [a, 1] }", good: "1", bad: #""1""#, "enum"),
    Case("{ const: true }", good: "true", bad: "1", "const"),
    Case("{ minimum: 0 }", good: "0", bad: "-0.1", "minimum"),
    Case("{ maximum: 1 }", good: "1", bad: "1.1", "maximum"),
    Case("{ minLength: 1 }", good: #""a""#, bad: #""""#, "minLength"),
    Case("{ maxLength: 1 }", good: #""é""#, bad: #""ab""#, "maxLength"),
    Case("{ pattern: '^[a-z]+$' }", good: #""ab""#, bad: #""aB""#, "pattern"),
    Case("{ pattern: '^[a-z]+$' }", good: #""ab""#, bad: #""ab\n""#, "pattern"),
    Case("{ pattern: b }", good: #""abc""#, bad: #""acd""#, "pattern"),
    Case("{ format: date }", good: #""2024-02-29""#, bad: #""2026-02-29""#, "format"),
    Case("{ format: date }", good: #""2026-12-31""#, bad: #""2026-13-01""#, "format"),
    Case("{ format: date-time }", good: #""2026-11-21T06:00:00.25Z""#, bad: #""2026-11-21T24:00:00Z""#, "format"),
    Case("{ format: date-time }", good: #""2026-11-21T06:00:00+03:00""#, bad: #""2026-11-21 06:00:00Z""#, "format"),
    Case("{ format: uuid }", good: #""0198c2f4-6f0e-7c55-9a0a-0d0c5f1d7a03""#, bad: #""0198c2f4""#, "format"),
    Case("{ format: email }", good: #""a@bank.example""#, bad: #""a@b@c""#, "format"),
    Case("{ format: uri }", good: #""https://bank.example/""#, bad: #""/a b""#, "format"),
    Case("{ contentEncoding: base64 }", good: #""YWI=""#, bad: #""YW*=""#, "contentEncoding"),
    Case("{ allOf: [{ minimum: 0 }, { maximum: 1 }] }", good: "1", bad: "2", "maximum"),
    Case("{ anyOf: [{ type: string }, { type: 'null' }] }", good: "null", bad: "1", "anyOf", "type"),
    Case("{ oneOf: [{ minimum: 0 }, { maximum: 1 }] }", good: "2", bad: "1", "oneOf"),
    Case("{ oneOf: [{ type: string }, { type: boolean }] }", good: "true", bad: "1", "oneOf", "type"),
    Case("{ $ref: '#/components/schemas/Short' }", good: #""ab""#, bad: #""abc""#, "maxLength"),
    Case("{ $ref: '#/components/schemas/Short', minLength: 1 }", good: #""ab""#, bad: #""""#, "minLength"),
  ]

  @Test("A keyword passes what keeps it and names what breaks it", arguments: cases)
  func keyword(_ sample: Case) throws {
    let schemas = "{ Short: { type: string, maxLength: 2 } }"
    #expect(try Samples.rules(sample.good, against: sample.schema, schemas: schemas) == [])
    #expect(try Samples.rules(sample.bad, against: sample.schema, schemas: schemas) == sample.rules)
  }

  @Test("Every keyword that asserts something has a row above")
  func coverage() {
    let asserting: Set<String> = [
      "$ref", "type", "enum", "const", "required", "properties", "additionalProperties", "items", "allOf", "anyOf",
      "oneOf", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "pattern", "format",
      "contentEncoding",
    ]
    #expect(asserting.allSatisfy { keyword in Self.cases.contains { $0.schema.contains(keyword + ":") } })
    #expect(asserting.isDisjoint(with: SchemaKeywords.notes))
  }

  @Test("A violation says where it is")
  func place() throws {
    let document = try OpenAPIDocument(
      yaml: Samples.document(
        schema: "{ type: object, properties: { 'a/b': { type: array, items: { type: string } } } }"))
    let found = document.validate(
      response: (200, "application/json", Data(#"{"a/b":["x",2]}"#.utf8)), method: "get", path: "/things?x=1")
    #expect(found.map(\.description) == ["/a~1b/1: type: Not of type string."])
  }

  @Test("A schema that refers to itself without an end is a violation, not an endless loop")
  func endless() throws {
    let rules = try Samples.rules(
      "1", against: "{ $ref: '#/components/schemas/A' }",
      schemas: "{ A: { allOf: [{ $ref: '#/components/schemas/A' }] } }")
    #expect(rules == ["$ref"])
  }
}
