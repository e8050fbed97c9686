// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: the network of an address", .storeless)
struct ClientNetworkTests {
  @Test(
    "IPv4 counts by /24, IPv6 by /64, and what is no address as one",
    arguments: [
      ("192.0.2.7", "192.0.2.0/24"), ("192.0.2.250", "192.0.2.0/24"), ("192.0.3.7", "192.0.3.0/24"),
      ("2001:db8:1:2345:6:7:8:9", "2001:db8:1:2345::/64"), ("2001:db8:1:2345::1", "2001:db8:1:2345::/64"),
      ("2001:DB8:1:2300::", "2001:db8:1:2300::/64"), ("2001:db8:1:2346::1", "2001:db8:1:2346::/64"),
      ("2001:db8::1", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"),
      ("unknown", "unknown"), ("192.0.2.7:80", "unknown"), ("1.2.3", "unknown"), ("1:2", "unknown"), ("", "unknown"),
    ])
  func networks(address: String, network: String) {
    #expect(ClientNetwork.of(address) == network)
  }

  @Test("an IPv4 address that arrives over an IPv6 socket is the same network as without it")
  func mapped() {
    #expect(ClientNetwork.of("::ffff:192.0.2.7") == "192.0.2.0/24")
    #expect(ClientNetwork.of("::FFFF:198.51.100.9") == "198.51.100.0/24")
  }

  @Test("clients of IPv4 behind a translator are apart, and none of them is this machine")
  func translated() {
    #expect(ClientNetwork.of("64:ff9b::192.0.2.7") == "192.0.2.0/24")
    #expect(ClientNetwork.of("64:FF9B::c633:6409") == "198.51.100.0/24")
    #expect(ClientNetwork.subscriber("64:ff9b::192.0.2.8") != ClientNetwork.subscriber("64:ff9b::192.0.2.7"))
    // Prefixes of networks of their own (RFC 6052 §2.2), which only they know.
    #expect(ClientNetwork.of("64:ff9b:1::192.0.2.7") == "64:ff9b:1:0::/64")
    #expect(ClientNetwork.ofStranger("64:ff9b::127.0.0.1") == "127.0.0.0/24")
    #expect(ClientNetwork.ofStranger("127.0.0.1") == nil)
  }

  @Test("a client of IPv4 that comes by 6to4 is one, however many networks of IPv6 it has by that")
  func sixToFour() {
    for address in ["2002:c000:207::1", "2002:C000:207:1::1", "2002:c000:0207:ffff:1:2:3:4"] {
      #expect(ClientNetwork.of(address) == "192.0.2.0/24")
      #expect(ClientNetwork.subscriber(address) == "192.0.2.7")
    }
    #expect(ClientNetwork.of("2001:c000:207::1") == "2001:c000:207:0::/64")
    #expect(ClientNetwork.ofStranger("2002:7f00:1::1") == "127.0.0.0/24")
  }

  @Test("who is counted by address is counted by network where a subscriber has more than one address")
  func subscriber() {
    #expect(ClientNetwork.subscriber("192.0.2.7") == "192.0.2.7")
    #expect(ClientNetwork.subscriber("2001:db8:1:2345::1") == ClientNetwork.subscriber("2001:db8:1:2345:9::2"))
    // IPv4 behind a dual-stack socket.
    #expect(ClientNetwork.subscriber("::ffff:192.0.2.7") == "192.0.2.7")
    #expect(ClientNetwork.subscriber("::ffff:192.0.2.8") != ClientNetwork.subscriber("::ffff:192.0.2.7"))
    #expect(ClientNetwork.subscriber("unknown") == ClientNetwork.unknown)
  }
}
