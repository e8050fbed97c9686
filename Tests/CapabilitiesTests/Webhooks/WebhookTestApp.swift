// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Delivery
@testable import Kit

/// Webhooks over a real store, with a receiver that answers what a test says. Effects are performed when a test says
/// so; the clock stands still until it is moved.
final class WebhookTestApp: Sendable {
  /// What the receiver does next; it answers 204 when nothing is left.
  enum Behaviour: Sendable {
    case answer(Int)
    case fail(PeerHTTP.Failure)
  }

  static let tenant = TenantID("finaptic", "1")
  static let url = "https://bank.example/hooks"

  let made: TestDatabase
  let clock: TestWorld
  let webhooks: Webhooks
  private let worker: OutboxWorker
  private let received: Received

  var database: any SQLDatabase { made.database }

  init(
    _ engine: Engine, _ behaviours: [Behaviour] = [], http: PeerHTTP? = nil, policy: WebhookPolicy = WebhookPolicy()
  ) async throws {
    let (clock, heard) = (TestWorld(), Received())
    made = try await TestDatabase.make(engine, TestDatabase.migrations(of: DeliveryModule.self))
    let vault = try await TestVault.open(made.database, clock.world)
    heard.left.withLock { $0 = behaviours }
    webhooks = Webhooks(
      database: made.database, vault: vault, world: clock.world,
      http: http
        ?? PeerHTTP { call in
          heard.calls.withLock { $0.append(call) }
          switch heard.left.withLock({ $0.isEmpty ? .answer(204) : $0.removeFirst() }) {
          case .answer(let status): return .init(status: status)
          case .fail(let failure): throw failure
          }
        }, policy: policy)
    worker = OutboxWorker(
      database: made.database, world: clock.world, handlers: webhooks.handlers, logger: LogRecorder().logger)
    (self.clock, received) = (clock, heard)
  }

  private final class Received: Sendable {
    let calls = Mutex<[PeerHTTP.Call]>([])
    let left = Mutex<[Behaviour]>([])
  }

  func then(_ behaviours: Behaviour...) { received.left.withLock { $0 = behaviours } }
  var posted: [PeerHTTP.Call] { received.calls.withLock { $0 } }

  func add(_ events: String..., url: String = url, tenant: TenantID = tenant) async throws -> Webhooks.Issued {
    try await webhooks.add(url, tenant: tenant, events: events, by: "test")
  }

  @discardableResult
  func publish(
    _ name: String = "e-1", type: String = "CustomerOnboarded", tenant: TenantID = tenant, body: String = #"{"a":1}"#,
    about: String? = nil
  ) async throws -> Int {
    try await database.write { [webhooks] in
      try webhooks.publish(
        WebhookMessage(type, name: name, tenant: tenant, body: Data(body.utf8), about: about), in: $0)
    }
  }

  /// Performs what is due by now.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  /// Moves the clock to the next try and performs it.
  /// - Returns: false when no try is owed.
  func next() async throws -> Bool {
    guard let due = try await log().compactMap(\.dueAt).min() else { return false }
    if due > clock.now { clock.set(due) }
    try await settle()
    return true
  }

  /// Moves the clock to the next effect, be it a try or an endpoint that has rested, and performs it.
  /// - Returns: false when nothing is owed.
  func nextEffect() async throws -> Bool {
    let now = clock.now
    guard let due = try await database.read({ try OutboxStore($0).nextDue(after: now) }) else { return false }
    clock.set(due)
    try await settle()
    return true
  }

  /// How many effects are owed.
  func owed() async throws -> Int { try await database.read { try OutboxStore($0).pending(limit: 1000).count } }

  func log(_ state: WebhookDelivery.State? = nil) async throws -> [WebhookDelivery] {
    var filter = WebhookLogStore.Filter()
    (filter.state, filter.limit) = (state, 1000)
    return try await webhooks.log(filter)
  }
}
