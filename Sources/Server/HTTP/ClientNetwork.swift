/// The network that an address belongs to for rate limits: /24 of IPv4, /56 of IPv6 (rubix-onboarding §8.1).
package enum ClientNetwork {
  package static func of(_ address: String) -> String {
    // An IPv4 client of a dual-stack socket (RFC 4291 §2.5.5.2).
    if address.lowercased().hasPrefix("::ffff:"), address.contains(".") { return of(String(address.dropFirst(7))) }
    if address.contains(":") {
      // The first 56 bits: three groups and the upper half of the fourth, `::` expanded.
      let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
      let head = halves[0].split(separator: ":").map(String.init)
      let tail = halves.count > 1 ? halves[1].split(separator: ":").map(String.init) : []
      let zeros = halves.count > 1 ? Array(repeating: "0", count: max(0, 8 - head.count - tail.count)) : []
      let groups = (head + zeros + tail).prefix(4).map { Int($0, radix: 16) ?? 0 }
      let upper = groups.prefix(3) + [(groups.count > 3 ? groups[3] : 0) & 0xff00]
      return upper.map { String($0, radix: 16) }.joined(separator: ":") + "::/56"
    }
    return address.split(separator: ".").prefix(3).joined(separator: ".") + ".0/24"
  }
}
