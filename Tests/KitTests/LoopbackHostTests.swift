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
    ] as [(String, Bool)])
  func loopback(_ host: String, _ expected: Bool) { #expect(host.isLoopbackHost == expected) }
}
