// SPDX-License-Identifier: Apache-2.0

import APIDescription
import Foundation
import Testing

@testable import OpenAPISupport

@Suite("The published document")
struct PublishedDocumentTests {
  /// The folder of the files.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/api")

  private static func document() throws -> OpenAPIDocument { try OpenAPIDocument(json: APIDocument.json.get()) }

  @Test("Every file of docs/api is built in, as it stands there")
  func builtIn() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(APIDocument.files.map(\.name) == names.sorted())
    for file in APIDocument.files {
      #expect(try String(contentsOf: Self.folder.appending(path: file.name), encoding: .utf8) == file.yaml)
    }
  }

  @Test("It loads: no unknown keyword, no dangling reference, every example fits its schema")
  func loads() throws {
    do { _ = try Self.document() } catch let invalid as OpenAPIDocument.Invalid { #expect(invalid.faults == []) }
  }

  @Test("Every file means the same to every reader of YAML", arguments: APIDocument.files.map(\.name))
  func plain(name: String) throws {
    let file = try #require(APIDocument.files.first { $0.name == name })
    #expect(try JSONValue(yaml: file.yaml).members != nil)
  }

  @Test("No object of its schemas takes members that it does not name")
  func closed() throws {
    let document = try Self.document()
    let schemas = document.root["components"]?["schemas"]?.members ?? [:]
    #expect(schemas.filter { $1["type"]?.text == "object" && $1["additionalProperties"] == nil }.keys.sorted() == [])
  }

  @Test("Every problem status holds its document to the codes of that status")
  func problems() throws {
    let document = try Self.document()
    func rules(_ code: String) -> [String] {
      let body = #"{"type":"https://bank.example/p/\#(code)","title":"T","status":409,"code":"\#(code)"}"#
      return document.validate(
        response: (409, "application/problem+json", Data(body.utf8)), method: "POST",
        path: "/api/v1/onboarding/sessions"
      ).map(\.rule)
    }
    #expect(rules("step-out-of-order") == [])
    #expect(rules("token-expired") == ["enum"])
  }

  // `scripts/attack-api --seed 4242` found this answer, whose field the document did not allow.
  @Test("A pointer to a member whose name has a line break is one")
  func pointers() throws {
    let body = #"""
      {"type":"https://bank.example/p/unknown-field","title":"T","status":400,"code":"unknown-field","errors":[
        {"code":"unknown-field","field":"/a\nb","message":"This member is not known."}]}
      """#
    let violations = try Self.document().validate(
      response: (400, "application/problem+json", Data(body.utf8)), method: "POST",
      path: "/api/v1/powerauth/activations/0195a1b2-aaaa-4bbb-8ccc-0000000000ff/block")
    #expect(!violations.contains { $0.rule == "pattern" }, "\(violations)")
  }
}
