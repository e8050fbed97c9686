// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SEAuthenticatorCore
import Synchronization
import Testing

extension Published {
  @Suite("Published surface: requests, dates and polling")
  struct RequestTests {
    private struct Own: Routable {
      var method = HTTPMethod.post
      var encoding = Encoding.json
      let url: URL
      var headers: [String: String]? = ["X-Own": "1"]
      var parameters: [String: Any]? = ["b": "x/y", "a": [:] as [String: Any]]
    }
    private struct Answer: Decodable, Sendable {
      let at: Date
      let day: Date
    }

    private var url: URL { get throws { try #require(URL(string: "https://bank.example/own?x=1")) } }

    @Test("bodies have the bytes that iOS sends")
    func bodies() {
      let body = ParametersSerializer.createBody(parameters: ["b": "x/y", "a": [:] as [String: Any]])
      #expect(body.map { String(decoding: $0, as: UTF8.self) } == "{\n  \"a\" : {\n\n  },\n  \"b\" : \"x\\/y\"\n}")
      #expect(ParametersSerializer.createBody(parameters: ["a": Double.nan]) == nil)
      #expect((["a": 1] as [String: Any]).jsonString == "{\n  \"a\" : 1\n}")
      #expect(["a": 1, "b": 2].merge(with: ["b": 3]) == ["a": 1, "b": 3])
    }

    @Test("the samples' bodies of iOS come out byte for byte", Samples.test("v1/signature_vectors.json"))
    func samples() throws {
      let vectors = try #require(try Samples.object("v1/signature_vectors.json")["positive"] as? [[String: Any]])
      let all = vectors.compactMap { $0["body"] as? String }
      #expect(!all.isEmpty && all.count == vectors.count)
      // As iOS writes them, on several lines; other bodies are of other clients, and a file may have only theirs.
      let bodies = all.filter { $0.contains("\n  ") }
      for body in bodies {
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8))
        let parameters = try #require(object as? [String: Any])
        #expect(parameters.jsonString == body)
      }
    }

    @Test("paths are the API's")
    func paths() {
      #expect(SENetPathBuilder(for: .authorizations).path == "/api/authenticator/v1/authorizations")
      #expect(SENetPathBuilder(for: .connections, version: 2).path == "/api/authenticator/v2/connections")
      #expect(
        SENetPathBuilder.Endpoints.allCases.map(\.rawValue) == ["connections", "authorizations", "actions", "consents"])
    }

