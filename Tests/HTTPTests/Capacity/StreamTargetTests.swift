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
    for authority in [nil, "", ":443"] { #expect(try !Self.isTaken("/", authority: authority)) }
    #expect(try !Self.isTaken("/", authority: "", hosts: ["bank.example"]))
    #expect(try Self.isTaken("/", authority: nil, isStream: false))
  }

  @Test("the port of https is that of a host which names none")
  func port() throws {
    for (authority, host) in [
      ("bank.example", "bank.example:443"), ("bank.example:443", "Bank.example"), ("[::1]", "[::1]:443"),
      ("bank.example:443", "bank.example:443"), ("bank.example:8443", "bank.example:8443"),
    ] { #expect(try Self.isTaken("/", authority: authority, hosts: [host]), "\(authority) \(host)") }
    for (authority, host) in [
      ("bank.example", "bank.example:8443"), ("bank.example:8443", "bank.example"), ("bank.example", "bank.example:80"),
      ("bank.example", ":443"), ("bank.example:443", "other.example:443"),
    ] { #expect(try !Self.isTaken("/", authority: authority, hosts: [host]), "\(authority) \(host)") }
  }

  @Test("without an authority one field Host names it, and code that looks at the host finds it")
  func hostAlone() throws {
    for hosts in [["bank.example"], ["bank.example:8443"]] {
      #expect(try Self.isTaken("/", authority: nil, hosts: hosts))
    }
    for hosts in [[], [""], [":443"], ["bank.example", "bank.example"]] {
      #expect(try !Self.isTaken("/", authority: nil, hosts: hosts))
    }
    let host = try #require(HTTPField.Name("Host"))
    var head = HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/")
    head.headerFields[host] = "Bank.example:443"
    #expect(StreamHost.named(by: head) == "Bank.example:443")
    head.authority = "bank.example"
    #expect(StreamHost.named(by: head) == "bank.example")
  }
}
