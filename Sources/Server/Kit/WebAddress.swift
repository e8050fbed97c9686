// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An address of the web, such as `https://bank.example:8443/hook?x=1`, of whose host and port every reader makes the
/// same. It has no user and no password, and is in ASCII without blanks.
///
/// It is not read by Foundation, whose `URL.host()` drops the brackets of an address and turns punycode into the
/// letters that it stands for, and whose `port` is nil also for one that no `Int` holds.
package struct WebAddress: Sendable {
  /// Whether it begins with `https:`, in any case of letters; `http:` otherwise.
  package let isSecure: Bool
  /// As it is written; an address of IPv6 without its brackets.
  package let host: String
  /// Nil where none is written.
  package let port: Int?
  /// Whether a path is written that is more than a slash.
  package let hasPath: Bool
  package let hasQuery: Bool
  package let hasFragment: Bool

  /// - Parameter lengthMax: bytes of the whole.
  package init?(_ text: String, lengthMax: Int = 2048) {
    let form = #/(?i)(https?):\/\/([^:\/?#\[\]]+|\[[^\/?#\[\]]+\])(?::([0-9]{1,5}))?((?:[\/?#].*)?)/#
    guard text.utf8.count <= lengthMax, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      let (_, scheme, written, port, rest) = text.wholeMatch(of: form)?.output, written.isHost,
      port.map({ (1...65_535).contains(Int($0) ?? 0) }) ?? true
    else { return nil }
    isSecure = scheme.count == 5
    host = written.trimmingCharacters(in: ["[", "]"])
    self.port = port.flatMap { Int($0) }
    hasPath = !["", "/"].contains(rest.prefix { !"?#".contains($0) })
    hasQuery = rest.prefix { $0 != "#" }.contains("?")
    hasFragment = rest.contains("#")
  }
}

extension Substring {
  /// Whether a host is a name of DNS, without percent-encoding (labels of letters, digits, `-` and `_`, RFC 1123,
  /// section 2.1), or an address as RFC 3986 writes it.
  ///
  /// RFC 3986 also lets `;`, `,` or `'` stand in a name, at which some readers end it, and the URL Standard takes a
  /// name that ends in a number for an address (`0x7f.1`).
  fileprivate var isHost: Bool {
    var (v4, v6) = (in_addr(), in6_addr())
    if hasPrefix("[") { return inet_pton(AF_INET6, String(dropFirst().dropLast()), &v6) == 1 }
    let name = hasSuffix(".") ? dropLast() : self
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, let last = labels.last, labels.allSatisfy(\.isHostLabel) else { return false }
    let isNumber = last.allSatisfy(\.isWholeNumber) || last.lowercased().hasPrefix("0x")
    return !isNumber || inet_pton(AF_INET, String(self), &v4) == 1
  }

  private var isHostLabel: Bool {
    (1...63).contains(utf8.count) && first != "-" && last != "-"
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}
