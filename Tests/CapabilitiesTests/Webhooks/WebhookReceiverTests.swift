// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Webhooks: over the wire")
struct WebhookReceiverTests {
  /// A receiver that checks signatures, and forgets to answer or breaks when told to.
  private final class Receiver: Sendable {
    enum Behaviour: Sendable { case answer, fail, hang }

    let heard = Mutex<[String]>([])
    let behaviours: Mutex<[Behaviour]>
    let secret = Mutex<WebhookSecret?>(nil)

    init(_ behaviours: [Behaviour]) { self.behaviours = Mutex(behaviours) }

    func serve(_ connection: TestConnection, at now: Instant) {
      var fields: [String: String] = [:]
      while let line = connection.line(), !line.isEmpty {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
      }
      let body = connection.bytes(fields["content-length"].flatMap { Int($0) } ?? 0)
      let isGenuine = secret.withLock { secret in
        secret?.accepts(
          body, id: fields["webhook-id"], timestamp: fields["webhook-timestamp"],
          signatures: fields["webhook-signature"], at: now)
      }
      heard.withLock { $0.append("\(fields["webhook-id"] ?? "") \(isGenuine == true)") }
      switch behaviours.withLock({ $0.isEmpty ? .answer : $0.removeFirst() }) {
      case .answer: connection.say("HTTP/1.1 204 No Content\r\nConnection: close\r\n")
      case .fail: connection.say("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nConnection: close\r\n")
      // Until the sender has had enough.
      case .hang: _ = connection.line()
      }
    }
  }

  @Test("a receiver that fails, hangs and comes back has every message, genuine, by its id")
  func story() async throws {
    var policy = WebhookPolicy()
    policy.allowsPrivate = true
    let http = PeerHTTP.curl(threads: BlockingThreadPool("hooks", width: 2), timeout: .milliseconds(200))
    let receiver = Receiver([.fail, .hang])
    let app = try await WebhookTestApp(.current, http: http, policy: policy)
    let server = try LoopbackServer { [clock = app.clock] in receiver.serve($0, at: clock.now) }
    let issued = try await app.add(url: "http://127.0.0.1:\(server.port)/hooks")
    receiver.secret.withLock { $0 = issued.secret }
    try await app.publish("e-1")
    try await app.settle()
    while try await app.next() {}
    #expect(receiver.heard.withLock { $0 } == ["e-1 true", "e-1 true", "e-1 true"])
    let delivery = try #require(try await app.log().first)
    #expect(delivery.state == .delivered && delivery.tries == 3)
    withExtendedLifetime(server) {}
  }

  @Test("with the guard the same address gets nothing, and it is not tried again")
  func guarded() async throws {
    var policy = WebhookPolicy()
    policy.allowsPrivate = true
    let http = PeerHTTP.curl(threads: BlockingThreadPool("hooks", width: 1), isPublicOnly: true)
    let app = try await WebhookTestApp(.current, http: http, policy: policy)
    let server = try LoopbackServer { _ in Issue.record("the server was called") }
    _ = try await app.add(url: "http://localhost:\(server.port)/")
    try await app.publish()
    try await app.settle()
    let delivery = try #require(try await app.log().first)
    #expect(delivery.state == .failed && delivery.lastError == "forbidden" && delivery.dueAt == nil)
  }
}
