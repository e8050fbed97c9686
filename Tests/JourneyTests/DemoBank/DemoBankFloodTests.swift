// SPDX-License-Identifier: Apache-2.0

import Delivery
import Dispatch
import Foundation
import Identity
import Kit
import TestSupport
import Testing

@testable import Console
@testable import GatehouseApp

@Suite("Demo bank: sign-ins beside a flood of them", .timeLimit(.minutes(5)))
struct DemoBankFloodTests {
  @Test("a sign-in for which there is no thread is told to come again, and is no unexpected error")
  func crowded() async throws {
    let (test, world) = (try await TestDatabase.make(.current, Schema.migrations), TestWorld().world)
    let vault = try await Vault.open(test.database, keyring: Keyring(world: world), world: world)
    let hash = try PasswordHash("right", cost: PasswordCost(memory: 8, passes: 1), world: world)
    let threads = BlockingThreadPool("test", width: 1, pendingMax: 1)
    let bank = try DemoBank(
      DemoBankService(
        address: "https://bank.example", provider: "1", client: "client", secret: "secret",
        webhookSecret: WebhookSecret(world).text,
        customers: [.init(id: "1", username: "demo", name: "Demo", account: "", passwordHash: hash.text)]),
      database: test.database, vault: vault, world: world, audit: Audit(world: world, vault: vault),
      limits: RateLimits(world: world), http: PeerHTTP { _ in .init(status: 500) }, threads: threads)
    let gate = DispatchSemaphore(value: 0)
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let held = Task {
      try await threads.run {
        continuation.yield()
        gate.wait()
      }
    }
    for await _ in started { break }
    await #expect(throws: Problem.unavailable.with { $0.retryAfterSeconds = 1 }) {
      try await bank.customer(username: "demo", password: "right", from: "192.0.2.1")
    }
    gate.signal()
    try await held.value
    #expect(try await bank.customer(username: "demo", password: "right", from: "192.0.2.1")?.id == "1")
  }
}
