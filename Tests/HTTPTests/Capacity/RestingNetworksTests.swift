// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import HTTP

@Suite("HTTP: networks for which what is computed rests", .storeless)
struct RestingNetworksTests {
  private let clock = TestWorld()

  /// Of a node on which much is in vain, unless told otherwise.
  private func costs(allInVain: Int = NetworkCosts.allInVainMax) -> NetworkCosts {
    let costs = NetworkCosts(world: clock.world, processors: 2)
    costs.compute(for: "203.0.113.1", inVain: allInVain)
    return costs
  }

  @Test("50 ms computed in vain have a network rest for minutes while others ask; what was of use makes up for it")
  func rest() {
    // So much that half of what is of use below does not make up for it.
    let costs = costs(allInVain: 90_000)
    func rests(_ network: String) -> Bool { costs.mustRest(for: network, costsMuch: false) }
    _ = costs.begin(from: "192.0.2.9")
    costs.compute(for: "192.0.2.1", inVain: 49)
    #expect(!rests("192.0.2.1"))
    costs.compute(for: "192.0.2.1", inVain: 1)
    #expect(rests("192.0.2.1"))
    #expect(!rests("192.0.2.9"))
    // Many customers behind one address, of whom some mistype.
    for _ in 0..<9 { costs.compute(for: "192.0.2.2", ofUse: 250) }
    costs.compute(for: "192.0.2.2", inVain: 9 * 250 + 49)
    #expect(!rests("192.0.2.2"))
    costs.compute(for: "192.0.2.2", inVain: 1)
    #expect(rests("192.0.2.2"))
    costs.compute(for: "192.0.2.2", ofUse: 250)
    #expect(!rests("192.0.2.2"))
    // Others ask no more, and ask again.
    clock.advance(by: .seconds(11))
    #expect(!rests("192.0.2.1"))
    _ = costs.begin(from: "192.0.2.9")
    #expect(rests("192.0.2.1"))
    clock.advance(by: .seconds(290))
    _ = costs.begin(from: "192.0.2.9")
    #expect(!rests("192.0.2.1"))
  }

  @Test("requests of a network itself are not those of others, and those of the institution's own networks are")
  func alone() {
    let costs = costs()
    func rests() -> Bool { costs.mustRest(for: "192.0.2.1", costsMuch: false) }
    costs.compute(for: "192.0.2.1", inVain: 50)
    for _ in 0..<2 { _ = costs.begin(from: "192.0.2.1") }
    #expect(!rests())
    costs.beginOwn()
    #expect(rests())
    // Also when its own came last.
    _ = costs.begin(from: "192.0.2.1")
    #expect(rests())
    clock.advance(by: .seconds(11))
    _ = costs.begin(from: "192.0.2.1")
    #expect(!rests())
    _ = costs.begin(from: "192.0.2.9")
    #expect(rests())
  }

  @Test("a network that costs much rests unless more was of use than in vain")
  func demandingRests() {
    let costs = costs(allInVain: 90_000)
    func rests() -> Bool { costs.mustRest(for: "192.0.2.1", costsMuch: true) }
    #expect(!rests(), "no other has asked")
    _ = costs.begin(from: "192.0.2.9")
    #expect(rests())
    costs.compute(for: "192.0.2.1", ofUse: 250)
    #expect(!rests())
    costs.compute(for: "192.0.2.1", inVain: 249)
    #expect(!rests())
    costs.compute(for: "192.0.2.1", inVain: 1)
    #expect(rests())
    // A day of a carrier's address.
    costs.compute(for: "192.0.2.1", inVain: 9_000_000)
    #expect(rests())
    costs.compute(for: "192.0.2.1", ofUse: 90_000_000)
    #expect(!rests())
  }

  @Test("nothing rests where no more is in vain than three seconds and half of what is of use, as customers err")
  func usualErrors() {
    let costs = costs(allInVain: 0)
    func rests() -> Bool { costs.mustRest(for: "192.0.2.1", costsMuch: true) }
    _ = costs.begin(from: "192.0.2.9")
    costs.compute(for: "192.0.2.1", inVain: 2999)
    #expect(!rests())
    costs.compute(for: "192.0.2.1", inVain: 1)
    #expect(rests())
    // Others sign in.
    for number in 10..<20 { costs.compute(for: "192.0.2.\(number)", ofUse: 250) }
    #expect(!rests())
    costs.compute(for: "192.0.2.2", inVain: 1249)
    #expect(!rests())
    costs.compute(for: "192.0.2.2", inVain: 1)
    #expect(rests())
    // No more than so much is excused.
    costs.compute(for: "192.0.2.3", ofUse: 600_000)
    #expect(!rests())
    costs.compute(for: "192.0.2.2", inVain: NetworkCosts.allInVainMax + NetworkCosts.excusedMax - 4251)
    #expect(!rests())
    costs.compute(for: "192.0.2.2", inVain: 1)
    #expect(rests())
    // All counts fade alike.
    clock.advance(by: .seconds(300))
    _ = costs.begin(from: "192.0.2.9")
    #expect(!rests())
  }
}

extension NetworkCosts {
  fileprivate func compute(for network: String, inVain: Int = 0, ofUse: Int = 0) {
    end(from: network, hadTurn: false, isRefused: false, received: 0, sent: 0, inVain: inVain, ofUse: ofUse)
  }
}
