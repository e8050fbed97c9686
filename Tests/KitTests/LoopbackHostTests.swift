// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("hosts of this machine", .storeless)
struct LoopbackHostTests {
  @Test(
    "only names and addresses that never leave the machine are loopback",
    arguments: [
      ("localhost", true), ("LocalHost", true), ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true),
      ("[::1]", true), ("", false), ("127.0.0.256", false), ("127.0.0.1.example", false),
      ("127..0.1", false), ("127.example.com", false), ("128.0.0.1", false), ("::2", false),
      ("bank.example", false), ("localhost.example", false), ("::ffff:10.0.0.1", false), ("0.0.0.0", false),
      ("127.0.0.1 0.0.0.0", false), ("127.1\n192.0.2.1", false), ("127.0.0.1 .example", false),
      ("192.0.2.1 .localhost", false), ("0.0.0.0\tx.localhost", false),
    ] as [(String, Bool)])
  func loopback(_ host: String, _ expected: Bool) { #expect(host.isLoopbackHost == expected) }

  @Test(
    "an address that a client elsewhere would look for on its own machine is known in every spelling",
    arguments: [
      ("localhost", true), ("127.1", true), ("0", true), ("0x0", true), ("00.0", true), ("0.0.0.0", true),
      ("0.0.0.0.", true), ("::", true), ("[::]", true), ("[::0]", true), ("[0:0:0:0:0:0:0:0]", true),
      ("[::ffff:0.0.0.0]", true), ("[::ffff:0:0]", true), ("[::1%25lo]", true), ("%6cocalhost", true),
      ("127.0.0.1%2e", true), ("ip6-localhost", true), ("IP6-Loopback", true), ("localhost.localdomain", true),
      ("localhost4.localdomain4", true), ("localhost6.localdomain6", true),
      ("[::127.0.0.1]", true), ("[::7f00:1]", true), ("[::127.1.2.3%25lo]", true), ("[64:ff9b::127.0.0.1]", true),
      ("[64:FF9B::7fff:fffe]", true), ("[64:ff9b::]", true), ("[::ffff:127.0.0.1%25lo]", true),
      ("[::128.0.0.1]", false), ("[::10.0.0.1]", false), ("[64:ff9b::192.0.2.1]", false), ("[64:ff9b:0:1::]", false),
      ("[64:ff9b::1:7f00:1]", false), ("[2001:db8::7f00:1]", false),
      ("127.0.0.1 x", true), ("127.1%20x", true), ("0.0.0.0 x", true),
      ("0.0.0.1", false), ("10.0.0.1", false), ("[::2]", false), ("[fe80::1%25eth0]", false), ("bank.example", false),
      ("localhost.example", false), ("0.example", false), ("", false),
    ] as [(String, Bool)])
  func ownMachine(_ host: String, _ expected: Bool) { #expect(host.isOwnMachine == expected) }
}