    @Test("an app's own request goes out as it is written, and its answer's dates are read")
    func own() async throws {
      let device = Device(["POST /own": (200, #"{"at":"2026-11-21T06:00:00.378+00:00","day":"2026-11-21"}"#)])
      let own = Own(url: try url)
      let answer = try await told { HTTPService<Answer>.makeRequest(own, completion: $0, failure: $1) }.get()
      #expect(answer.at.timeIntervalSince1970 == 1_795_240_800.378 && answer.day.iso8601string == "2026-11-21T00:00:00")
      let request = try #require(device.requests.first)
      #expect(request.headers["X-Own"] == "1" && request.headers["Content-Type"] == "application/json")
      #expect(request.body == own.parameters?.jsonString.map { Data($0.utf8) })
      #expect(try await HTTPService<Answer>.makeRequest(own).day == answer.day)
    }

    @Test("parameters of a query are in the query alone")
    func query() throws {
      let request = Own(method: .get, encoding: .url, url: try url, parameters: ["b": 2, "a": "x y"]).asURLRequest()
      #expect(request.url?.absoluteString == "https://bank.example/own?x=1&a=x%20y&b=2")
      #expect(request.httpBody == nil && request.httpMethod == "GET")
      let bare = Own(method: .delete, url: try url, headers: nil, parameters: nil).asURLRequest()
      let own = try url
      #expect(bare.httpBody == nil && bare.url == own)
    }

    @Test("an app's own request fails with the server's class, and not at all without its body")
    func failing() async throws {
      let device = Device(["POST /own": (404, #"{"error_class":"ActionNotFound","error_message":"None."}"#)])
      let own = Own(url: try url)
      #expect(
        await told { HTTPService<Answer>.makeRequest(own, completion: $0, failure: $1) }
          == Refused(word: "ActionNotFound"))
      let unwritable = Own(url: try url, parameters: ["a": Double.nan])
      #expect(
        await told { HTTPService<Answer>.makeRequest(unwritable, completion: $0, failure: $1) }
          == Refused(word: "ApiRequestError"))
      #expect(device.requests.count == 1)
    }

    @Test(
      "instants are read to the fraction, in UTC unless they say otherwise",
      arguments: [
        ("2026-11-21T06:00:00Z", 1_795_240_800.0), ("2026-11-21T06:00:00", 1_795_240_800),
        ("2026-11-21T06:00:00.5", 1_795_240_800.5), ("2026-11-21T06:00:00.378123456Z", 1_795_240_800.378),
        ("2026-11-21T08:00:00+02:00", 1_795_240_800), ("2026-11-21T00:30:00-05:30", 1_795_240_800),
        ("2020-01-22 08:00:00 UTC", nil), ("2026-11-21", nil), ("", nil), ("2026-11-21T08:00:00+2:00", nil),
        ("2026-11-21T08:00:00+99:00", nil), ("2026-13-21T08:00:00Z", nil), ("ääääää", nil),
      ] as [(String, Double?)])
    func instants(text: String, seconds: Double?) {
      #expect(text.iso8601date?.timeIntervalSince1970 == seconds)
    }

    @Test("days are counted in UTC")
    func days() {
      _ = Device()
      let now = Date(timeIntervalSince1970: Device.now + 0.9)
      #expect(now.iso8601string == "2026-11-21T06:00:00" && now.utcSeconds == 1_795_240_800)
      #expect(now.withoutTime.iso8601string == "2026-11-21T00:00:00")
      for (hours, days) in [(0.0, 0), (17.99, 0), (18, 1), (-6, 0), (-6.01, -1), (90 * 24, 90)] {
        #expect(Date(timeIntervalSince1970: Device.now + hours * 3600).numberOfDaysFromNow == days, "\(hours)")
      }
      #expect(TimeZone.utc.secondsFromGMT() == 0)
      #expect(DateUtils.ymdDateFormatter.string(from: now) == "2026-11-21")
      #expect(DateUtils.dateFormatter.date(from: "2026-11-21T06:00:00")?.timeIntervalSince1970 == Device.now)
    }

    @Test("a date that is no number, or far away, and an interval that is no number end no app")
    func strangeNumbers() {
      _ = Device()
      for (seconds, whole) in [
        (Double.nan, 0), (.infinity, 253_402_300_799), (-.infinity, -62_135_596_800), (1e300, 253_402_300_799),
        (-0.5, -1), (0.9, 0), (253_402_300_799.9, 253_402_300_799),
      ] {
        #expect(Date(timeIntervalSince1970: seconds).utcSeconds == whole, "\(seconds)")
      }
      for interval in [Double.nan, .infinity, -.infinity, 1e300, 0] {
        let poller = SEPoller(interval: interval) {}
        poller.stopPolling()
      }
    }

    @Test("polling calls every three seconds, not before the first, and no more once stopped")
    func polling() async throws {
      _ = Device()
      MainQueue.mark()
      let pauses = Pauses()
      SEAuthenticatorPlatform.current.clock = ClientClock { (duration) async throws(CancellationError) in
        try await pauses.pause(duration)
      }
      let (calls, called) = AsyncStream.makeStream(of: Bool.self)
      let poller = SEPoller { called.yield(MainQueue.isCurrent) }
      poller.startPolling()
      poller.startPolling()
      var heard = calls.makeAsyncIterator()
      #expect(await pauses.begun() == .seconds(3))
      pauses.end()
      #expect(await heard.next() == true)
      #expect(await pauses.begun() == .seconds(3))
      poller.stopPolling()
      poller.startPolling()
      #expect(await pauses.begun() == .seconds(3))
      pauses.end()
      #expect(await heard.next() == true)
      poller.stopPolling()
      called.finish()
      #expect(await heard.next() == nil, "one call for each pause that ended")
    }
  }
}

/// Pauses that end when the test ends them, or when their task is cancelled.
private final class Pauses: Sendable {
  private let begins = AsyncStream.makeStream(of: Duration.self)
  private let last = Mutex<AsyncStream<Void>.Continuation?>(nil)

  func pause(_ duration: Duration) async throws(CancellationError) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    last.withLock { $0 = continuation }
    begins.continuation.yield(duration)
    var ends = stream.makeAsyncIterator()
    guard await ends.next() != nil else { throw CancellationError() }
  }

  /// Waits for the next pause to begin.
  func begun() async -> Duration? {
    var iterator = begins.stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// Ends the last that began.
  func end() { last.withLock { $0 }?.yield() }
}
