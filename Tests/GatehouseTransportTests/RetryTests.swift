// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import GatehouseTransport

@Suite("Transport: asking again")
struct RetryTests {
  private let ok = TransportResponse(status: 200)
  private let lost = TransportError(.connectionLost)

  @Test("a lost answer is asked for again, byte for byte the same")
  func lostAnswer() async throws {
    let script = Script([.failure(lost), .failure(TransportError(.timedOut)), .success(ok)])
    let clock = ImpatientClock()
    let request = TransportRequest.sample("POST", key: "k-1")
    let answer = try await script.transport.retrying(RetryPolicy(), clock: clock.clock, randomness: .fixed(0.5))
      .send(request)
    #expect(answer == ok)
    #expect(await script.requests == [request, request, request])
    #expect(clock.pauses == [.milliseconds(125), .milliseconds(250)])
  }

  @Test("a POST without a key is sent once")
  func unkeyedPost() async {
    let script = Script([.failure(lost)])
    await #expect(throws: lost) {
      try await script.transport.retrying(RetryPolicy(), clock: ImpatientClock().clock, randomness: .fixed(0))
        .send(.sample("POST"))
    }
  }

  @Test("after the last attempt the answer stands", arguments: [429, 502, 503, 504])
  func bounded(status: Int) async throws {
    let busy = TransportResponse(status: status)
    let script = Script(Array(repeating: .success(busy), count: 3))
    let answer = try await script.transport
      .retrying(RetryPolicy(attemptsMax: 3), clock: ImpatientClock().clock, randomness: .fixed(0))
      .send(.sample())
    #expect(answer == busy)
    #expect(await script.requests.count == 3)
  }

  @Test("refusals are not repeated", arguments: [400, 401, 404, 409, 422, 500])
  func refusals(status: Int) async throws {
    let script = Script([.success(TransportResponse(status: status))])
    let answer = try await script.transport
      .retrying(RetryPolicy(), clock: ImpatientClock().clock, randomness: .fixed(0)).send(.sample())
    #expect(answer.status == status)
  }

  @Test("Retry-After is never undercut")
  func retryAfter() async throws {
    let script = Script([.success(TransportResponse(status: 503, headers: ["Retry-After": "7"])), .success(ok)])
    let clock = ImpatientClock()
    _ = try await script.transport.retrying(RetryPolicy(), clock: clock.clock, randomness: .fixed(0)).send(.sample())
    #expect(clock.pauses == [.seconds(7)])
  }

  @Test("a Retry-After beyond the limit hands the answer to the caller")
  func retryAfterTooLong() async throws {
    let script = Script([.success(TransportResponse(status: 429, headers: ["Retry-After": "3600"]))])
    let answer = try await script.transport
      .retrying(RetryPolicy(), clock: ImpatientClock().clock, randomness: .fixed(0)).send(.sample())
    #expect(answer.retryAfter == .seconds(3600))
  }

  @Test("waits grow to a named maximum and are spread over the whole range")
  func delays() {
    let policy = RetryPolicy(attemptsMax: 100)
    for attempt in 1..<100 {
      let longest = policy.delay(after: attempt, retryAfter: nil, unit: 0.999_999)
      #expect(longest.map { $0 <= policy.delayMax } == true)
      #expect(policy.delay(after: attempt, retryAfter: nil, unit: 0) == .zero)
    }
    #expect(policy.delay(after: 100, retryAfter: nil, unit: 0) == nil)
  }

  @Test("a cancelled task stops waiting")
  func cancelled() async {
    let script = Script([.failure(lost)])
    let transport = script.transport.retrying(
      RetryPolicy(), clock: ClientClock { (_) async throws(CancellationError) in throw CancellationError() },
      randomness: .fixed(0))
    await #expect(throws: TransportError(.cancelled)) { try await transport.send(.sample()) }
  }

  @Test("header names compare without regard to case")
  func headers() {
    var headers: TransportHeaders = ["Retry-After": "1", "retry-after": "2"]
    #expect(headers["RETRY-AFTER"] == "2")
    headers["Retry-after"] = nil
    #expect(headers.all.isEmpty)
  }

  @Test("a transport that expects nothing refuses and tells")
  func unexpected() async {
    _ = await confirmation { told in
      await #expect(throws: TransportError(.unexpectedCall)) {
        try await HTTPTransport.unexpected { _ in told() }.send(.sample())
      }
    }
  }
}
