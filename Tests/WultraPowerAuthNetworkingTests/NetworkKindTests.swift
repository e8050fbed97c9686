// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WultraPowerAuthNetworking

@Suite("Networking: by what the device reaches the network")
struct NetworkKindTests {
  @Test(
    "the first interface that a path uses names it, and without a path it is no network",
    arguments: [
      ([NetworkKind.Interface.wifi, .cellular], NetworkKind.wifi), ([.cellular, .wired], .cellular), ([.wired], .wired),
      ([], .unknown),
    ])
  func kinds(uses: [NetworkKind.Interface], kind: NetworkKind) {
    #expect(NetworkKind(isSatisfied: true) { uses.contains($0) } == kind)
    #expect(NetworkKind(isSatisfied: false) { uses.contains($0) } == NetworkKind.none)
  }

  @Test("issue 29: what is told last counts, and before anything was told it is unknown, not none")
  func told() {
    var tell: (@Sendable (NetworkKind) -> Void)?
    let watch = NetworkWatch {
      tell = $0
      return true
    }
    #expect(watch.latest == .unknown)
    tell?(.wifi)
    #expect(watch.latest == .wifi)
    tell?(NetworkKind.none)
    #expect(watch.latest == NetworkKind.none)
  }

  @Test("a system that does not tell leaves it unknown")
  func silent() { #expect(NetworkKind.current == .unknown) }
}
