// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HTTP

@Suite("HTTP: networks of addresses", .storeless)
struct IPNetworkTests {
  @Test(
    "a network has the addresses that begin with its bits, and no other",
    arguments: [
      ("10.1.0.0/16", ["10.1.0.0", "10.1.255.255", "::ffff:10.1.2.3"], ["10.0.255.255", "10.2.0.0", "::1", "unknown"]),
      ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]),
      ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.70"]), ("192.0.2.7/32", ["192.0.2.7"], ["192.0.2.6"]),
      ("128.0.0.0/1", ["128.0.0.0", "255.255.255.255"], ["127.255.255.255"]),
      ("2001:db8::/32", ["2001:db8::1", "2001:DB8:ffff::"], ["2001:db9::", "192.0.2.1", "::ffff:192.0.2.1"]),
      ("2001:db8::1", ["2001:db8:0::1"], ["2001:db8::2"]),
    ])
  func contains(text: String, own: [String], others: [String]) throws {
    let network = try #require(IPNetwork(text))
    for address in own { #expect(network.contains(address), "\(address)") }
    for address in others { #expect(!network.contains(address), "\(address)") }
  }

  @Test(
    "what is no network is refused, and so is one with bits behind its length, and the network of all addresses",
    arguments: [
      "", "bank.example", "10.1.0.0/33", "10.1.0.0/-1", "10.1.0.0/", "10.1.0.0/8/8", "10.1.0.0/8", "192.0.2.129/25",
      "10.1.0.0/x", "0.0.0.0/0", "::/0", "2001:db8::/129", "2001:db8::1/64", "/8", " 10.1.0.0/16",
    ])
  func refused(text: String) { #expect(IPNetwork(text) == nil) }
}
