// SPDX-License-Identifier: Apache-2.0

/// A network of IPv4 or IPv6, as `192.0.2.0/24`, or one address.
package struct IPNetwork: Sendable, Hashable {
  private let bytes: [UInt8]
  /// Bits that all of its addresses share.
  private let length: Int

  /// - Returns: nil for what is no network, for one whose address has bits behind its length, which is a mistake in one
  ///   of the two, and for the network of all addresses.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = IPAddress(parts[0])?.bytes else { return nil }
    (self.bytes, length) = (bytes, parts.count == 1 ? 8 * bytes.count : Int(parts[1]) ?? 0)
    guard (1...8 * bytes.count).contains(length) else { return nil }
    let isSet = { [length] (bit: Int) in bit >= length && bytes[bit / 8] & (0x80 >> (bit % 8)) != 0 }
    guard !bytes.indices.contains(where: { byte in (0..<8).contains { isSet(8 * byte + $0) } }) else { return nil }
  }

  /// Whether an address is one of its own. An address of IPv4 behind a dual-stack socket is one of IPv4.
  func contains(_ address: String) -> Bool {
    guard let other = IPAddress(address)?.bytes, other.count == bytes.count else { return false }
    let (whole, rest) = (length / 8, length % 8)
    guard other.prefix(whole) == bytes.prefix(whole) else { return false }
    return rest == 0 || (other[whole] ^ bytes[whole]) >> (8 - rest) == 0
  }
}
