// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import OpenAPISupport

@Suite("Answers and requests against the document")
struct MessageTests {
  private let document: OpenAPIDocument

  init() throws { document = try OpenAPIDocument(yaml: Samples.shop) }

  private func answer(
    _ status: Int, _ contentType: String?, _ body: String, headers: [String: String]? = nil, _ method: String = "GET",
    _ path: String = "/items/\(Samples.id)"
  ) -> [String] {
    document.validate(
      response: (status, contentType, Data(body.utf8)), headers: headers, method: method, path: path
    ).map { "\($0.place): \($0.rule)" }
  }

  @Test("An answer of a stated status, type and shape passes")
  func passes() {
    #expect(answer(200, "application/json; charset=utf-8", #"{"name":"a"}"#) == [])
    #expect(answer(204, nil, "") == [])
    #expect(answer(200, "text/html; charset=utf-8", "<p>", "GET", "/items/first") == [])
  }

  @Test("Status, media type, body and operation can each be wrong")
  func fails() {
    #expect(answer(500, nil, "") == ["status: responses"])
    #expect(answer(200, "text/plain", "a") == ["header content-type: content"])
    #expect(answer(200, nil, #"{"name":"a"}"#) == ["header content-type: content"])
    #expect(answer(200, "application/json", "") == ["body: content"])
    #expect(answer(200, "application/json", #"{"name":1}"#) == ["/name: type"])
    #expect(answer(204, nil, "a") == ["body: content"])
    #expect(answer(200, "text/html", "", "GET", "/items/first") == ["body: content"])
    #expect(answer(200, "text/html", "<p>", "GET", "/nothing") == ["path: path"])
  }

  @Test("Headers that an answer must have are looked for, in any case, and read as their type")
  func headers() {
    let body = #"{"name":"a"}"#
    #expect(answer(200, "application/json", body, headers: ["x-COUNT": "3"]) == [])
    #expect(answer(200, "application/json", body, headers: [:]) == ["header X-Count: required"])
    #expect(answer(200, "application/json", body, headers: ["X-Count": "three"]) == ["header X-Count: type"])
  }

  private func request(
    _ method: String, _ path: String, headers: [String: String] = [:], _ contentType: String? = nil, _ body: String = ""
  ) -> [String] {
    document.validate(request: (contentType, Data(body.utf8)), headers: headers, method: method, path: path)
      .map { "\($0.place): \($0.rule)" }
  }

  @Test("A request with every parameter and either credential passes")
  func requestPasses() {
    #expect(request("GET", "/items/\(Samples.id)?exact=true&depth=2", headers: ["X-Token": "t", "x-key": "abc"]) == [])
    #expect(request("GET", "/items/\(Samples.id)?exact=false", headers: ["authorization": "Bearer t"]) == [])
    #expect(
      request("POST", "/items/first", headers: ["Authorization": "Basic YQ=="], "application/json", #"{"name":"a"}"#)
        == [])
    #expect(
      request(
        "POST", "/items/first", headers: ["Authorization": "basic YQ=="], "multipart/form-data; boundary=b", "--b")
        == [])
    #expect(request("DELETE", "/items/first") == [])
  }

  @Test("Path, query, headers and credentials of a request can each be wrong")
  func requestFails() {
    let token = ["x-token": "t"]
    #expect(request("GET", "/items/7?exact=true", headers: token) == ["path id: format"])
    #expect(request("GET", "/items/\(Samples.id)", headers: token) == ["query exact: required"])
    #expect(request("GET", "/items/\(Samples.id)?exact=1", headers: token) == ["query exact: type"])
    #expect(request("GET", "/items/\(Samples.id)?exact=true&depth=0", headers: token) == ["query depth: minimum"])
    #expect(request("GET", "/items/\(Samples.id)?exact=true&other=1", headers: token) == ["query other: parameters"])
    #expect(
      request("GET", "/items/\(Samples.id)?exact=true", headers: ["x-token": "t", "X-Key": "a"])
        == ["header X-Key: minLength"])
    #expect(request("GET", "/items/\(Samples.id)?exact=true") == ["headers: security"])
    #expect(request("GET", "/items/\(Samples.id)?exact=true", headers: token, nil, "a") == ["body: requestBody"])
    #expect(request("PUT", "/items/first") == ["path: path"])
  }

  @Test("The body of a request can be wrong")
  func requestBodyFails() {
    let partner = ["Authorization": "Basic YQ=="]
    #expect(request("POST", "/items/first", headers: partner) == ["body: requestBody"])
    #expect(request("POST", "/items/first", headers: partner, "text/plain", "a") == ["header content-type: content"])
    #expect(request("POST", "/items/first", headers: partner, "application/json", "{") == ["body: content"])
    #expect(
      request("POST", "/items/first", headers: partner, "application/json", #"{"name":"a","b":1}"#)
        == ["/b: additionalProperties"])
  }
}
