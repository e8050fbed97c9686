// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import Demonstration
import Foundation
import GatehouseApp
import Identity
import Kit
import Storage

/// Measures the work queue with many cases in it: the first page over all kinds, a page far behind, the late ones, what
/// one person holds, and taking the first case in hand.
struct CaseBench: Sendable {
  let engine: String
  let cases: Int
  let rounds: Int

  struct Line: Sendable {
    let what: String
    let latencies: Latencies
  }

  /// - Parameter database: nil lets the application make its own file.
  func run(in folder: String, _ database: (any SQLDatabase)?) async throws -> [Line] {
    var settings = Settings()
    settings.dataFolder = "\(folder)/cases-\(engine)"
    settings.logLevel = "error"
    let app = try await App.open(settings, database: database, logger: settings.logger("bench"))
    let member = try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: "bench@bank.example", name: "Ada Anyder", gender: .female, languages: ["en"],
        permissions: [.attendVideo, .decideAML, .chatCustomers], password: DemoApp.password), by: "bench")
    let (worker, now, count) = (CaseWorker(member), app.world.now(), cases)
    try await app.database.write { try CaseCrowdStore($0).fill(count, at: now) }
    try await app.database.write { try CaseCrowdStore($0).analyze() }
    let commands = app.caseCommands
    var far = CaseQuery()
    far.after = CaseCursor(priority: (now - .hours(1)).milliseconds, id: "")
    var (late, mine) = (CaseQuery(), CaseQuery())
    (late.isOverdue, mine.holder) = (true, worker.actor)
    return [
      try await time("first page") { _ = try await commands.page(CaseQuery(), for: worker) },
      try await time("far page") { _ = try await commands.page(far, for: worker) },
      try await time("overdue") { _ = try await commands.page(late, for: worker) },
      try await time("next") { _ = try await commands.next(by: worker) },
      try await time("in hand") { _ = try await commands.page(mine, for: worker) },
    ]
  }

  private func time(_ what: String, _ body: () async throws -> Void) async throws -> Line {
    var latencies = Latencies()
    for round in 0...rounds {
      let start = ContinuousClock.now
      try await body()
      // The first one warms up.
      if round > 0 { latencies.add(ContinuousClock.now - start) }
    }
    return Line(what: what, latencies: latencies)
  }
}

/// Cases that no flow opened.
struct CaseCrowdStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// A week of cases of all kinds, the last of them due in some hours.
  func fill(_ count: Int, at now: Instant) throws {
    let start = (now - .days(7)).milliseconds
    let step = max(Duration.days(7).wholeSeconds * 1000 / count, 1)
    for (number, kind) in CaseKind.known.enumerated() {
      try tx.execute(
        """
        WITH RECURSIVE n(i) AS (
          SELECT CAST(\(number) AS BIGINT)
          UNION ALL SELECT i + CAST(\(CaseKind.known.count) AS BIGINT) FROM n WHERE i < CAST(\(count) AS BIGINT))
        INSERT INTO casework_case (
          id, desk_id, tenant_id, kind, subject_id, person_id, state, risk, reasons, priority, opened_at, due_at,
          version)
        SELECT 'case-' || CAST(i AS TEXT), 'default', 'default', CAST(\(kind) AS TEXT), 'subject-' || CAST(i AS TEXT),
          'person-' || CAST(i AS TEXT), 'open', 0, '', CAST(\(start) AS BIGINT) + i * CAST(\(step) AS BIGINT),
          CAST(\(start) AS BIGINT) + i * CAST(\(step) AS BIGINT),
          CAST(\(start) AS BIGINT) + i * CAST(\(step) AS BIGINT), 1
        FROM n
        """)
    }
  }

  func analyze() throws { _ = try tx.execute("ANALYZE") }
}
