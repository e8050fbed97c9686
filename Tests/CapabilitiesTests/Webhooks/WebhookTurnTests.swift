// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Webhooks: one endpoint does not hold up the others", .timeLimit(.minutes(5)))
struct WebhookTurnTests {
  /// A peer whose slow half says nothing until it is told to give up.
  private final class Peer: Sendable {
    private struct State {
      var urls: [String] = []
      var isAway = true
      var hanging: [Notifier] = []
      var hasHung = 0
    }

    private let state = Mutex(State())
    private let arrival = Notifier()

    var urls: [String] { state.withLock { $0.urls } }
    func calls(of url: String) -> Int { urls.count { $0 == url } }

    /// Calls that hang end without an answer, and later ones do so at once.
    func giveUp() {
      let notifiers = state.withLock { state in
        state.hasHung = .max
        return state.hanging
      }
      for notifier in notifiers { notifier.notify() }
    }

    func comeBack() { state.withLock { $0.isAway = false } }

    func waitForHanging(_ count: Int) async {
      while state.withLock({ $0.hasHung }) < count { await arrival.wait() }
    }

    var http: PeerHTTP {
      PeerHTTP { [self] call in
        let notifier = state.withLock { state -> Notifier? in
          state.urls.append(call.url)
          guard call.url == WebhookTurnTests.slow, state.isAway, state.hasHung < .max else { return nil }
          state.hasHung += 1
          let notifier = Notifier()
          state.hanging.append(notifier)
          return notifier
        }
        if let notifier {
          arrival.notify()
          await notifier.wait()
        }
        if call.url == WebhookTurnTests.slow, state.withLock({ $0.isAway }) { throw PeerHTTP.Failure.timedOut }
        return .init(status: 204)
      }
    }
  }

  private static let slow = "https://slow.example/"
  private static let other = "https://other.example/"

  @Test(
    "while a receiver hangs what is owed to it waits without a try, an effect or a lease, and then arrives",
    arguments: Engine.available)
  func hanging(engine: Engine) async throws {
    let peer = Peer()
    let app = try await WebhookTestApp(engine, http: peer.http)
    _ = try await app.add(url: Self.slow)
    _ = try await app.add(url: Self.other, tenant: TenantID("finaptic", "2"))
    for number in 0..<40 { try await app.publish("e-\(number)") }
    try await app.publish("o-1", tenant: TenantID("finaptic", "2"))
    try await withThrowingTaskGroup { group in
      group.addTask { try await app.settle() }
      await peer.waitForHanging(4)
      // Of the first round some that found no turn may still be on their way out.
      repeat { try await app.settle() } while try await app.owed() > 4
      #expect(peer.calls(of: Self.slow) == 4 && peer.calls(of: Self.other) == 1)
      #expect(try await app.owed() == 4, "the holder of a turn looks after all that is owed")
      peer.giveUp()
      try await group.waitForAll()
    }
    let tried = peer.calls(of: Self.slow)
    #expect(tried <= 8)
    #expect(try await app.owed() <= tried + 1)
    let id = try #require(try await app.webhooks.reports().first?.endpoint.id)
    let status = try await app.webhooks.report(of: id).status
    #expect(status.restsUntil == app.clock.now + .seconds(5) && status.counts == [.pending: 40])
    // One try shows whether it is back.
    app.clock.advance(by: .seconds(5))
    try await app.settle()
    #expect(peer.calls(of: Self.slow) == tried + 1)
    peer.comeBack()
    app.clock.advance(by: .seconds(30))
    try await app.settle()
    while try await app.nextEffect() {}
    #expect(peer.calls(of: Self.slow) == tried + 1 + 40)
    #expect(try await app.log(.delivered).count == 41)
    #expect(try await app.owed() == 0)
  }

