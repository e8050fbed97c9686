// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import Storage
import Synchronization
import Testing
import TestSupport

@Suite("HTTP: networks that cost much wait for others", .storeless)
struct FairShareTests {
  private let clock = TestWorld()
  private var costs: NetworkCosts { NetworkCosts(world: clock.world, processors: 2) }

  @Test("ten requests or two refusals in a short time cost much", arguments: [(10, false), (2, true)])
  func demanding(count: Int, isRefused: Bool) {
    let costs = costs
    for _ in 0..<count {
      #expect(costs.begin(from: "192.0.2.1") == nil)
      costs.end(from: "192.0.2.1", hadTurn: false, isRefused: isRefused, received: 10, sent: 1024)
    }
    #expect(costs.begin(from: "192.0.2.1") != nil)
    #expect(costs.begin(from: "192.0.2.2") == nil)
  }

  @Test("each MiB that is sent or received costs as much as a request", arguments: [(9, 0), (0, 9), (4, 5)])
  func bytes(received: Int, sent: Int) {
    let costs = costs
    #expect(costs.begin(from: "192.0.2.1") == nil)
    costs.end(from: "192.0.2.1", hadTurn: false, isRefused: false, received: received << 20, sent: sent << 20)
    #expect(costs.begin(from: "192.0.2.1") != nil)
  }

  @Test("a length that a client only claims overflows nothing", arguments: [Int.max, Int.min, -1])
  func claimed(length: Int) {
    let costs = costs
    for _ in 0..<3 { costs.end(from: "192.0.2.1", hadTurn: false, isRefused: true, received: length, sent: Int.max) }
    #expect(costs.begin(from: "192.0.2.2") == nil)
    #expect(costs.begin(from: "192.0.2.1") != nil)
    // Of 65,535 there are 15 after twelve halvings, and of these and a request 8 after one more.
    for isMuch in [true, false] {
      clock.advance(by: isMuch ? .seconds(120) : .seconds(10))
      #expect(costs.begin(from: "192.0.2.2") == nil)
      #expect((costs.begin(from: "192.0.2.1") != nil) == isMuch)
    }
  }

  @Test("costs halve every ten seconds, also while no request comes")
  func forgotten() {
    let costs = costs
    costs.end(from: "192.0.2.1", hadTurn: false, isRefused: false, received: 128 << 20, sent: 0)
    for left in [64, 32, 16] {
      clock.advance(by: .seconds(10))
      #expect(costs.begin(from: "192.0.2.2") == nil)
      #expect(costs.begin(from: "192.0.2.1") != nil, "\(left)")
    }
    clock.advance(by: .seconds(10))
    #expect(costs.begin(from: "192.0.2.1") == nil)
    costs.end(from: "192.0.2.1", hadTurn: false, isRefused: false, received: 1 << 30, sent: 0)
    clock.advance(by: .seconds(3600))
    #expect(costs.begin(from: "192.0.2.1") == nil)
  }

  @Test("a network that asks alone waits for no other")
  func alone() {
    let costs = costs
    for _ in 0..<16 { _ = costs.begin(from: "192.0.2.1") }
    #expect(costs.begin(from: "192.0.2.1") != nil)
    clock.advance(by: .seconds(9))
    for _ in 0..<40 { _ = costs.begin(from: "192.0.2.1") }
    clock.advance(by: .seconds(2))
    #expect(costs.begin(from: "192.0.2.1") == nil)
    #expect(costs.begin(from: "192.0.2.2") == nil)
    #expect(costs.begin(from: "192.0.2.1") != nil)
  }

  @Test("what is computed for a request is counted for its network, and the next one of the network must rest")
  func computing() async throws {
    let (costs, pauses) = (costs, Pauses())
    // Much is in vain on this node.
    costs.end(from: "203.0.113.1", hadTurn: false, isRefused: false, received: 0, sent: 0, inVain: 90_000)
    try await Self.serve(costs, pauses) { client in
      for (address, path, mustRest) in [
        ("192.0.2.9", "/compute/0", "false"),
        ("192.0.2.1", "/compute/-250", "false"), ("192.0.2.1", "/compute/300", "false"),
        ("192.0.2.1", "/compute/-250", "true"), ("192.0.2.1", "/compute/-250", "false"),
        ("192.0.2.2", "/compute/49", "false"), ("192.0.2.2", "/compute/1", "false"),
        ("192.0.2.2", "/compute/0", "true"), ("127.0.0.1", "/compute/300", "none"),
        ("127.0.0.1", "/compute/300", "none"),
      ] {
        let response = try await client.executeRequest(
          uri: path, method: .get, headers: [.forwardedFor: address], body: nil)
        #expect(String(buffer: response.body) == mustRest, "\(address) \(path)")
      }
      // One that costs much, and had nothing of use computed.
      for _ in 0..<2 { try await Self.get("/no", from: "192.0.2.3", client) }
      let response = try await client.executeRequest(
        uri: "/compute/0", method: .get, headers: [.forwardedFor: "192.0.2.3"], body: nil)
      #expect(String(buffer: response.body) == "true")
    }
  }

