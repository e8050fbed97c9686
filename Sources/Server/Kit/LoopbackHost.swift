// SPDX-License-Identifier: Apache-2.0

import Foundation

extension String {
  /// Whether a name or address is this machine's own, in whatever form it is written: `localhost` and names below it
  /// (RFC 6761, section 6.3), 127.0.0.0/8 also in the short forms that a resolver takes, `::1`, and 127.0.0.0/8 as mapped
  /// to IPv6. IPv6 may have the brackets of a URL.
  package var isLoopbackHost: Bool {
    let name = lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
    // `inet_aton` passes over what stands behind a blank; no name and no address is written with one.
    guard !name.contains(where: \.isWhitespace) else { return false }
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    var (v4, v6) = (in_addr(), in6_addr())
    // The forms that a resolver takes, such as 127.1.
    if inet_aton(name, &v4) != 0 { return UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
    guard inet_pton(AF_INET6, name, &v6) == 1 else { return false }
    let bytes = withUnsafeBytes(of: v6) { [UInt8]($0) }
    return bytes == [UInt8](repeating: 0, count: 15) + [1]
      || bytes.prefix(13) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127]
  }

  /// Whether a client elsewhere that is given this name or address would look on its own machine: a loopback host, a
  /// name that `/etc/hosts` has for one, or the unspecified address in any spelling, also at the end of an address of
  /// IPv6. Only to refuse: names of `/etc/hosts` can be another machine's where that file has others.
  package var isOwnMachine: Bool {
    let host = removingPercentEncoding ?? self
    if host.isLoopbackHost { return true }
    // A link's zone stands behind the address (RFC 6874).
    let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
      .prefix { $0 != "%" }
    let names = [
      "ip6-localhost", "ip6-loopback", "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6",
      "localhost6.localdomain6", "loopback",
    ]
    if names.contains(String(name)) { return true }
    var (v4, v6) = (in_addr(), in6_addr())
    // Also with something behind a blank, which some readers pass over.
    if inet_aton(String(name), &v4) != 0 { return v4.s_addr == 0 || UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
    guard inet_pton(AF_INET6, String(name), &v6) == 1 else { return false }
    let bytes = withUnsafeBytes(of: v6) { [UInt8]($0) }
    if String(name).isLoopbackHost || bytes.allSatisfy({ $0 == 0 }) { return true }
    // An address of IPv4 at its end: IPv4-compatible (RFC 4291, section 2.5.5.1), where `::2` is another one; mapped
    // (section 2.5.5.2); and of NAT64 (RFC 6052, section 2.1).
    let (prefix, isLocal) = ([UInt8](bytes.prefix(12)), bytes[12] == 127 || bytes.suffix(4).allSatisfy { $0 == 0 })
    let (compatible, mapped) = ([UInt8](repeating: 0, count: 12), [UInt8](repeating: 0, count: 10) + [0xff, 0xff])
    let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
    return isLocal && [compatible, mapped, translated].contains(prefix)
  }
}
