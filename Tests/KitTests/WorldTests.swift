// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization
import Testing
import TestSupport

@Suite("Kit: the world", .storeless)
struct WorldTests {
  @Test("an id is a lower-case UUID of version 7 that carries its time (RFC 9562 §5.7)")
  func form() throws {
    let clock = TestWorld()
    for _ in 0..<200 {
      let id = clock.world.uuid()
      #expect(try /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(in: id) != nil)
      let time = id.filter { $0 != "-" }.prefix(12)
      #expect(Int64(time, radix: 16) == clock.now.milliseconds)
      clock.advance(by: .milliseconds(977))
    }
  }

  @Test("ids of later milliseconds sort later as text, and none comes twice")
  func order() {
    let clock = TestWorld()
    var ids: [String] = []
    for _ in 0..<500 {
      ids.append(clock.world.uuid())
      clock.advance(by: .milliseconds(1))
    }
    #expect(ids == ids.sorted())
    let same = (0..<1000).map { _ in clock.world.uuid() }
    #expect(Set(same).count == 1000)
  }

  @Test("a number below a bound stays below it", arguments: [1, 2, 3, 10, 1_000_000, UInt64.max / 2 + 1, .max])
  func inRange(bound: UInt64) {
    let world = TestWorld().world
    for _ in 0..<200 { #expect(world.number(below: bound) < bound) }
  }

  @Test("numbers below a bound are uniform")
  func uniform() {
    let world = TestWorld().world
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<20_000 { counts[Int(world.number(below: 10))] += 1 }
    // Chi-squared with nine degrees of freedom: above 27.9 once in a thousand.
    let chi = counts.reduce(0.0) { $0 + pow(Double($1) - 2000, 2) / 2000 }
    #expect(chi < 27.9)
  }

  @Test("a draw that would favour small numbers is thrown away")
  func rejection() {
    let draws = Mutex<[UInt64]>([.max, .max - 5, 4])
    let world = World(
      now: { Instant(milliseconds: 0) },
      random: { _ in
        let draw = draws.withLock { $0.removeFirst() }
        return (0..<8).map { UInt8(truncatingIfNeeded: draw >> (56 - 8 * UInt64($0))) }
      })
    // 2^64 - 1 is a multiple of 5 but not of 10: the last six values belong to no whole ten.
    #expect(world.number(below: 10) == 4)
  }

  @Test("the live world gives as many bytes as asked for, and others each time")
  func live() {
    #expect(World.live.random(0).isEmpty)
    #expect(World.live.random(33).count == 33)
    // More than one call of the system gives, and no part of it is left as it was.
    let many = World.live.random(1000)
    #expect(stride(from: 0, to: 1000, by: 250).allSatisfy { many[$0..<$0 + 250].contains { $0 != 0 } })
    #expect(World.live.random(32) != World.live.random(32))
  }
}
