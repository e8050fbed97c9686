// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import HTTP

@Suite("HTTP: turns of requests", .storeless)
struct TurnQueueTests {
  private static func queue(
    places: Int = 2, busyMin: Int = 1, _ change: (inout TurnQueue.Limits) -> Void = { _ in }
  ) -> TurnQueue {
    var limits = TurnQueue.Limits(processors: 1)
    (limits.places, limits.placesOfBusyMin) = (places, busyMin)
    change(&limits)
    return TurnQueue(limits)
  }

  /// Lets a network ask so often, each request answered at once.
  private static func ask(_ count: Int, of network: String, _ queue: inout TurnQueue, at now: Duration = .zero) {
    for number in 0..<count {
      let id = -1 - number
      #expect(queue.arrive(id, of: network, at: now) == [id])
      #expect(queue.end(id, at: now) == [])
    }
  }

  @Test("a node takes as many requests at once as it has places, and others in the order in which they came")
  func places() {
    var queue = Self.queue()
    #expect(queue.arrive(1, of: "a", at: .zero) == [1])
    #expect(queue.arrive(2, of: "b", at: .zero) == [2])
    #expect(queue.arrive(3, of: "c", at: .zero) == [])
    #expect(queue.arrive(4, of: "d", at: .zero) == [])
    #expect(queue.waiting == 2)
    #expect(queue.end(2, at: .zero) == [3])
    #expect(queue.end(1, at: .zero) == [4])
    #expect(queue.end(3, at: .zero) == [] && queue.end(4, at: .zero) == [])
    #expect(queue.waiting == 0)
  }

  @Test(
    "of those that wait the networks that asked least lately go first, by their levels",
    arguments: [
      (0, 1), (2, 3), (6, 7), (14, 15),
    ])
  func levels(fewer: Int, more: Int) {
    var queue = Self.queue(places: 1)
    Self.ask(fewer, of: "fewer", &queue)
    Self.ask(more, of: "more", &queue)
    #expect(queue.arrive(1, of: "other", at: .zero) == [1])
    #expect(queue.arrive(2, of: "more", at: .zero) == [])
    #expect(queue.arrive(3, of: "fewer", at: .zero) == [])
    #expect(queue.end(1, at: .zero) == [3])
    #expect(queue.end(3, at: .zero) == [2])
  }

  @Test("networks of one level go in the order in which they came", arguments: [(1, 2), (3, 6), (7, 14), (15, 999)])
  func equals(fewer: Int, more: Int) {
    var queue = Self.queue(places: 1)
    Self.ask(fewer, of: "fewer", &queue)
    Self.ask(more, of: "more", &queue)
    #expect(queue.arrive(1, of: "other", at: .zero) == [1])
    #expect(queue.arrive(2, of: "more", at: .zero) == [])
    #expect(queue.arrive(3, of: "fewer", at: .zero) == [])
    #expect(queue.end(1, at: .zero) == [2])
  }

  @Test("what a network asked is forgotten by half in each half-life")
  func halfLife() {
    for (time, order) in [(Duration.seconds(30), [2, 3]), (.seconds(30) + .milliseconds(1), [3, 2])] {
      var queue = Self.queue(places: 1)
      Self.ask(6, of: "a", &queue)
      Self.ask(2, of: "b", &queue, at: time)
      #expect(queue.arrive(1, of: "other", at: time) == [1])
      // Six count as three after a half-life, which is a level above two.
      #expect(queue.arrive(3, of: "a", at: time) == [])
      #expect(queue.arrive(2, of: "b", at: time) == [])
      #expect(queue.end(1, at: time) == [order[0]])
      #expect(queue.end(order[0], at: time) == [order[1]])
    }
  }

  @Test("one network that asked much has all places, and many have few", arguments: [(1, 8), (2, 4), (3, 2), (5, 2)])
  func busy(networks: Int, places: Int) {
    var queue = Self.queue(places: 8, busyMin: 2)
    for network in 0..<networks { Self.ask(7, of: "\(network)", &queue) }
    let admitted = (1...8).filter { queue.arrive($0, of: "\($0 % networks)", at: .zero) == [$0] }
    #expect(admitted == Array(1...places))
    // Networks that asked little have the others.
    let light = (11...18).filter { queue.arrive($0, of: "light \($0)", at: .zero) == [$0] }
    #expect(light.count == 8 - places)
    #expect(queue.waiting == 8)
  }

