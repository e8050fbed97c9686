// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import APIDescription

@Suite("Joining the files of the API's description")
struct APIDocumentTests {
  private static let common = APIDocument.File(
    name: "common.yaml",
    yaml: """
      openapi: '3.1.0'
      paths: { /health: { get: { operationId: health } } }
      components: { schemas: { Problem: { type: object } } }
      """)

  private static func joined(with yaml: String) throws -> String {
    String(decoding: try APIDocument.join([common, APIDocument.File(name: "other.yaml", yaml: yaml)]), as: UTF8.self)
  }

  @Test("Paths and components of several files stand side by side")
  func joins() throws {
    let yaml = """
      paths: { /cards: { get: { operationId: cards } } }
      components: { schemas: { Card: { type: object } }, headers: { Count: { schema: { type: integer } } } }
      """
    #expect(
      try Self.joined(with: yaml) == """
        {"components":{"headers":{"Count":{"schema":{"type":"integer"}}},\
        "schemas":{"Card":{"type":"object"},"Problem":{"type":"object"}}},"openapi":"3.1.0",\
        "paths":{"/cards":{"get":{"operationId":"cards"}},"/health":{"get":{"operationId":"health"}}}}
        """)
  }

  @Test(
    "A key that another file has already is refused, also with the same content",
    arguments: [
      ("openapi: '3.1.0'", "openapi"), ("paths: { /health: { post: {} } }", "paths//health"),
      ("components: { schemas: { Problem: { type: object } } }", "components/schemas/Problem"),
      ("components: { schemas: [] }", "components/schemas"), ("paths: none", "paths"),
    ])
  func twice(yaml: String, key: String) {
    #expect(throws: APIDocument.Fault(file: "other.yaml", key: key)) { try Self.joined(with: yaml) }
  }

  @Test("A key that stands twice in one file is refused")
  func twiceInOne() {
    #expect(throws: (any Error).self) { try Self.joined(with: "paths: {}\npaths: {}") }
  }

  @Test("A file that is no mapping is refused")
  func noMapping() {
    #expect(throws: APIDocument.Fault(file: "other.yaml", key: "")) { try Self.joined(with: "[]") }
  }

  /// docs/decisions/0209-a-start-looks-up-less.md
  @Test("A value without quotes is what YAML 1.2's core schema takes it for, and one with quotes a text")
  func scalars() throws {
    let yaml = #"""
      x-plain: [1, -3, +4, 1.50, 1e3, .5, true, False, null, ~, yes, 2026-03-01, 1.0.0, 1e, '-', ]
      x-large: [12345678901234567890, 1e999]
      x-quoted: ["2", 'null', "a\"\\\n\t\u0001é/", '']
      x-shared: &one { b: 2, a: , '200': { } }
      x-again: [*one, [ ]]
      """#
    let json = try Self.joined(with: yaml)
    for part in [
      #""x-plain":[1,-3,4,1.5,1000.0,0.5,true,false,null,null,"yes","2026-03-01","1.0.0","1e","-"]"#,
      #""x-quoted":["2","null","a\"\\\n\u0009\u0001é/",""]"#, #""x-shared":{"200":{},"a":null,"b":2}"#,
      #""x-large":[1.2345678901234567e+19,"1e999"]"#, #""x-again":[{"200":{},"a":null,"b":2},[]]"#,
    ] { #expect(json.contains(part), "\(part) in \(json)") }
  }
}
