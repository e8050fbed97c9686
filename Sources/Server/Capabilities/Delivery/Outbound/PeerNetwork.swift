// SPDX-License-Identifier: Apache-2.0

import CTransfer

/// A network in which peers that others name may be although their addresses are not public, as `10.20.0.0/16` or one
/// address: where receivers of webhooks are in the institution's own network.
package struct PeerNetwork: Sendable, Hashable {
  let address: String
  /// Bits that all of its addresses share.
  let bits: Int

  /// - Parameter address: of IPv4 or IPv6, without bits behind the length.
  package init(address: String, bits: Int) { (self.address, self.bits) = (address, bits) }

  /// Whether its first address can be called. Networks of loopback, of links, and of IPv4 written as IPv6 are never
  /// called, and no error of a call would tell the operator so.
  package var isUsable: Bool { Self.admit(address, [self]) }

  /// Whether an address in text is in one of the networks, and none that no network admits: this machine's loopback,
  /// link-local addresses, groups, and those by which clouds answer for their metadata.
  static func admit(_ address: String, _ networks: [PeerNetwork]) -> Bool {
    withNetworks(networks) { ctransfer_is_admitted(address, $0.baseAddress, $0.count) }
  }

  /// As C takes them, for as long as `body` runs.
  static func withNetworks<Result>(
    _ networks: [PeerNetwork], _ body: (UnsafeBufferPointer<ctransfer_network>) -> Result
  ) -> Result {
    // One text holds all addresses, each with its NUL, so that no pointer outlives it.
    var (bytes, starts): ([CChar], [Int]) = ([], [])
    for network in networks {
      starts.append(bytes.count)
      bytes += network.address.utf8CString
    }
    return bytes.withUnsafeBufferPointer { text in
      let all = zip(networks, starts).map { network, start in
        ctransfer_network(address: text.baseAddress.map { $0 + start }, bits: Int32(network.bits))
      }
      return all.withUnsafeBufferPointer(body)
    }
  }
}
