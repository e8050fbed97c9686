// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Casework

/// How the engine finds a page among many cases, by its own word.
@Suite("Casework: pages are found by an index")
struct CaseIndexTests {
  private static let count = 20_000

  private func crowded() async throws -> CaseworkTestApp {
    let app = try await CaseworkTestApp()
    try await app.database.write { tx in
      _ = try tx.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
        INSERT INTO casework_case (
          id, desk_id, tenant_id, kind, subject_id, person_id, state, risk, reasons, priority, opened_at, due_at,
          version)
        SELECT 'case-' || CAST(i AS TEXT), 'bank', 'bank', 'rubix-review', 'subject-' || CAST(i AS TEXT),
          'person-' || CAST(i AS TEXT), 'open', 0, '', i, i, i, 1 FROM n
        """)
    }
    try await app.database.write { _ = try $0.execute("ANALYZE") }
    return app
  }

  /// The plan of a statement, whose values stand in it: an engine explains no statement without them.
  private func plan(_ statement: SQL, on app: CaseworkTestApp) async throws -> String {
    var text = statement.text(in: .postgres)
    for (number, value) in statement.values(in: .postgres).enumerated().reversed() {
      let literal =
        switch value {
        case .integer(let number): "CAST('\(number)' AS BIGINT)"
        case .text(let text): "'\(text)'"
        default: "NULL"
        }
      text = text.replacingOccurrences(of: "$\(number + 1)", with: literal)
    }
    let isPostgres = app.made.engine == .postgres
    let question = SQL(stringLiteral: (isPostgres ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + text)
    return try await app.database.read { tx in
      try tx.query(question).map { try $0.get(isPostgres ? "QUERY PLAN" : "detail", as: String.self) }
        .joined(separator: "\n")
    }
  }

  @Test("a page of a kind is a range of the queue's index, in its order: nothing is sorted")
  func queue() async throws {
    let app = try await crowded()
    let question = CaseQuestion(desk: "bank", kinds: [.rubixReview], owner: "none")
    let plan = try await plan(CaseStore.waiting(.rubixReview, of: question, limit: 25), on: app)
    #expect(plan.contains("casework_case_queue"), "\(plan)")
    #expect(!plan.contains("B-TREE") && !plan.contains("Sort"), "\(plan)")
  }

  @Test("what a person holds, and whose call begins, is found by an index of its own")
  func held() async throws {
    let app = try await crowded()
    let question = CaseQuestion(desk: "bank", kinds: [.rubixReview], owner: "none")
    let plan = try await plan(CaseStore.held(by: "agent:a", of: question, limit: 25), on: app)
    #expect(plan.contains("casework_case_holder"), "\(plan)")
    let booked = try await self.plan(CaseStore.booked(of: question, limit: 1), on: app)
    #expect(booked.contains("casework_case_booked"), "\(booked)")
  }

  @Test("a page far behind holds what follows its place")
  func farBehind() async throws {
    let app = try await crowded()
    var question = CaseQuestion(desk: "bank", kinds: [.rubixReview], owner: "none")
    question.after = CaseCursor(priority: Int64(Self.count - 3), id: "case-\(Self.count - 3)")
    let asked = question
    let left = try await app.database.read {
      try CaseStore($0).cases(CaseStore.waiting(.rubixReview, of: asked, limit: 25)).map(\.id.rawValue)
    }
    #expect(left == ["case-19998", "case-19999", "case-20000"])
  }
}
