// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import Kit

@Suite("Finaptic: an erasure and the reseal find rows by indexes")
struct PersonKeyPlanTests {
  private static let columns =
    FinapticModule.sealedColumns.filter(\.isCounted) + ConversationsModule.sealedColumns + DeliveryModule.sealedColumns

  /// How SQLite goes about a statement, line by line.
  private static func plan(_ statement: SQL, _ app: CardTestApp) async throws -> [String] {
    let text = statement.text(in: .sqlite).replacing("?", with: "'x'")
    return try await app.database.read { tx in
      try tx.query(SQL(stringLiteral: "EXPLAIN QUERY PLAN \(text)")).map { try $0.get("detail", as: String.self) }
    }
  }

  @Test("counting what a user's key sealed looks at no whole table", .enabled(if: Engine.current == .sqlite))
  func counting() async throws {
    try await CardTestApp.run { app in
      for column in Self.columns {
        let plan = try await Self.plan(SealedColumnStore.counting(column, of: "x"), app)
        #expect(!plan.isEmpty && plan.allSatisfy { !$0.contains("SCAN") }, "\(column.name): \(plan)")
      }
    }
  }

  @Test("a page of what is sealed again is sorted by nothing but an index", .enabled(if: Engine.current == .sqlite))
  func paging() async throws {
    try await CardTestApp.run { app in
      for column in Self.columns {
        let plan = try await Self.plan(SealedColumnStore.page(column, after: "", limit: 100), app)
        #expect(!plan.isEmpty && plan.allSatisfy { !$0.contains("TEMP B-TREE") }, "\(column.name): \(plan)")
      }
    }
  }
}
