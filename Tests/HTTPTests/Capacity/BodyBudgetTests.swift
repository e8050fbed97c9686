// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: bodies in the node's memory", .storeless, .timeLimit(.minutes(1)))
struct BodyBudgetTests {
  private static let patient: @Sendable (Duration) async throws -> Void = { _ in
    // Until the body has its place and the wait is called off.
    await waitUntilCancelled()
  }

  private final class Order: Sendable { let numbers = Mutex<[Int]>([]) }

  @Test("bodies wait in their order, and go on when others are done")
  func turns() async throws {
    let budget = BodyBudget(bytesMax: 100, pause: Self.patient)
    let first = try await budget.take(60)
    #expect(first.bytes == 60)
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, bytes) in [70, 10].enumerated() {
        group.addTask {
          _ = try await budget.take(bytes)
          order.numbers.withLock { $0.append(number) }
        }
        try await waitUntil("body \(number) waits") { budget.waiting == number + 1 }
      }
      // The second would fit, and does not pass the first.
      #expect(order.numbers.withLock { $0 } == [])
      budget.giveBack(first)
      try await group.waitForAll()
    }
    #expect(budget.held == 80 && budget.waiting == 0)
    #expect(order.numbers.withLock { Set($0) } == [0, 1])
  }

  @Test("a body for which no place comes free is refused, and told when to come again")
  func refused() async throws {
    let budget = BodyBudget(bytesMax: 100, pause: { _ in })
    let first = try await budget.take(60)
    await #expect(throws: Problem.unavailable.with { $0.retryAfterSeconds = 1 }) { try await budget.take(50) }
    #expect(budget.held == 60 && budget.waiting == 0)
    budget.giveBack(first)
    // Larger than all there is: it has all of it to itself that is not kept for light ones.
    #expect(try await budget.take(1000).bytes == 88)
  }

  @Test(
    "a sender has one body, or as many as fit into its share, and is passed by others meanwhile",
    arguments: [(BodyBudget.Sender.network("192.0.2.0/24"), 30, 50), (.subject("a"), 15, 25)])
  func shares(sender: BodyBudget.Sender, bytes: Int, share: Int) async throws {
    let budget = BodyBudget(bytesMax: 100, pause: Self.patient)
    let alone = try await budget.take(share + 10, for: [sender])
    try await withThrowingTaskGroup(of: BodyBudget.Place.self) { group in
      group.addTask { try await budget.take(bytes, for: [sender]) }
      try await waitUntil("one waits") { budget.waiting == 1 }
      // A body of another caller passes the one that waits for its own share.
      let other = try await budget.take(20, for: [.subject("b")])
      #expect(budget.waiting == 1 && budget.held == alone.bytes + 20)
      budget.giveBack(other)
      #expect(budget.waiting == 1)
      budget.giveBack(alone)
      let first = try await group.next()
      #expect(first?.bytes == bytes && budget.held == bytes)
      let second = try await budget.take(share - bytes, for: [sender])
      #expect(budget.held == share)
      budget.giveBack(second)
      if let first { budget.giveBack(first) }
    }
    #expect(budget.held == 0)
    #expect(try await budget.take(share + 1, for: [sender]).bytes == share + 1)
  }

  @Test("light bodies do not wait behind a heavy one, and have room of their own")
  func light() async throws {
    let budget = BodyBudget(bytesMax: 6400, pause: Self.patient)
    let held = try await budget.take(5000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { budget.giveBack(try await budget.take(3000)) }
      try await waitUntil("one waits") { budget.waiting == 1 }
      var light: [BodyBudget.Place] = []
      for _ in 1...14 { light.append(try await budget.take(100)) }
      #expect(budget.held == 6400 && budget.waiting == 1)
      for place in light + [held] { budget.giveBack(place) }
      try await group.waitForAll()
    }
    #expect(budget.held == 0)
  }

  @Test("one sender does not take all the places to wait in")
  func crowd() async throws {
    let budget = BodyBudget(bytesMax: 6400, pause: Self.patient)
    let held = try await budget.take(5600)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<BodyBudget.waitersMax / 8 {
        group.addTask { budget.giveBack(try await budget.take(1000, for: [.network("n")])) }
      }
      try await waitUntil("an eighth waits") { budget.waiting == BodyBudget.waitersMax / 8 }
      await #expect(throws: Problem.self) { try await budget.take(1000, for: [.network("n")]) }
      group.addTask { budget.giveBack(try await budget.take(1000, for: [.network("m")])) }
      try await waitUntil("one more waits") { budget.waiting == BodyBudget.waitersMax / 8 + 1 }
      budget.giveBack(held)
      try await group.waitForAll()
    }
    #expect(budget.held == 0)
  }

  @Test(
    "the second large body of a caller or a network waits for the first one, and that of another does not",
    arguments: [
      [("a", "127.0.0.1"), ("a", "127.0.0.1"), ("b", "127.0.0.1")],
      [("a", "192.0.2.1"), ("b", "192.0.2.2"), ("c", "198.51.100.1")],
    ])
  func senders(of bodies: [(String, String)]) async throws {
    let budget = BodyBudget(bytesMax: 320_000, pause: Self.patient)
    try await GuardedServer.run(budget: budget) { server in
      func post(_ number: Int) async throws -> RawClient {
        let client = try await server.connect()
        let (subject, address) = bodies[number]
        try await client.send(
          "POST /hold/\(subject) HTTP/1.1\r\nHost: h\r\nContent-Length: 90000\r\nX-Forwarded-For: \(address)\r\n\r\n"
            + String(repeating: "x", count: 90_000))
        return client
      }
      let first = try await post(0)
      for await _ in server.held { break }
      let second = try await post(1)
      try await waitUntil("one waits") { budget.waiting == 1 }
      let other = try await post(2)
      for await _ in server.held { break }
      #expect(budget.held == 180_000 && budget.waiting == 1)
      for _ in 1...3 { server.release() }
      for client in [first, other, second] { #expect(await client.head().hasPrefix("HTTP/1.1 200")) }
    }
  }

  @Test("a body that has no place is left with its client until another request is answered")
  func overSockets() async throws {
    let budget = BodyBudget(bytesMax: 150_000, pause: Self.patient)
    try await GuardedServer.run(budget: budget) { server in
      let body = String(repeating: "x", count: 100_000)
      let first = try await server.post("/hold/a", length: 100_000, body)
      for await _ in server.held { break }
      #expect(budget.held == 100_000)
      let second = try await server.post("/read", length: 100_000, body)
      try await waitUntil("one waits") { budget.waiting == 1 }
      // What is small needs no place.
      let small = try await server.post("/read", length: 3, "abc")
      #expect(await small.head().hasPrefix("HTTP/1.1 200"))
      server.release()
      #expect(await first.head().hasPrefix("HTTP/1.1 200"))
      #expect(await second.head().hasPrefix("HTTP/1.1 200"))
      try await waitUntil("every place is free") { budget.held == 0 }
    }
  }

  @Test("without a place in time the answer is 503 with Retry-After; a body in chunks counts as large as it may become")
  func full() async throws {
    let budget = BodyBudget(bytesMax: 150_000, pause: { _ in })
    try await GuardedServer.run(budget: budget) { server in
      let first = try await server.post("/hold/a", length: 100_000, String(repeating: "x", count: 100_000))
      for await _ in server.held { break }
      let second = try await server.post("/read", length: 100_000)
      let answer = await second.head()
      #expect(answer.hasPrefix("HTTP/1.1 503") && answer.lowercased().contains("retry-after: 1"), "\(answer)")
      let chunked = try await server.connect()
      try await chunked.send("POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = String(repeating: "x", count: 0x10000)
      try await chunked.send("10000\r\n\(chunk)\r\n10000\r\n\(chunk)\r\n")
      #expect(await chunked.head().hasPrefix("HTTP/1.1 503"))
      server.release()
      #expect(await first.head().hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("a body in chunks takes what its route allows, at once, when it turns out not to be small")
  func chunks() async throws {
    let budget = BodyBudget(bytesMax: 4_000_000, pause: Self.patient)
    try await GuardedServer.run(budget: budget) { server in
      let client = try await server.connect()
      try await client.send("POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n\(String(repeating: "x", count: 0x10000))\r\n"
      try await client.send(chunk + "1\r\nx\r\n")
      try await waitUntil("the body has its place") { budget.held != 0 }
      #expect(budget.held == 1_000_000)
      for _ in 1...3 { try await client.send(chunk) }
      try await client.send("0\r\n\r\n")
      #expect(await client.head().hasPrefix("HTTP/1.1 200"))
      try await waitUntil("every place is free") { budget.held == 0 }
    }
  }
}
