// SPDX-License-Identifier: Apache-2.0

import Demonstration
import Fixtures
import GatehouseApp
import Identity
import Kit
import RubixFlow
import ServiceLifecycle
import Storage

/// A whole installation under measurement: server and worker on the loopback, as `gatehouse serve` runs them.
struct BenchApp: Sendable {
  /// Customers whose tokens are used to read; each may read 60 times a minute.
  static let readersMax = 6000
  /// Transactions that fill side by side, where the engine lets them.
  static let fillersMax = 4
  /// Agents who take the calls that journeys book.
  static let agents = 8

  let app: App
  let inbox: CodeInbox
  /// Where the server listens.
  let port: Int
  /// Applications that were there before anything was measured.
  let stored: Int
  /// Sessions of some of them.
  let sessions: [SessionFamily]

  var fixture: ApplicationFixture { ApplicationFixture(app.rubix) }

  /// Opens an installation, fills it, and serves it while `body` measures it.
  static func run<Value: Sendable>(
    _ settings: Settings, database: (any SQLDatabase)?, stored: Int, say: @escaping @Sendable (String) -> Void,
    _ body: @escaping @Sendable (BenchApp) async throws -> Value
  ) async throws -> Value {
    let inbox = CodeInbox()
    let app = try await App.open(
      settings, database: database, logger: settings.logger("gatehouse"), passwordCost: DemoApp.passwordCost,
      messenger: { _ in inbox.messenger })
    let sessions = try await fill(app, stored, say)
    return try await LoopbackServer.run(
      { bound in [app.server { bound.yield($0) }, app.worker] as [any Service] }, logger: app.logger
    ) { port in
      try await body(BenchApp(app: app, inbox: inbox, port: port, stored: stored, sessions: sessions))
    }
  }

  private static func fill(
    _ app: App, _ stored: Int, _ say: @Sendable (String) -> Void
  ) async throws -> [SessionFamily] {
    for number in 1...agents {
      try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: "agent\(number)@bank.example", name: "Agent \(number)", gender: .female,
          languages: ["en"], permissions: [.attendVideo, .readCustomers], password: DemoApp.password), by: "operator")
    }
    let (fixture, tenant) = (ApplicationFixture(app.rubix), try app.tenants.find(nil))
    var sessions: [SessionFamily] = []
    var starts = stride(from: 0, to: stored, by: ApplicationFixture.batchMax).makeIterator()
    try await withThrowingTaskGroup(of: [SessionFamily].self) { group in
      func begin() {
        guard let start = starts.next() else { return }
        if start > 0, start % 20_000 == 0 { say("\(start) of \(stored) applications are stored") }
        let end = min(start + ApplicationFixture.batchMax, stored)
        group.addTask { try await fixture.fill(start..<end, tenant: tenant) }
      }
      for _ in 0..<fillersMax { begin() }
      for try await batch in group {
        sessions += batch.prefix(max(0, readersMax - sessions.count))
        begin()
      }
    }
    return sessions
  }
}
