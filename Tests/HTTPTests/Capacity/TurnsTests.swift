// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: turns by what the processors have left", .storeless)
struct TurnsTests {
  @Test(
    "networks that asked much are let in while the machine has time left, and fewer when it has none",
    arguments: [(0, [8, 12, 13, 14]), (100, [8, 16, 24, 30])])
  func processors(free: Int, entered: [Int]) {
    var limits = TurnQueue.Limits(processors: 1)
    // Of each place one request in 200 ms, and a look in each 100.
    (limits.places, limits.placesOfBusyMin, limits.lease) = (8, 1, .milliseconds(200))
    let looks = Mutex(0)
    let count = Mutex(0)
    let loop = EmbeddedEventLoop()
    let turns = Turns(limits) {
      looks.withLock { looks in
        looks += 1
        return ProcessorTime(all: 100 * looks, free: free * looks)
      }
    }
    for network in 1...30 {
      for _ in 1...7 { turns.end(turns.begin(of: "\(network)", on: loop) { _ in }.id, on: loop) }
    }
    for network in 1...30 {
      let (_, isIn) = turns.begin(of: "\(network)", on: loop) { _ in count.withLock { $0 += 1 } }
      if isIn { count.withLock { $0 += 1 } }
    }
    for entered in entered {
      #expect(count.withLock { $0 } == entered)
      loop.advanceTime(by: .milliseconds(200))
    }
  }
}
