// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenAPISupport

@Suite("Paths and routes")
struct RouteTests {
  @Test(
    "A concrete path means the template with the earlier literal part",
    arguments: [
      ("GET", "/items/first", "firstItem"), ("get", "/items/7?x=/items/first", "item"),
      ("DELETE", "/items/7", "remove"),
      ("DELETE", "/items/first/", "remove"),
    ])
  func operation(_ method: String, _ path: String, _ id: String) throws {
    #expect(try OpenAPIDocument(yaml: Samples.shop).operation(method, path)?.id == id)
  }

  @Test(
    "What the document does not tell of has no operation",
    arguments: [("PUT", "/items/7"), ("GET", "/items"), ("GET", "/a/b/c")])
  func unknown(_ method: String, _ path: String) throws {
    #expect(try OpenAPIDocument(yaml: Samples.shop).operation(method, path) == nil)
  }

  @Test("Routes and document are compared by shape, in either notation")
  func comparison() throws {
    let document = try OpenAPIDocument(yaml: Samples.shop)
    #expect(Set(document.operations.map(\.id)) == ["item", "firstItem", "addItem", "remove"])
    let routes = [("GET", "/items/:number"), ("get", "items/first"), ("POST", "/items/first/"), ("GET", "/new")]
    #expect(document.undocumented(in: routes) == ["GET /new"])
    #expect(document.missing(in: routes) == ["DELETE /{}/{}"])
  }
}
