// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage
import Testing
import TestSupport

@testable import Casework

@Suite("Casework: how often a second person is asked about one subject")
struct ApprovalCountTests {
  private static let rule = FourEyes(maker: "attend:video", checker: "decide:aml")

  @Test("more than fifty requests within a month are refused, and those of before do not count")
  func counted() async throws {
    let app = try await CaseworkTestApp()
    let maker = CaseWorker(try await app.member("maker@bank.example", .attendVideo))
    @Sendable func ask(_ version: Int64) async throws -> AskedApproval {
      try await app.database.write { tx in
        try app.core.cases.request(
          BoundAct("payout.paid", subject: "p1", version: version), under: Self.rule, about: nil, tenant: "bank",
          person: "person-1", by: maker.actor, naming: nil, in: tx)
      }
    }
    for version in 1...Int64(AskedApproval.listMax) { #expect(try await ask(version).isNew) }
    let refusal = await #expect(throws: Problem.self) { _ = try await ask(100) }
    #expect(refusal?.code == "approval-refused")
    app.clock.advance(by: AskedApproval.countedTime)
    #expect(try await ask(100).isNew)
  }
}
