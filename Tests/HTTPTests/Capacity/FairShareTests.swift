// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import Synchronization
import Testing
import TestSupport

@Suite("HTTP: networks that cost much wait for others", .storeless)
struct FairShareTests {
  private let clock = TestWorld()
  private var costs: NetworkCosts { NetworkCosts(world: clock.world) }

  @Test("sixteen requests or four refusals in a short time cost much", arguments: [(16, false), (4, true)])
  func demanding(count: Int, isRefused: Bool) {
    let costs = costs
    for _ in 0..<count {
      #expect(!costs.begin(from: "192.0.2.1"))
      costs.end(from: "192.0.2.1", isRefused: isRefused, received: 10, sent: 1024)
    }
    #expect(costs.begin(from: "192.0.2.1"))
    #expect(!costs.begin(from: "192.0.2.2"))
  }

  @Test("each MiB that is sent or received costs as much as a request", arguments: [(15, 0), (0, 15), (7, 8)])
  func bytes(received: Int, sent: Int) {
    let costs = costs
    #expect(!costs.begin(from: "192.0.2.1"))
    costs.end(from: "192.0.2.1", isRefused: false, received: received << 20, sent: sent << 20)
    #expect(costs.begin(from: "192.0.2.1"))
  }

  @Test("a length that a client only claims overflows nothing", arguments: [Int.max, Int.min, -1])
  func claimed(length: Int) {
    let costs = costs
    for _ in 0..<3 { costs.end(from: "192.0.2.1", isRefused: true, received: length, sent: Int.max) }
    #expect(!costs.begin(from: "192.0.2.2"))
    #expect(costs.begin(from: "192.0.2.1"))
  }

  @Test("costs halve every ten seconds, also while no request comes")
  func forgotten() {
    let costs = costs
    costs.end(from: "192.0.2.1", isRefused: false, received: 128 << 20, sent: 0)
    for left in [64, 32, 16] {
      clock.advance(by: .seconds(10))
      #expect(!costs.begin(from: "192.0.2.2"))
      #expect(costs.begin(from: "192.0.2.1"), "\(left)")
    }
    clock.advance(by: .seconds(10))
    #expect(!costs.begin(from: "192.0.2.1"))
    costs.end(from: "192.0.2.1", isRefused: false, received: 1 << 30, sent: 0)
    clock.advance(by: .seconds(3600))
    #expect(!costs.begin(from: "192.0.2.1"))
  }

  @Test("a network that asks alone waits for no other")
  func alone() {
    let costs = costs
    for _ in 0..<16 { _ = costs.begin(from: "192.0.2.1") }
    #expect(costs.begin(from: "192.0.2.1"))
    clock.advance(by: .seconds(9))
    for _ in 0..<40 { _ = costs.begin(from: "192.0.2.1") }
    clock.advance(by: .seconds(2))
    #expect(!costs.begin(from: "192.0.2.1"))
    #expect(!costs.begin(from: "192.0.2.2"))
    #expect(costs.begin(from: "192.0.2.1"))
  }

  @Test("of 600 networks that cost much, others do not bear the cost")
  func sketch() {
    let costs = costs
    for number in 0..<600 {
      costs.end(from: "10.0.\(number / 256).\(number % 256)", isRefused: false, received: 1 << 25, sent: 0)
    }
    let wrong = (0..<2000).count { costs.begin(from: "172.16.\($0 / 256).\($0 % 256)") }
    // One in 3,000 shares both of its cells.
    #expect(wrong < 20)
  }

  @Test("requests of a network that costs much are carried out by the executor, those of others are not")
  func executor() async throws {
    let (costs, executor) = (costs, CountingExecutor())
    try await Self.serve(costs, executor) { client in
      for _ in 0..<4 { try await Self.get("/no", from: "192.0.2.1", client) }
      #expect(executor.jobs == 0)
      try await Self.get("/fine", from: "192.0.2.2", client)
      #expect(executor.jobs == 0)
      try await Self.get("/fine", from: "192.0.2.1", client)
      #expect(executor.jobs > 0)
    }
    #expect(PrometheusText.page(costs.families).contains("gatehouse_http_demanding_requests_total 1\n"))
  }

  @Test("what this machine asks is not counted", arguments: ["127.0.0.1", "::1"])
  func ofThisMachine(address: String) async throws {
    let (costs, executor) = (costs, CountingExecutor())
    try await Self.serve(costs, executor) { client in
      try await Self.get("/fine", from: "192.0.2.2", client)
      for _ in 0..<40 { try await Self.get("/no", from: address, client) }
    }
    #expect(executor.jobs == 0)
  }

  private static func serve(
    _ costs: NetworkCosts, _ executor: any TaskExecutor,
    _ act: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let router = Router(context: PublicContext.self)
    router.add(middleware: ClientAddressMiddleware(header: .xForwardedFor))
    router.add(middleware: FairShareMiddleware(costs, executor: executor))
    router.get("fine") { _, _ in "fine" }
    try await Application(router: router).test(.router) { try await act($0) }
  }

  private static func get(_ path: String, from address: String, _ client: any TestClientProtocol) async throws {
    let status = path == "/fine" ? HTTPResponse.Status.ok : .notFound
    #expect(
      try await client.executeRequest(uri: path, method: .get, headers: [.forwardedFor: address], body: nil).status
        == status)
  }
}

/// Counts what it carries out, on the system's threads.
private final class CountingExecutor: TaskExecutor {
  private let count = Atomic(0)
  var jobs: Int { count.load(ordering: .sequentiallyConsistent) }

  func enqueue(_ job: consuming ExecutorJob) {
    count.add(1, ordering: .sequentiallyConsistent)
    let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
    DispatchQueue.global().async { job.runSynchronously(on: executor) }
  }
}

extension HTTPField.Name {
  fileprivate static let forwardedFor = Self("x-forwarded-for")!
}