  @Test("of 600 networks that cost much, others do not bear the cost")
  func sketch() {
    let costs = costs
    for number in 0..<600 {
      costs.end(
        from: "10.0.\(number / 256).\(number % 256)", hadTurn: false, isRefused: false, received: 1 << 25, sent: 0)
    }
    let wrong = (0..<2000).count { costs.begin(from: "172.16.\($0 / 256).\($0 % 256)") != nil }
    // One in 3,000 shares both of its cells.
    #expect(wrong < 20)
  }

  @Test("networks that cost much have 500 units a second together for each processor, and wait five seconds at most")
  func turns() {
    let costs = costs
    for network in ["192.0.2.1", "192.0.2.2"] { for _ in 0..<10 { _ = costs.begin(from: network) } }
    #expect(costs.begin(from: "192.0.2.3") == nil)
    for turn in 0..<10 { #expect(costs.begin(from: "192.0.2.\(turn % 2 + 1)") == .milliseconds(turn)) }
    // A refusal takes four turns more, and a body of 20 MiB twenty.
    costs.end(from: "192.0.2.1", hadTurn: true, isRefused: true, received: 20 << 20, sent: 0)
    #expect(costs.begin(from: "192.0.2.2") == .milliseconds(34))
    costs.end(from: "192.0.2.4", hadTurn: false, isRefused: true, received: 0, sent: 0)
    #expect(costs.begin(from: "192.0.2.2") == .milliseconds(35))
    clock.advance(by: .milliseconds(30))
    #expect(costs.begin(from: "192.0.2.1") == .milliseconds(6))
    clock.advance(by: .seconds(1))
    #expect(costs.begin(from: "192.0.2.1") == .zero)
    for _ in 0..<3 { costs.end(from: "192.0.2.1", hadTurn: true, isRefused: false, received: .max, sent: 0) }
    for _ in 0..<9000 { #expect(costs.begin(from: "192.0.2.1").map { $0 <= .seconds(5) } == true) }
  }

  @Test("a request of a network that costs much waits before anything is done for it, and others do not")
  func waits() async throws {
    let (costs, pauses) = (costs, Pauses())
    try await Self.serve(costs, pauses) { client in
      for _ in 0..<2 { try await Self.get("/no", from: "192.0.2.1", client) }
      try await Self.get("/fine", from: "192.0.2.2", client)
      // The first has its turn at once.
      try await Self.get("/fine", from: "192.0.2.1", client)
      #expect(pauses.all == [])
      try await Self.get("/fine", from: "192.0.2.1", client)
      try await Self.get("/fine", from: "192.0.2.2", client)
      #expect(pauses.all == [.milliseconds(1)])
    }
    #expect(PrometheusText.page(costs.families).contains("gatehouse_http_demanding_requests_total 2\n"))
  }

  @Test("what is written for a network that costs much is written after what others write")
  func priority() async throws {
    let (costs, pauses) = (costs, Pauses())
    try await Self.serve(costs, pauses) { client in
      for _ in 0..<2 { try await Self.get("/no", from: "192.0.2.1", client) }
      for (address, priority) in [("192.0.2.2", "usual"), ("192.0.2.1", "low"), ("192.0.2.2", "usual")] {
        let response = try await client.executeRequest(
          uri: "/priority", method: .get, headers: [.forwardedFor: address], body: nil)
        #expect(String(buffer: response.body) == priority)
      }
    }
  }

  @Test("where too many wait, one more is told to come again")
  func full() async throws {
    let costs = costs
    for _ in 0..<20 { costs.end(from: "192.0.2.1", hadTurn: true, isRefused: true, received: 0, sent: 0) }
    _ = costs.begin(from: "192.0.2.2")
    let gate = TaskGate()
    try await Self.serve(FairShareMiddleware(costs) { _ in await gate.pass() }) { client in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<FairShareMiddleware.waitingMax {
          group.addTask { try await Self.get("/fine", from: "192.0.2.1", client) }
        }
        try await gate.reached(FairShareMiddleware.waitingMax)
        defer { gate.open() }
        try await Self.get("/fine", from: "192.0.2.1", client, .serviceUnavailable)
        try await Self.get("/fine", from: "192.0.2.2", client)
        gate.open()
        try await group.waitForAll()
      }
      #expect(costs.begin(from: "192.0.2.1") != nil)
    }
  }

  @Test("what this machine asks is not counted", arguments: ["127.0.0.1", "::1"])
  func ofThisMachine(address: String) async throws {
    let (costs, pauses) = (costs, Pauses())
    try await Self.serve(costs, pauses) { client in
      try await Self.get("/fine", from: "192.0.2.2", client)
      for _ in 0..<40 { try await Self.get("/no", from: address, client) }
    }
    #expect(pauses.all == [])
    #expect(PrometheusText.page(costs.families).contains("gatehouse_http_demanding_requests_total 0\n"))
  }

  @Test("a body that does not tell its length costs what is read of it")
  func withoutLength() async throws {
    let (costs, pauses) = (costs, Pauses())
    try await Self.serve(costs, pauses) { client in
      try await Self.get("/fine", from: "192.0.2.2", client)
      let response = try await client.executeRequest(
        uri: "/read", method: .post, headers: [.forwardedFor: "192.0.2.1", .transferEncoding: "chunked"],
        body: ByteBuffer(repeating: 1, count: 9 << 20))
      #expect(String(buffer: response.body) == "9437184")
      for _ in 0..<2 { try await Self.get("/fine", from: "192.0.2.1", client) }
      #expect(pauses.all == [.milliseconds(1)])
    }
  }

  @Test("a refused body costs 16 MiB at most, so that few that only say more do not keep others from their turn")
  func refusedBody() async throws {
    let (costs, pauses) = (costs, Pauses())
    try await Self.serve(costs, pauses) { client in
      for _ in 0..<2 { try await Self.get("/no", from: "192.0.2.1", client) }
      try await Self.get("/fine", from: "192.0.2.2", client)
      let response = try await client.executeRequest(
        uri: "/no", method: .post, headers: [.forwardedFor: "192.0.2.1", .contentLength: "\(1 << 40)"], body: nil)
      #expect(response.status == .notFound)
      try await Self.get("/fine", from: "192.0.2.1", client)
      // A turn for the request, four for its refusal, and one for each MiB.
      #expect(pauses.all == [.milliseconds(21)])
    }
  }

  @Test("an answer that does not tell its length costs what is sent of it, also in pieces of less than one MiB")
  func streamed() async throws {
    let (costs, pauses) = (costs, Pauses())
    try await Self.serve(costs, pauses) { client in
      try await Self.get("/fine", from: "192.0.2.2", client)
      let response = try await client.executeRequest(
        uri: "/stream", method: .get, headers: [.forwardedFor: "192.0.2.1"], body: nil)
      #expect(response.body.readableBytes == 9 << 20)
      for _ in 0..<2 { try await Self.get("/fine", from: "192.0.2.1", client) }
      #expect(pauses.all == [.milliseconds(1)])
    }
  }

  @Test("requests of the institution's own networks neither wait nor count, and others wait for them")
  func own() async throws {
    let (costs, pauses) = (costs, Pauses())
    let own = try ["10.1.0.0/16", "2001:db8::/32"].map { try #require(IPNetwork($0)) }
    costs.end(from: "192.0.2.1", hadTurn: false, isRefused: false, received: 64 << 20, sent: 0)
    try await Self.serve(FairShareMiddleware(costs, own: own) { pauses.add($0) }) { client in
      for _ in 0..<3 { try await Self.get("/fine", from: "192.0.2.1", client) }
      for address in ["10.1.255.7", "2001:db8:1::1"] {
        for _ in 0..<40 { try await Self.get("/no", from: address, client) }
      }
      #expect(pauses.all == [])
      for _ in 0..<2 { try await Self.get("/fine", from: "192.0.2.1", client) }
      #expect(pauses.all == [.milliseconds(1)])
      // One beside them is a stranger's.
      for _ in 0..<4 { try await Self.get("/no", from: "10.2.0.1", client) }
      #expect(pauses.all.count > 1)
    }
  }

  private static func serve(
    _ costs: NetworkCosts, _ pauses: Pauses, _ act: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    try await serve(FairShareMiddleware(costs) { pauses.add($0) }, act)
  }

  private static func serve(
    _ middleware: FairShareMiddleware, _ act: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let router = Router(context: PublicContext.self)
    router.add(middleware: ClientAddressMiddleware(header: .xForwardedFor))
    router.add(middleware: ProblemMiddleware(dialect: LineDialect()))
    router.add(middleware: middleware)
    router.get("fine") { _, _ in "fine" }
    router.get("priority") { _, _ in "\(WorkPriority.current)" }
    router.get("compute/:milliseconds") { _, context in
      let (computing, time) = (RequestComputing.current, try context.parameters.require("milliseconds", as: Int.self))
      computing?.note(.milliseconds(abs(time)), isInVain: time > 0)
      return computing.map { "\($0.mustRest)" } ?? "none"
    }
    router.post("read") { request, _ in "\(try await RequestContent(request, limit: 1 << 24).bytes.count)" }
    router.get("stream") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          for _ in 0..<(9 << 4) { try await writer.write(ByteBuffer(repeating: 1, count: 1 << 16)) }
          try await writer.finish(nil)
        })
    }
    try await Application(router: router).test(.router) { try await act($0) }
  }

  private static func get(
    _ path: String, from address: String, _ client: any TestClientProtocol, _ status: HTTPResponse.Status? = nil
  ) async throws {
    let response = try await client.executeRequest(
      uri: path, method: .get, headers: [.forwardedFor: address], body: nil)
    #expect(response.status == status ?? (path == "/fine" ? .ok : .notFound))
  }
}

private final class Pauses: Sendable {
  private let kept = Mutex<[Duration]>([])
  var all: [Duration] { kept.withLock { $0 } }
  func add(_ pause: Duration) { kept.withLock { $0.append(pause) } }
}

extension HTTPField.Name {
  fileprivate static let forwardedFor = Self("x-forwarded-for")!
}
