// SPDX-License-Identifier: Apache-2.0

import CTransfer
import Delivery
import Foundation
import Kit
import Testing
import TestSupport

@Suite("Outbound: only public addresses are called", .storeless)
struct PublicAddressTests {
  @Test(
    "addresses of machines, networks, links, groups and registries are not public",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1",
      "100.100.100.200", "168.63.129.16", "::ffff:168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255",
      "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.255.1",
      "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1",
      "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1",
      "64:ff9b:1::1", "100::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1",
      "2002:7f00:1::", "2002:a9fe:a9fe::", "3fff::1", "4000::1", "", "localhost", "1.2.3", "2130706433", "0x7f.1",
      "fe80::1%eth0", "1.2.3.4 ", "[2600::1]",
    ])
  func special(address: String) { #expect(!ctransfer_is_public(address)) }

  @Test(
    "others are",
    arguments: [
      "168.63.129.15", "168.63.129.17", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
      "128.0.0.1", "169.253.1.1",
      "172.15.255.255", "172.32.0.0", "192.167.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "2600::1",
      "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ])
  func others(address: String) { #expect(ctransfer_is_public(address)) }

  @Test("every address of a special block is caught, and its neighbours are not")
  func blocks() {
    var generator = SeededGenerator(seed: 7)
    let blocks: [(UInt32, UInt32)] = [
      (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16), (0xac10_0000, 12), (0xc0a8_0000, 16),
    ]
    func text(_ address: UInt32) -> String {
      [24, 16, 8, 0].map { "\((address >> $0) & 0xff)" }.joined(separator: ".")
    }
    for (base, bits) in blocks {
      let last = base | (UInt32.max >> bits)
      for _ in 0..<200 {
        let inside = base | (UInt32.random(in: 0...UInt32.max, using: &generator) & (UInt32.max >> bits))
        #expect(!ctransfer_is_public(text(inside)))
      }
      #expect(ctransfer_is_public(text(base - 1)) && ctransfer_is_public(text(last + 1)))
    }
  }

  /// This machine has the loopback's network in any case.
  @Test("a network that this machine is in is its own, whatever its addresses are")
  func ownNetworks() {
    for own in ["127.0.0.1", "127.9.8.7", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1"] {
      #expect(ctransfer_is_own(own) == CTRANSFER_OWN_YES)
    }
    for other in ["240.0.0.77", "100::77", "::ffff:240.0.0.77", "", "localhost"] {
      #expect(ctransfer_is_own(other) == CTRANSFER_OWN_NO)
    }
  }

  @Test(
    "addresses share a network by its bits, and one of all addresses is a tunnel",
    arguments: [
      ("93.184.216.34", "93.184.216.34", 32, true), ("93.184.216.35", "93.184.216.34", 32, false),
      ("93.184.216.35", "93.184.216.34", 31, true), ("93.184.217.1", "93.184.216.34", 24, false),
      ("93.184.217.1", "93.184.216.34", 23, true), ("::ffff:93.184.216.1", "93.184.216.34", 24, true),
      ("64:ff9b::93.184.216.1", "93.184.216.34", 24, true), ("64:ff9b:1::93.184.216.1", "93.184.216.34", 24, false),
      ("8.8.8.8", "93.184.216.34", 0, false), ("8.8.8.8", "9.9.9.9", 7, false), ("9.8.8.8", "9.9.9.9", 8, true),
      ("2600:1:2:3::9", "2600:1:2:3::1", 64, true), ("2600:1:2:4::9", "2600:1:2:3::1", 64, false),
      ("2600:1:2:4::9", "2600:1:2:3::1", 61, true), ("2600::9", "2600:1:2:3::1", 3, false),
      ("2600::1", "2600::1", 0, true), ("2600::1", "1.2.3.4", 8, false), ("", "", 32, false),
    ] as [(String, String, Int32, Bool)])
  func networks(address: String, own: String, bits: Int32, shares: Bool) {
    #expect(ctransfer_shares_network(address, own, bits) == shares)
  }

  @Test("a name is asked when it is connected to: one that stands for this machine is forbidden, whatever it is called")
  func connecting() async throws {
    let server = try LoopbackServer { connection in
      Issue.record("the server was called")
      _ = connection.line()
    }
    let http = PeerHTTP.curl(threads: BlockingThreadPool("guard", width: 1), isPublicOnly: true)
    for host in ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "0"] {
      await #expect(throws: PeerHTTP.Failure.forbidden) {
        try await http.send(.init("GET", "http://\(host):\(server.port)/", headers: [:], body: Data()))
      }
    }
  }

  @Test(
    "a name with a public address and a private one was called, and is not forbidden for good",
    arguments: [
      ([true], CTRANSFER_UNREACHABLE), ([true, false], CTRANSFER_UNREACHABLE), ([false, true], CTRANSFER_UNREACHABLE),
      ([false], CTRANSFER_FORBIDDEN), ([false, false], CTRANSFER_FORBIDDEN), ([], CTRANSFER_UNREACHABLE),
    ])
  func mixed(addresses: [Bool], expected: ctransfer_outcome) {
    var guarding = ctransfer_guard(refused: false, opened: false)
    for isPublic in addresses { #expect(ctransfer_admit(&guarding, isPublic) == isPublic) }
    #expect(ctransfer_guarded(&guarding, CTRANSFER_UNREACHABLE) == expected)
    for other in [CTRANSFER_OK, CTRANSFER_TIMED_OUT, CTRANSFER_TLS] {
      #expect(ctransfer_guarded(&guarding, other) == other)
    }
  }

  @Test("a redirect to a private address is an answer that is not followed")
  func redirect() async throws {
    let server = try LoopbackServer { connection in
      while let line = connection.line(), !line.isEmpty {}
      connection.say("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n")
    }
    let answer = try await PeerHTTP.curl(threads: BlockingThreadPool("guard", width: 1)).send(
      .init("GET", "http://127.0.0.1:\(server.port)/", headers: [:], body: Data()))
    #expect(answer.status == 302)
    withExtendedLifetime(server) {}
  }
}
