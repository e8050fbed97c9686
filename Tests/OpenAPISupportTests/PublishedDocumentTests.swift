import Foundation
import Testing

@testable import OpenAPISupport

@Suite("The published document")
struct PublishedDocumentTests {
  private static var text: String {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      return try String(contentsOf: root.appending(path: "docs/api/openapi.yaml"), encoding: .utf8)
    }
  }

  @Test("It loads: no unknown keyword, no dangling reference, every example fits its schema")
  func loads() throws {
    #expect(try Samples.faults(Self.text) == [])
  }

  @Test("No object of its schemas takes members that it does not name")
  func closed() throws {
    let document = try OpenAPIDocument(yaml: Self.text)
    let schemas = document.root["components"]?["schemas"]?.members ?? [:]
    #expect(schemas.filter { $1["type"]?.text == "object" && $1["additionalProperties"] == nil }.keys.sorted() == [])
  }

  @Test("Every problem status holds its document to the codes of that status")
  func problems() throws {
    let document = try OpenAPIDocument(yaml: Self.text)
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
}
