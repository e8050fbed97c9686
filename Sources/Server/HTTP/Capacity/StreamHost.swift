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
