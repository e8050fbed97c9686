// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Sessions: racing (4. race of 20 concurrent refreshes → one family alive)")
struct RefreshRaceTests {
  @Test("race of 20 concurrent refreshes → one family alive, one successor", arguments: Engine.available)
  func twenty(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    let second = try app.made.reopened()
    let answers = try await withThrowingTaskGroup(of: SessionsTestApp.Answer.self) { group in
      for index in 0..<20 {
        group.addTask { try await app.refresh(first, on: index.isMultiple(of: 2) ? app.database : second) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 20)
    let successors = Set(answers.compactMap(\.token))
    #expect(successors.count == 1 && answers.allSatisfy { $0.token != nil })
    #expect(try await app.refusal(of: family) == nil)
    #expect(try await count(app, "live families") == 1)
    #expect(try await count(app, "unspent tokens") == 1)
    #expect(try await app.refresh(try #require(successors.first)).token != nil)
    try second.close()
  }

  @Test("a thief and the owner who race with a spent token end the family once", arguments: Engine.available)
  func reuse(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (_, first) = try await app.open()
    _ = try await app.refresh(first)
    app.clock.advance(by: .seconds(11))
    let answers = try await withThrowingTaskGroup(of: SessionsTestApp.Answer.self) { group in
      for _ in 0..<10 { group.addTask { try await app.refresh(first) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count { $0 == .reused } == 1)
    #expect(answers.count { $0 == .refused("refresh-reused") } == 9)
    #expect(try await count(app, "live families") == 0)
  }

  private func count(_ app: SessionsTestApp, _ what: String) async throws -> Int {
    let statement: SQL =
      what == "live families"
      ? "SELECT COUNT(*) AS n FROM session_family WHERE revoked_at IS NULL"
      : "SELECT COUNT(*) AS n FROM refresh_token WHERE spent_at IS NULL"
    return try await app.database.read { try $0.first(statement)?.get("n") ?? -1 }
  }
}
