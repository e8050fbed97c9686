// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import Delivery

@Suite("Outbound: networks of the institution's own that are called", .storeless)
struct PeerNetworkTests {
  private static let own = [PeerNetwork(address: "10.20.0.0", bits: 16), PeerNetwork(address: "fd12:3456::", bits: 32)]

  @Test(
    "an address in one of them is called, also as IPv6 carries it, and its neighbours are not",
    arguments: [
      ("10.20.0.1", true), ("10.20.255.255", true), ("::ffff:10.20.1.1", true), ("10.19.255.255", false),
      ("10.21.0.0", false), ("fd12:3456::1", true), ("fd12:3456:ffff::1", true), ("fd12:3457::1", false),
      ("8.8.8.8", false), ("", false), ("localhost", false),
    ])
  func inside(address: String, isAdmitted: Bool) {
    #expect(PeerNetwork.admit(address, Self.own) == isAdmitted)
    #expect(!PeerNetwork.admit(address, []))
  }

  @Test(
    "loopback, links, groups and clouds' metadata are called in no network",
    arguments: [
      ("127.0.0.1", "127.0.0.0", 8), ("169.254.169.254", "169.254.0.0", 16), ("100.100.100.200", "100.64.0.0", 10),
      ("168.63.129.16", "168.63.0.0", 16), ("224.0.0.1", "224.0.0.0", 4), ("0.0.0.1", "0.0.0.0", 8),
      ("::1", "::", 64), ("fe80::1", "fe80::", 10), ("ff02::1", "ff00::", 8), ("fd00:ec2::254", "fd00::", 8),
      ("::ffff:127.0.0.1", "127.0.0.0", 8), ("64:ff9b::127.0.0.1", "127.0.0.0", 8), ("192.0.0.192", "192.0.0.0", 24),
      ("fd00:ec2::23", "fd00::", 8), ("fd00:c1::a9fe:a9fe", "fd00::", 8), ("fd00:42::42", "fd00::", 8),
      ("fd20:ce::254", "fd20::", 16),
    ])
  func never(address: String, network: String, bits: Int) {
    #expect(!PeerNetwork.admit(address, [PeerNetwork(address: network, bits: bits)]))
  }

  @Test("a network of which nothing would be called is told from one that is")
  func usable() {
    for network in Self.own { #expect(network.isUsable) }
    for (address, bits) in [
      ("127.0.0.0", 8), ("169.254.0.0", 16), ("0.0.0.0", 1), ("fe80::", 10), ("::ffff:10.20.0.0", 112),
      ("::ffff:10.20.0.1", 128), ("64:ff9b::", 96), ("fe80::1%eth0", 128),
    ] {
      #expect(!PeerNetwork(address: address, bits: bits).isUsable, "\(address)")
    }
  }

  /// A network for documentation is routed nowhere: what is let through ends in another way.
  @Test(
    "an address in one of them is connected to over HTTPS alone",
    arguments: [("https", false), ("HTTPS", false), ("http", true), ("HTTP", true)])
  func schemes(scheme: String, isForbidden: Bool) async throws {
    let http = PeerHTTP.curl(
      threads: BlockingThreadPool("networks", width: 1), connectTimeout: .milliseconds(200), timeout: .seconds(2),
      isPublicOnly: true, networks: [PeerNetwork(address: "192.0.2.0", bits: 24)])
    let failure = await #expect(throws: PeerHTTP.Failure.self) {
      try await http.send(.init("POST", "\(scheme)://192.0.2.1/hooks", headers: [:], body: Data()))
    }
    #expect((failure == .forbidden) == isForbidden)
  }

  @Test("neither this machine's own address nor its loopback is connected to, whatever networks are named")
  func ownMachine() async throws {
    let own = PeerNetwork(address: "127.0.0.0", bits: 8)
    let http = PeerHTTP.curl(threads: BlockingThreadPool("networks", width: 1), isPublicOnly: true, networks: [own])
    for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"] {
      await #expect(throws: PeerHTTP.Failure.forbidden) {
        try await http.send(.init("POST", "https://\(host):9/", headers: [:], body: Data()))
      }
    }
  }

  @Test("an endpoint may name an address in them, or a name of an own name server, and over HTTPS only")
  func addresses() {
    func isTaken(_ url: String, _ networks: [PeerNetwork] = Self.own) -> Bool {
      Webhooks.isAddress(url, allowsPrivate: false, networks: networks)
    }
    for url in ["https://10.20.1.1/hooks", "https://hooks.bank.internal/a", "https://[fd12:3456::1]/hooks"] {
      #expect(isTaken(url), "\(url)")
      #expect(!isTaken(url, []), "\(url)")
    }
    for url in [
      "http://10.20.1.1/hooks", "http://hooks.bank.internal/a", "https://10.21.1.1/hooks", "https://127.0.0.1/hooks",
      "https://localhost/hooks",
    ] {
      #expect(!isTaken(url), "\(url)")
    }
  }
}
