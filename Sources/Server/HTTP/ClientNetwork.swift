// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What addresses are counted by for rate limits.
package enum ClientNetwork {
  /// Stands for the address of every client of whom none is known: together they share the limits of one.
  package static let unknown = "unknown"

  /// The /24 of IPv4 and the /64 of IPv6, which is the smallest network that one subscriber has (RFC 6177 §2).
  package static func of(_ address: String) -> String {
    guard let bytes = IPAddress(address)?.subscriber else { return unknown }
    guard bytes.count == 16 else { return bytes.prefix(3).map(String.init).joined(separator: ".") + ".0/24" }
    let groups = (0..<4).map { String(Int(bytes[2 * $0]) << 8 | Int(bytes[2 * $0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/64"
  }

  /// Nil for an address of this machine.
  static func ofStranger(_ address: String) -> String? { IPAddress(address)?.isLoopback == true ? nil : of(address) }

  /// An address of IPv4 by itself, and the network of one of IPv6.
  package static func subscriber(_ address: String) -> String {
    guard let parsed = IPAddress(address) else { return unknown }
    let bytes = parsed.subscriber
    return bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : of(address)
  }
}

/// An address of IPv4 or IPv6; IPv4 behind a dual-stack socket (RFC 4291 §2.5.5.2) is IPv4.
struct IPAddress: CustomStringConvertible {
  /// Four or sixteen.
  let bytes: [UInt8]

  init?(_ text: some StringProtocol) {
    // A zone (RFC 4007 §11) names an interface of a machine, not an address.
    let text = String(text.prefix { $0 != "%" })
    guard text.utf8.count < Int(INET6_ADDRSTRLEN) else { return nil }
    var (four, six) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      let all = withUnsafeBytes(of: &six) { Array($0) }
      let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10...11].allSatisfy { $0 == 0xff }
      bytes = isMapped ? Array(all.suffix(4)) : all
    } else {
      return nil
    }
  }

  /// Whose address it is, where an address of IPv6 is made of one of IPv4. What is translated is never an address of
  /// this machine.
  ///
  /// 1. A translator in front of servers that have IPv6 alone (RFC 7755) writes the address of a client of IPv4 behind
  ///    the prefix of RFC 6052 §2.1, so that all of them would be in one /64.
  /// 2. By 6to4 (RFC 3056 §2) a client with one address of IPv4 has a /48, and would be counted as 65,536 clients.
  var subscriber: [UInt8] {
    guard bytes.count == 16 else { return bytes }
    let translated: [UInt8] = [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
    if bytes.starts(with: translated) { return Array(bytes.suffix(4)) }
    return bytes.starts(with: [0x20, 0x02]) ? Array(bytes[2..<6]) : bytes
  }

  var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1] }

  /// The canonical text (RFC 5952).
  var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
