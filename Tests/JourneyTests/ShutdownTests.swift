// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestSupport

@Suite("Journey: the program ends in order", .ownFile)
struct ShutdownTests {
  @Test(
    "a request that is being sent when SIGTERM comes is answered whole, and the program leaves with 0",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)))
  func drains() throws {
    let process = try ServedProcess(graceSeconds: 0)
    defer { process.kill() }
    let (port, operations) = try (
      process.port("listening"), process.port("operations: /health/live, /health/ready, /metrics")
    )
    #expect(try HTTPSocket.get("/health/ready", at: operations).hasPrefix("HTTP/1.1 200"))

    let request = try HTTPSocket(port)
    try request.send(SplitRegistration.beginning)
    try Self.until("the request is in flight") {
      try HTTPSocket.get("/metrics", at: operations).contains("gatehouse_http_requests_in_flight 1\n")
    }
    process.terminate()
    try Self.until("the node is not ready") { try HTTPSocket.get("/health/ready", at: operations).contains("draining") }
    try Self.until("the listener is closed") { (try? HTTPSocket(port)) == nil }
    #expect(try HTTPSocket.get("/health/live", at: operations).hasPrefix("HTTP/1.1 200"))
    try request.send(SplitRegistration.rest)
    let answer = try request.receiveAll()
    SplitRegistration.expectWhole(answer)
    #expect(answer.lowercased().contains("connection: close"))
    #expect(process.wait() == 0)
  }

  @Test(
    "during the grace new requests are still served, while the node says that it is leaving",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)))
  func grace() throws {
    let process = try ServedProcess(graceSeconds: 3)
    defer { process.kill() }
    let (port, operations) = try (
      process.port("listening"), process.port("operations: /health/live, /health/ready, /metrics")
    )
    process.terminate()
    try Self.until("the node is not ready") { try HTTPSocket.get("/health/ready", at: operations).contains("draining") }
    #expect(try HTTPSocket.get("/health", at: port).hasPrefix("HTTP/1.1 503"))
    #expect(try HTTPSocket.get("/openapi.json", at: port).hasPrefix("HTTP/1.1 200"))
    #expect(process.wait() == 0)
  }

  @Test(
    "a start that fails is told, and the program leaves with 1, although clients connect to what listens already",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(5)))
  func failedStart() throws {
    let taken = try ListeningPort()
    defer { withExtendedLifetime(taken) {} }
    // A server that was cancelled ended by a signal in most of ten such starts.
    for _ in 0..<3 {
      let port = try ListeningPort().number
      let process = try ServedProcess(
        graceSeconds: 0, variables: ["GATEHOUSE_OPERATIONS_PORT": "\(taken.number)"], port: port)
      defer { process.kill() }
      let clients = Self.connect(to: port, of: process, atMost: 400)
      #expect(process.wait() == 1)
      withExtendedLifetime(clients) {}
    }
  }

  @Test(
    "with no time for running requests, too, the program leaves with 0 while clients connect",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(5)))
  func noLimit() throws {
    // A server that was cancelled before its listener had closed ended by a signal in a third of such ends.
    for _ in 0..<5 {
      let process = try ServedProcess(graceSeconds: 0, variables: ["GATEHOUSE_DRAIN_LIMIT_SECONDS": "0"])
      defer { process.kill() }
      let port = try process.port("listening")
      let before = Self.connect(to: port, of: process, atMost: 60)
      process.terminate()
      let after = Self.connect(to: port, of: process, atMost: 400)
      #expect(process.wait() == 0)
      withExtendedLifetime((before, after)) {}
    }
  }

  /// Connects until there are so many, or the process has ended.
  private static func connect(to port: UInt16, of process: ServedProcess, atMost count: Int) -> [HTTPSocket] {
    var clients: [HTTPSocket] = []
    for _ in 0..<1_000_000 where process.isRunning && clients.count < count {
      if let client = try? HTTPSocket(port) { clients.append(client) }
    }
    return clients
  }

  /// Asks again and again; each question is a wait of its own.
  private static func until(_ what: Comment, _ holds: () throws -> Bool) throws {
    for _ in 0..<20_000 where try holds() { return }
    Issue.record(what)
  }
}
