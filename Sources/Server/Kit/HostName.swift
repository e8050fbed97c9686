// SPDX-License-Identifier: Apache-2.0

import Foundation

extension String {
  /// Whether a URL's host is one that every reader takes for the same: a name of DNS, without percent-encoding
  /// (labels of letters, digits, `-` and `_`, RFC 1123, section 2.1), or an address as RFC 3986 writes it, IPv6 with
  /// its brackets or without them.
  ///
  /// RFC 3986 also lets `;`, `,` or `'` stand in a name, at which some readers end it, and the URL Standard takes a
  /// name that ends in a number for an address (`0x7f.1`).
  package var isHostName: Bool {
    var (v4, v6) = (in_addr(), in6_addr())
    let isBracketed = hasPrefix("[") && hasSuffix("]")
    if isBracketed || contains(":") {
      return inet_pton(AF_INET6, isBracketed ? String(dropFirst().dropLast()) : self, &v6) == 1
    }
    let name = hasSuffix(".") ? dropLast() : self[...]
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, let last = labels.last, labels.allSatisfy(\.isHostLabel) else { return false }
    let isNumber = last.allSatisfy(\.isWholeNumber) || last.lowercased().hasPrefix("0x")
    return !isNumber || inet_pton(AF_INET, self, &v4) == 1
  }
}

extension Substring {
  fileprivate var isHostLabel: Bool {
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
