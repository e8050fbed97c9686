// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: the address that a proxy names", .storeless)
struct ForwardedAddressTests {
  @Test(
    "the last entry of X-Forwarded-For counts, in every form that proxies write",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:4711", "192.0.2.7"), ("\"192.0.2.7:4711\"", "192.0.2.7"),
      ("203.0.113.1, 192.0.2.7:1", "192.0.2.7"), ("evil, 192.0.2.7", "192.0.2.7"), (" 192.0.2.7\t", "192.0.2.7"),
      ("2001:db8::7", "2001:db8::7"), ("2001:DB8:0:0::7", "2001:db8::7"), ("[2001:db8::7]", "2001:db8::7"),
      ("[2001:db8::7]:4711", "2001:db8::7"), ("\"[2001:db8::7]:4711\"", "2001:db8::7"),
      ("::ffff:192.0.2.7", "192.0.2.7"), ("6.6.6.6%\u{600}, 192.0.2.7", "192.0.2.7"),
      ("6.6.6.6:_\u{600}, 192.0.2.7", "192.0.2.7"), ("\u{200D}, 192.0.2.7", "192.0.2.7"),
      ("\", 192.0.2.7", "192.0.2.7"), ("\"6.6.6.6\\, \"192.0.2.7:1\"", "192.0.2.7"),
      ("6.6.6.6\",192.0.2.7", "192.0.2.7"),
    ])
  func xForwardedFor(line: String, address: String) async throws {
    #expect(try await ask([(.xForwardedFor, line)]) == address)
  }

  @Test(
    "an entry that names no address counts for the one client whom all of these are",
    arguments: [
      "unknown", "_hidden", "", "192.0.2.7, ", "192.0.2.7, unknown", "192.0.2", "192.0.2.256", "192.0.2.7:",
      "192.0.2.7:x", "192.0.2.7:123456", "[2001:db8::7", "2001:db8::7]:80", "[192.0.2.7]", "[2001:db8::7]80",
      "localhost", "127.1", "0x7f.0.0.1", "\"192.0.2.7", "192.0.2.7\"", "::1::2", "%eth0",
      "[fe80::1%eth0]:80", "fe80::1%eth0", "6.6.6.6%", "6.6.6.6%\u{600}, \u{600}192.0.2.7", "192.0.2.7:_\u{600}",
      "192.0.2.7:_a b", "192.0.2.7:_a,", "192.0.2.7:_:", "192.0.2.7:_", "192.0.2.7\u{301}", "\u{661}.2.3.4",
      "\"6.6.6.6, 192.0.2.7\"",
    ])
  func hidden(line: String) async throws {
    #expect(try await ask([(.xForwardedFor, line)]) == ClientNetwork.unknown)
  }

  @Test(
    "Forwarded is read as RFC 7239 writes it: pairs, quotes, ports and obfuscated ports",
    arguments: [
      ("for=192.0.2.7", "192.0.2.7"), ("For=\"192.0.2.7:4711\"", "192.0.2.7"), ("for=\"192.0.2.7:_x1\"", "192.0.2.7"),
      ("for=\"[2001:db8::7]\"", "2001:db8::7"), ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
      ("by=203.0.113.43;for=192.0.2.7;proto=http", "192.0.2.7"),
      ("for=203.0.113.1, proto=https ; for=192.0.2.7;host=\"a,b;for=1.1.1.1\"", "192.0.2.7"),
      ("for=unknown, for=192.0.2.7", "192.0.2.7"), ("host=\"\\\",for=1.1.1.1\";for=192.0.2.7", "192.0.2.7"),
      ("for=6.6.6.6%\u{600}, for=192.0.2.7", "192.0.2.7"), ("for=\"6.6.6.6:_\";by=\u{600}, for=192.0.2.7", "192.0.2.7"),
      ("for=192.0.2.7;", "192.0.2.7"), ("for=192.0.2.7;;host=bank.example:8080", "192.0.2.7"),
      ("by=\u{600};for=192.0.2.7, for=\"192.0.2.7:_a.B-9_\"", "192.0.2.7"),
    ])
  func forwarded(line: String, address: String) async throws {
    #expect(try await ask([(.forwarded, line)]) == address)
  }

  @Test(
    "a hidden, doubled, broken or missing identifier of Forwarded counts for the same one client",
    arguments: [
      "for=unknown", "for=_SEVKISEK", "for=\"_gazonk\"", "proto=https", "", "for=192.0.2.7, proto=http",
      "for=192.0.2.7;for=203.0.113.1", "for=\"192.0.2.7", "for=\", for=192.0.2.7", "192.0.2.7", "for =192.0.2.7",
      "for=6.6.6.6%\u{600}", "for=\"[fe80::1%25eth0]\"", "for=192.0.2.7;by=\u{600}",
      "for=192.0.2.7;203.0.113.1", "203.0.113.1;for=192.0.2.7", "for=192.0.2.7;=x", "for=192.0.2.7;a b=c",
      "for=192.0.2.7;\"x\"", "for=192.0.2.7;for =203.0.113.1",
    ])
  func hiddenForwarded(line: String) async throws {
    #expect(try await ask([(.forwarded, line)]) == ClientNetwork.unknown)
  }

  @Test("of several lines the last counts: the proxy's own, whatever the client sent before it")
  func lines() async throws {
    #expect(try await ask([(.xForwardedFor, "203.0.113.1"), (.xForwardedFor, "192.0.2.7")]) == "192.0.2.7")
    #expect(try await ask([(.forwarded, "for=\"[::1"), (.forwarded, "for=192.0.2.7")]) == "192.0.2.7")
  }

  @Test("the header that the settings name is the only one that is read: a client can send the other one")
  func both() async throws {
    let lines = [(ForwardedHeader.xForwardedFor, "192.0.2.7"), (.forwarded, "for=127.0.0.1")]
    #expect(try await ask(lines, by: .xForwardedFor) == "192.0.2.7")
    #expect(try await ask(lines, by: .forwarded) == "127.0.0.1")
    #expect(try await ask([lines[1]], by: .xForwardedFor) == "none")
    #expect(try await ask([lines[0]], by: .forwarded) == "none")
  }

  /// The address of a caller as a route sees it.
  /// - Parameter header: the proxy's; that of the first line by default.
  private func ask(_ lines: [(ForwardedHeader, String)], by header: ForwardedHeader? = nil) async throws -> String {
    let router = Router(context: PublicContext.self)
    router.add(middleware: ClientAddressMiddleware(header: header ?? lines[0].0))
    router.get("") { _, context in context.clientAddress ?? "none" }
    var fields = HTTPFields()
    for (header, line) in lines { fields.append(HTTPField(name: header.name, value: line)) }
    return try await Application(router: router).test(.router) { [fields] client in
      String(buffer: try await client.execute(uri: "/", method: .get, headers: fields).body)
    }
  }
}
