// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Testing

@Suite("Transport: how long the device has been running")
struct BootTimeTests {
  @Test("it goes on, and names one start of the device")
  func running() throws {
    let (first, second) = (try #require(ClientClock.live.boot()), try #require(ClientClock.live.boot()))
    #expect(first.id == second.id && !first.id.isEmpty)
    #expect(first.sinceStart > .zero && second.sinceStart >= first.sinceStart)
  }
}
