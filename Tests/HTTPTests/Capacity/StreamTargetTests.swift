// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: whom a request of HTTP/2 asks for what", .storeless)
struct StreamTargetTests {
  private static func isTaken(
    _ path: String?, authority: String? = "bank.example", hosts: [String] = [], isStream: Bool = true
  ) throws -> Bool {
    let host = try #require(HTTPField.Name("Host"))
    var fields = HTTPFields()
    for value in hosts { fields.append(HTTPField(name: host, value: value)) }
    let head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: path, headerFields: fields)
    return ConnectionGuard.fault(of: head, isStream: isStream) == nil
  }

  @Test("its target is a path, where one of HTTP/1 may be a whole address")
  func path() throws {
    for path in ["/", "/health?q=1", "//health"] { #expect(try Self.isTaken(path), "\(path)") }
    for path in ["health", "*", "?q=1", "#", "https://bank.example/health", "a://b:", ""] {
      #expect(try !Self.isTaken(path), "\(path)")
      #expect(try Self.isTaken(path, isStream: false), "\(path)")
    }
    #expect(try !Self.isTaken(nil))
    for isStream in [true, false] { #expect(try !Self.isTaken("/\u{e9}", isStream: isStream)) }
  }

  @Test("it names a host, and no other beside it")
  func host() throws {
    #expect(try Self.isTaken("/", hosts: ["bank.example"]))
    #expect(try Self.isTaken("/", hosts: ["Bank.Example"]))
    #expect(try !Self.isTaken("/", hosts: ["other.example"]))
    #expect(try !Self.isTaken("/", hosts: ["bank.example", "other.example"]))
    #expect(try !Self.isTaken("/", hosts: [""]))
    for authority in [nil, ""] {
      #expect(try !Self.isTaken("/", authority: authority))
      #expect(try !Self.isTaken("/", authority: authority, hosts: ["bank.example"]))
    }
    #expect(try Self.isTaken("/", authority: nil, isStream: false))
  }
}
