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
  /// name that `/etc/hosts` has for one, or the unspecified address in any spelling. Only to refuse: names of
  /// `/etc/hosts` can be another machine's where that file has others.
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
    return String(name).isLoopbackHost || bytes.allSatisfy { $0 == 0 }
      || bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0]
  }
}
