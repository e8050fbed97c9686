// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenAPISupport

@Suite("A document that says more than is checked does not load")
struct DocumentAuditTests {
  @Test(
    "A schema keyword that is unknown, or is written in a form that is not checked, is a fault",
    arguments: [
      "{ uniqueItems: true }", "{ not: { type: string } }", "{ properties: { a: { exclusiveMinimum: 1 } } }",
      "{ items: { patternProperties: {} } }", "{ additionalProperties: { if: {} } }", "{ anyOf: [{ then: {} }] }",
      "{ type: text }", "{ type: [] }", "{ enum: [] }", "{ required: a }", "{ properties: [] }", "{ items: true }",
      "{ additionalProperties: true }", "{ allOf: {} }", "{ minimum: '1' }", "{ maxItems: 1.5 }", "{ minLength: -1 }",
      "{ pattern: '(' }", "{ format: time }", "{ contentEncoding: hex }", "{ $ref: 'other.yaml#/A' }",
      "{ $ref: '#/components/schemas/None' }", "{ required: [b], properties: { a: {} } }",
    ])
  func schema(_ schema: String) throws {
    #expect(try !Samples.faults(Samples.document(schema: schema)).isEmpty)
    #expect(try !Samples.faults(Samples.document(schema: "{}", schemas: "{ A: \(schema) }")).isEmpty)
  }

  @Test("References that lead in a circle are a fault")
  func circle() throws {
    let schemas = "{ A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }"
    #expect(try Samples.faults(Samples.document(schema: "{}", schemas: schemas)).map(\.rule) == ["$ref", "$ref"])
  }

  @Test(
    "A part of OpenAPI that is not checked is a fault",
    arguments: [
      ("operationId: item", "callbacks: {}\n      operationId: item"), ("operationId: item", "summary: None"),
      ("'204': { description: Nothing }", "default: { description: Nothing }"),
      ("'204': { description: Nothing }", "'204': { description: Nothing, links: {} }"),
      ("{ text/html: {} }", "{ application/json: {} }"), ("{ text/html: {} }", "{ text/html: { encoding: {} } }"),
      ("operationId: addItem", "operationId: item"), ("[{ partner: [] }]", "[{ nobody: [] }]"),
      ("name: X-Key, in: header", "name: X-Key, in: cookie"), ("name: X-Key, ", ""),
      ("{ required: true, schema: { type: integer } }", "{ required: true }"),
      ("{ required: true, schema: { type: integer } }", "{ style: simple, schema: { type: integer } }"),
      ("openapi: '3.1.0'", "openapi: '3.0.3'"), ("info: {", "webhooks: {}\ninfo: {"),
      ("#/components/responses/Item", "#/components/responses/None"),
      ("{ $ref: '#/components/schemas/Item' } } }", "{ $ref: '#/components/schemas/Item' }, example: {} } }"),
    ])
  func structure(_ part: String, _ other: String) throws {
    #expect(Samples.shop.contains(part))
    #expect(try Samples.faults(Samples.shop) == [])
    #expect(try !Samples.faults(Samples.shop.replacing(part, with: other, maxReplacements: 1)).isEmpty)
  }

  @Test(
    "Words that readers of YAML take for different things are refused",
    arguments: ["enum: [yes]", "const: 2026-11-21", "const: ~", "const: .inf", "description: On"])
  func yaml(_ keyword: String) throws {
    #expect(try !Samples.faults(Samples.document(schema: "{ \(keyword) }")).isEmpty)
  }

  @Test("A key that comes twice, one that is no text, and an empty text are refused")
  func malformed() {
    for yaml in ["{ a: 1, a: 2 }", "{ 1: a }", ""] {
      #expect(throws: (any Error).self) { try JSONValue(yaml: yaml) }
    }
  }
}
