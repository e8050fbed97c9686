// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The host that a request of HTTP/2 names (RFC 9113 §8.3.1).
enum StreamHost {
  private static let field = HTTPField.Name("Host")!
  /// HTTP/2 is spoken over TLS alone here.
  private static let defaultPort = ":443"

  /// `:authority`, or the field `Host` where there is no `:authority`.
  /// - Returns: nil when the request names no host, or two. `:443` is the port of a host that names none, and case does
  ///   not count (RFC 3986 §6.2.2.1, §6.2.3).
  static func named(by head: HTTPRequest) -> String? {
    let hosts = head.headerFields[values: field]
    guard let authority = head.authority else {
      guard hosts.count == 1, !withoutDefaultPort(hosts[0]).isEmpty else { return nil }
      return hosts[0]
    }
    let host = withoutDefaultPort(authority)
    guard !host.isEmpty, hosts.allSatisfy({ withoutDefaultPort($0) == host }) else { return nil }
    return authority
  }

  /// In lower case and by bytes: a text of many combining marks takes long to compare (decision 176).
  private static func withoutDefaultPort(_ host: String) -> [UInt8] {
    let bytes = host.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    let port = defaultPort.utf8.count
    return bytes.suffix(port).elementsEqual(defaultPort.utf8) ? Array(bytes.dropLast(port)) : bytes
  }
}

extension ConnectionGuard {
  /// What is wrong with the target of a request; nil for nothing.
  ///
  /// It is ASCII throughout, as every URI is (RFC 3986 §2). A router compares the parts of a path as texts with those
  /// of each of its routes, before any middleware. Of HTTP/2 it is a path, and no whole address (RFC 9113 §8.3.1); the
  /// host is named, and only one. Of HTTP/1 the parser and `RequestFraming` ask for the host.
  static func fault(of head: HTTPRequest, isStream: Bool) -> String? {
    let path = head.path ?? ""
    guard path.utf8.allSatisfy({ $0 < 0x80 }) else { return "The target of the request has bytes that no address has." }
    guard isStream else { return nil }
    guard path.utf8.first == UInt8(ascii: "/") else { return "The target of the request is no path." }
    return StreamHost.named(by: head) == nil ? "The request names no host, or two." : nil
  }
}