  @Test("a place of those that asked much goes on to the next of them")
  func busyInTurn() {
    var queue = Self.queue(places: 8, busyMin: 1)
    for network in 0..<9 { Self.ask(7, of: "\(network)", &queue) }
    for network in 0..<9 { _ = queue.arrive(network, of: "\(network)", at: .zero) }
    // The second came when there were two such networks, which have four places each.
    #expect(queue.waiting == 7)
    #expect(queue.end(0, at: .zero) == [])
    #expect((1...3).allSatisfy { queue.end($0, at: .zero) == [$0 + 1] })
    // Four are left, which have two each.
    #expect(queue.end(4, at: .zero) == [5, 6])
  }

  @Test("after seven that pass one of a network that asked much it has its turn")
  func passes() {
    var queue = Self.queue(places: 1)
    Self.ask(7, of: "much", &queue)
    #expect(queue.arrive(1, of: "first", at: .zero) == [1])
    #expect(queue.arrive(2, of: "much", at: .zero) == [])
    for id in 11...18 { #expect(queue.arrive(id, of: "light \(id)", at: .zero) == []) }
    var (last, order) = (1, [Int]())
    while let next = queue.end(last, at: .zero).first {
      order.append(next)
      last = next
    }
    #expect(order == [11, 12, 13, 14, 15, 16, 17, 2, 18])
  }

  @Test("a request that is not answered in its time has its place no more")
  func lease() {
    var queue = Self.queue(places: 2)
    #expect(queue.arrive(1, of: "a", at: .zero) == [1] && queue.arrive(2, of: "b", at: .zero) == [2])
    #expect(queue.arrive(3, of: "c", at: .zero) == [])
    #expect(queue.next(at: .milliseconds(20) - .nanoseconds(1)) == [])
    #expect(queue.next(at: .milliseconds(20)) == [3])
    #expect(queue.arrive(4, of: "d", at: .milliseconds(20)) == [4])
    #expect(queue.arrive(5, of: "e", at: .milliseconds(20)) == [])
    // What has no place gives none back.
    #expect(queue.end(1, at: .milliseconds(20)) == [])
    #expect(queue.end(3, at: .milliseconds(20)) == [5])
  }

  @Test("a busy network's place comes back with its time")
  func busyLease() {
    var queue = Self.queue(places: 2)
    for network in ["a", "b"] { Self.ask(7, of: network, &queue) }
    #expect(queue.arrive(1, of: "a", at: .zero) == [1] && queue.arrive(2, of: "b", at: .zero) == [])
    #expect(queue.next(at: .milliseconds(20)) == [2])
  }

  @Test("a request whose client went away waits no more")
  func gone() {
    var queue = Self.queue(places: 1)
    #expect(queue.arrive(1, of: "a", at: .zero) == [1])
    #expect(queue.arrive(2, of: "b", at: .zero) == [] && queue.arrive(3, of: "c", at: .zero) == [])
    #expect(queue.end(2, at: .zero) == [] && queue.waiting == 1)
    #expect(queue.end(1, at: .zero) == [3])
  }

  @Test("of more networks than are counted those that asked most are remembered")
  func bounded() {
    var queue = Self.queue(places: 1) { $0.networksMax = 2 }
    Self.ask(7, of: "most", &queue)
    Self.ask(3, of: "some", &queue)
    #expect(queue.arrive(1, of: "other", at: .zero) == [1])
    #expect(queue.arrive(2, of: "most", at: .zero) == [])
    // Forgotten.
    #expect(queue.arrive(3, of: "some", at: .zero) == [])
    #expect(queue.arrive(4, of: "new", at: .zero) == [])
    #expect(queue.end(1, at: .zero) == [3])
    #expect(queue.end(3, at: .zero) == [4] && queue.end(4, at: .zero) == [2])
  }
}