  @Test("what waited for a day in vain is given up, with few tries, and hears all when told to")
  func away() async throws {
    let peer = Peer()
    peer.giveUp()
    let app = try await WebhookTestApp(.current, http: peer.http)
    _ = try await app.add(url: Self.slow)
    let begun = app.clock.now
    for number in 0..<60 { try await app.publish("e-\(number)") }
    try await app.settle()
    while try await !app.log(.pending).isEmpty { _ = try await app.nextEffect() }
    let failed = try await app.log(.failed)
    #expect(failed.count == 60 && failed.contains { $0.lastError == "expired" })
    #expect(app.clock.now - begun >= .hours(24) && app.clock.now - begun < .hours(25))
    #expect(peer.urls.count < 320, "one in five minutes")
    peer.comeBack()
    for delivery in failed { try await app.webhooks.redeliver(delivery.id, by: "test") }
    try await app.settle()
    #expect(try await app.log(.delivered).count == 60)
  }

  @Test("a message that its receiver refuses holds up none of the others")
  func poison() async throws {
    let app = try await WebhookTestApp(.current, Array(repeating: .answer(400), count: 5))
    _ = try await app.add()
    for number in 0..<12 { try await app.publish("e-\(number)") }
    try await app.settle()
    #expect(app.posted.count == 12)
    #expect(try await app.log(.delivered).count == 7)
    while try await app.nextEffect() {}
    #expect(try await app.log(.delivered).count == 12)
  }

  @Test("what is owed to an endpoint that is gone is given up with it")
  func gone() async throws {
    let app = try await WebhookTestApp(.current, Array(repeating: .answer(410), count: 4))
    _ = try await app.add()
    for number in 0..<20 { try await app.publish("e-\(number)") }
    try await app.settle()
    let log = try await app.log()
    #expect(log.allSatisfy { $0.state == .failed } && log.contains { $0.lastError == "disabled" })
    #expect(app.posted.count <= 4)
    #expect(try await app.owed() == 0)
  }

  @Test("where its system allows it, gone ends one message only, and the next one is sent")
  func outlives() async throws {
    let app = try await WebhookTestApp(.current, [.answer(410)])
    let secret = WebhookSecret(app.clock.world)
    try await app.database.write { [webhooks = app.webhooks] in
      try webhooks.bind(
        WebhookTestApp.url, secret: secret, tenant: WebhookTestApp.tenant, outlivesGone: true, in: $0)
    }
    for name in ["e-1", "e-2"] {
      try await app.publish(name)
      try await app.settle()
    }
    #expect(Set(try await app.log().map { "\($0.name) \($0.state)" }) == ["e-1 failed", "e-2 delivered"])
  }

  @Test("a message that does not open holds up none of the others, and is given up", arguments: Engine.available)
  func unreadable(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    _ = try await app.add()
    try await app.publish("e-1")
    try await app.database.write { _ = try $0.execute("UPDATE webhook_message SET sealed = \(Data([0]))") }
    app.clock.advance(by: .seconds(1))
    try await app.publish("e-2")
    try await app.settle()
    let log = try await app.log().map { "\($0.name) \($0.state) \($0.lastError ?? "")" }
    #expect(Set(log) == ["e-1 pending unreadable", "e-2 delivered "])
    while try await app.nextEffect() {}
    #expect(Set(try await app.log().map { "\($0.name) \($0.state)" }) == ["e-1 failed", "e-2 delivered"])
    #expect(app.posted.count == 1)
  }

  @Test("what was set aside is found, though another message is owed for later", arguments: Engine.available)
  func besides(engine: Engine) async throws {
    struct Killed: Error {}
    let answers = Mutex<(answered: Bool, isDown: Bool)>((false, true))
    var policy = WebhookPolicy()
    policy.delays = [.days(30)]
    let app = try await WebhookTestApp(
      engine,
      http: PeerHTTP { _ in
        let (isFirst, isDown) = answers.withLock { state in
          defer { state.answered = true }
          return (!state.answered, state.isDown)
        }
        if isFirst { return .init(status: 400) }
        if isDown { throw Killed() }
        return .init(status: 204)
      }, policy: policy)
    _ = try await app.add()
    try await app.publish("e-1")
    try await app.settle()
    try await app.publish("e-2")
    try await app.settle()
    while try await app.owed() > 1 { #expect(try await app.nextEffect()) }
    #expect(try await app.log().allSatisfy { $0.state == .pending })
    answers.withLock { $0.isDown = false }
    try await app.webhooks.sweep()
    try await app.settle()
    #expect(Set(try await app.log().map { "\($0.name) \($0.state)" }) == ["e-1 pending", "e-2 delivered"])
  }
}
