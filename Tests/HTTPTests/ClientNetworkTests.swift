import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: the network of an address", .storeless)
struct ClientNetworkTests {
  @Test(
    "IPv4 counts by /24, IPv6 by /56",
    arguments: [
      ("192.0.2.7", "192.0.2.0/24"), ("192.0.2.250", "192.0.2.0/24"), ("192.0.3.7", "192.0.3.0/24"),
      ("2001:db8:1:2345:6:7:8:9", "2001:db8:1:2300::/56"), ("2001:db8:1:23ff::1", "2001:db8:1:2300::/56"),
      ("2001:DB8:1:2300::", "2001:db8:1:2300::/56"), ("2001:db8:1:2400::1", "2001:db8:1:2400::/56"),
      ("2001:db8::1", "2001:db8:0:0::/56"), ("::1", "0:0:0:0::/56"), ("fe80::1%eth0", "fe80:0:0:0::/56"),
    ])
  func networks(address: String, network: String) {
    #expect(ClientNetwork.of(address) == network)
  }

  @Test("an IPv4 address that arrives over an IPv6 socket is the same network as without it")
  func mapped() {
    #expect(ClientNetwork.of("::ffff:192.0.2.7") == "192.0.2.0/24")
    #expect(ClientNetwork.of("::FFFF:198.51.100.9") == "198.51.100.0/24")
  }
}
