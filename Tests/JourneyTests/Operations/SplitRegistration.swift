// SPDX-License-Identifier: Apache-2.0

import Delivery
import Dispatch
import HTTP
import TestSupport
import Testing

@testable import GatehouseApp

/// A registration whose body is sent in two parts. Whole, it is answered with what is wrong with it.
enum SplitRegistration {
  private static let body = #"{"device_id": "6E0C1C5A-5B0D-4C67-9E53-0C8E2F1B7A11", "platform": "#
  static let rest = #""neither"}"#
  /// The head of the request, and its body without the rest.
  static let beginning =
    "POST /api/v1/onboarding/auth/register HTTP/1.1\r\nHost: house.example\r\nContent-Type: application/json\r\n"
    + "Content-Length: \(body.utf8.count + rest.utf8.count)\r\n\r\n" + body

  static func expectWhole(_ answer: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      answer.hasPrefix("HTTP/1.1 422") && answer.hasSuffix("}"), "\(answer)", sourceLocation: sourceLocation)
  }

  /// Expects a whole answer from a server that is ended before it has the rest, which is sent once it does not listen
  /// any more.
  static func expectAnswer(
    of app: App, at port: UInt16, ending end: () -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let isClosed = DispatchSemaphore(value: 0)
    async let answered = BlockingThreadPool("sockets", width: 1).run {
      let request = try HTTPSocket(port)
      try request.send(Self.beginning)
      isClosed.wait()
      try request.send(Self.rest)
      return try request.receiveAll()
    }
    defer { isClosed.signal() }
    try await waitUntil("the request is in flight") {
      PrometheusText.page(app.telemetry.requests.families).contains("gatehouse_http_requests_in_flight 1\n")
    }
    end()
    try await waitUntil("the listener is closed") { (try? HTTPSocket(port)) == nil }
    isClosed.signal()
    try await expectWhole(answered, sourceLocation: sourceLocation)
  }
}
