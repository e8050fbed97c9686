// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("addresses of the web", .storeless)
struct WebAddressTests {
  @Test(
    "a host is a name of DNS or an address that every reader takes for the same",
    arguments: [
      ("bank.example", true), ("a_b.bank.example", true), ("xn--bnk-qla.example", true), ("bank.example.", true),
      ("1password.example", true), ("localhost", true), ("192.0.2.1", true), ("[2001:db8::1]", true),
      ("[::ffff:192.0.2.1]", true), (String(repeating: "a", count: 63) + ".example", true),
      (String(repeating: "a", count: 64) + ".example", false),
      (String(repeating: "a.", count: 126) + "a", true), (String(repeating: "a.", count: 127) + "a", false),
      ("", false), (".", false), (".example", false), ("a..example", false), ("-a.example", false),
      ("a-.example", false), ("a.example;127.0.0.1", false), ("a,b", false), ("a'b", false), ("a b", false),
      ("127%2e0%2e0%2e1", false), ("a\0.example", false), ("b\u{fc}cher.example", false), ("0x7f.1", false),
      ("1.2.3", false), ("2130706433", false), ("0x7f000001", false), ("1.2.3.4.", false), ("1.2.3.256", false),
      ("[v1.a]", false), ("::1", false), ("[fe80::1%25eth0]", false), ("[::1", false), ("[::1\0]", false),
      ("[]", false),
      ("[192.0.2.1]", false), ("[bank.example]", false), ("a]", false), ("[[::1]]", false), ("[::1]a", false),
      ("bank.example\\@thief.example", false), ("@bank.example", false), ("a@bank.example", false),
      ("a:b@bank.example", false),
    ] as [(String, Bool)])
  func hosts(host: String, isTaken: Bool) {
    for text in ["https://\(host)", "https://\(host)/a@b?c", "http://\(host):8080/"] {
      #expect((WebAddress(text) != nil) == isTaken, "\(text)")
    }
  }

  @Test(
    "a port is one of 16 bits",
    arguments: [
      ("", true), (":1", true), (":65535", true), (":00443", true), (":", false), (":0", false), (":65536", false),
      (":18446744073709560059", false), (":+443", false), (":4a", false), (":1:2", false),
    ])
  func ports(port: String, isTaken: Bool) {
    for host in ["bank.example", "[2001:db8::1]"] {
      for end in ["", "/", "?x", "#x"] {
        #expect((WebAddress("https://\(host)\(port)\(end)") != nil) == isTaken, "\(host)\(port)\(end)")
      }
    }
  }

  @Test("what an address has is told as every reader takes it")
  func parts() throws {
    let address = try #require(WebAddress("HTTPS://[2001:DB8::1]:8443/a?b=c"))
    #expect(address.isSecure && address.host == "2001:DB8::1" && address.hasQuery && !address.hasFragment)
    #expect(address.port == 8443 && address.hasPath)
    let plain = try #require(WebAddress("http://Bank.example#a?b"))
    #expect(!plain.isSecure && plain.host == "Bank.example" && !plain.hasQuery && plain.hasFragment)
    #expect(plain.port == nil && !plain.hasPath && WebAddress("https://a.example/?b/c")?.hasPath == false)
    for text in [
      "ftp://a.example", "https:a.example", "https:/a.example", "//a.example", "", "https://a.example/\r\nX: y",
    ] {
      #expect(WebAddress(text) == nil, "\(text)")
    }
    let longest = "https://a.example/" + String(repeating: "x", count: 2030)
    #expect(WebAddress(longest) != nil && WebAddress(longest + "x") == nil)
    #expect(WebAddress(longest, lengthMax: 512) == nil)
  }
}
