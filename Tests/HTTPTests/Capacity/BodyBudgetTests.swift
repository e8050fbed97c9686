import Kit
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: bodies in the node's memory", .storeless, .timeLimit(.minutes(1)))
struct BodyBudgetTests {
  private static let patient: @Sendable (Duration) async throws -> Void = { _ in
    // Until the body has its place and the wait is called off.
    while !Task.isCancelled { await Task.yield() }
  }

  private final class Order: Sendable { let numbers = Mutex<[Int]>([]) }

  @Test("bodies wait in their order, and go on when others are done")
  func turns() async throws {
    let budget = BodyBudget(bytesMax: 100, pause: Self.patient)
    #expect(try await budget.take(60) == 60)
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, bytes) in [70, 10].enumerated() {
        group.addTask {
          _ = try await budget.take(bytes)
          order.numbers.withLock { $0.append(number) }
        }
        while budget.waiting != number + 1 { await Task.yield() }
      }
      // The second would fit, and does not pass the first.
      #expect(order.numbers.withLock { $0 } == [])
      budget.giveBack(60)
      try await group.waitForAll()
    }
    #expect(budget.held == 80 && budget.waiting == 0)
    #expect(order.numbers.withLock { Set($0) } == [0, 1])
  }

  @Test("a body for which no place comes free is refused, and told when to come again")
  func refused() async throws {
    let budget = BodyBudget(bytesMax: 100, pause: { _ in })
    _ = try await budget.take(60)
    await #expect(throws: Problem.unavailable.with { $0.retryAfterSeconds = 1 }) { try await budget.take(50) }
    #expect(budget.held == 60 && budget.waiting == 0)
    budget.giveBack(60)
    // Larger than all there is: it has all of it to itself.
    #expect(try await budget.take(1000) == 100)
  }

  @Test("a body that has no place is left with its client until another request is answered")
  func overSockets() async throws {
    let budget = BodyBudget(bytesMax: 150_000, pause: Self.patient)
    try await GuardedServer.run(budget: budget) { server in
      let body = String(repeating: "x", count: 100_000)
      let first = try await server.post("/hold", length: 100_000, body)
      for await _ in server.held { break }
      #expect(budget.held == 100_000)
      let second = try await server.post("/read", length: 100_000, body)
      while budget.waiting != 1 { await Task.yield() }
      // What is small needs no place.
      let small = try await server.post("/read", length: 3, "abc")
      #expect(await small.head().hasPrefix("HTTP/1.1 200"))
      server.release()
      #expect(await first.head().hasPrefix("HTTP/1.1 200"))
      #expect(await second.head().hasPrefix("HTTP/1.1 200"))
      while budget.held != 0 { await Task.yield() }
    }
  }

  @Test("without a place in time the answer is 503 with Retry-After; a body in chunks counts as it grows")
  func full() async throws {
    let budget = BodyBudget(bytesMax: 150_000, pause: { _ in })
    try await GuardedServer.run(budget: budget) { server in
      let first = try await server.post("/hold", length: 100_000, String(repeating: "x", count: 100_000))
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
}
