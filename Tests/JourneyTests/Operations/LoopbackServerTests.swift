// SPDX-License-Identifier: Apache-2.0

import Delivery
import Dispatch
import Foundation
import HTTP
import Kit
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Operations: the server of a demonstration", .ownFile, .timeLimit(.minutes(5)))
struct LoopbackServerTests {
  @Test("one whose demonstration is cancelled answers the request that is being sent, whole")
  func cancelled() async throws {
    let folder = try TestFolder()
    let (ports, bound) = AsyncStream.makeStream(of: (App, UInt16).self)
    let (cancelled, cancel) = AsyncStream.makeStream(of: Void.self)
    let running = Task {
      try await DemoApp.run(in: folder.path, clock: DemoClock()) { app, address in
        bound.yield((app, UInt16(address.port ?? 0)))
        // Ends with the cancellation.
        for await _ in cancelled {}
      }
    }
    defer { cancel.finish() }
    let (app, port) = try #require(await ports.first { _ in true })

    let body = #"{"device_id": "6E0C1C5A-5B0D-4C67-9E53-0C8E2F1B7A11", "platform": "#
    let rest = #""neither"}"#
    let head =
      "POST /api/v1/onboarding/auth/register HTTP/1.1\r\nHost: house.example\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count + rest.utf8.count)\r\n\r\n"
    let isClosed = DispatchSemaphore(value: 0)
    async let answered = BlockingThreadPool("sockets", width: 1).run {
      let request = try HTTPSocket(port)
      try request.send(head + body)
      isClosed.wait()
      try request.send(rest)
      return try request.receiveAll()
    }
    defer { isClosed.signal() }
    try await waitUntil("the request is in flight") {
      PrometheusText.page(app.telemetry.requests.families).contains("gatehouse_http_requests_in_flight 1\n")
    }
    running.cancel()
    try await waitUntil("the listener is closed") { (try? HTTPSocket(port)) == nil }
    isClosed.signal()
    let answer = try await answered
    #expect(answer.hasPrefix("HTTP/1.1 422") && answer.hasSuffix("}"), "\(answer)")
    _ = await running.result
  }
}
