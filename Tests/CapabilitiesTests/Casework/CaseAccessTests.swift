// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage
import Testing
import TestSupport

@testable import Casework

@Suite("Casework: why somebody looks at a case")
struct CaseAccessTests {
  private let app: CaseworkTestApp
  private let (noor, omar): (CaseWorker, CaseWorker)

  init() async throws {
    app = try await CaseworkTestApp()
    noor = try await app.agent()
    omar = CaseWorker(try await app.member("omar@bank.example", .attendVideo, .approveVerdicts))
  }

  @Test("the audit tells how the reader stood to the case, without asking them")
  func derived() async throws {
    let work = CaseworkTestApp.work("rubix-call")
    let item = try await app.open(work)
    func why(_ worker: CaseWorker) async throws -> String? {
      _ = try await app.commands.file(item.id, for: worker)
      let (seen, told) = try await app.database.read { [app] tx in
        (
          try AuditStore(tx).lines(of: item.chain).last { $0.action == "case.seen" }?.facts["why"],
          try app.core.cases.look(at: item.subject, by: worker.actor, in: tx)
        )
      }
      // What a flow is told that gives a picture out over its API.
      #expect(told == seen)
      return seen
    }
    #expect(try await why(noor) == "waiting-case")
    _ = try await app.commands.claim(item.id, by: noor)
    #expect(try await why(noor) == "claimed-case")
    #expect(try await why(omar) == "case-of-colleague")
    _ = try await app.database.write { [app, noor] tx in
      try app.core.cases.propose(
        BoundAct("rubix.agentAccepted", subject: item.subject, version: 1),
        under: FourEyes(maker: "attend:video", checker: "approve:verdicts"), tenant: item.tenant, person: item.person,
        by: noor.actor, in: tx)
    }
    #expect(try await why(omar) == "approval")
    #expect(try await why(noor) == "claimed-case")
    try await app.conclude(work, by: noor.actor)
    app.clock.advance(by: Approval.lifetime)
    #expect(try await why(omar) == "closed-case")
  }

  @Test("a program is told by the case, too, and what has no case is looked at directly")
  func programs() async throws {
    func why(_ subject: String) async throws -> String {
      try await app.database.read { [app] in try app.core.cases.lookFact(at: subject, by: "client:house", in: $0) }
    }
    let item = try await app.open(CaseworkTestApp.work("call-1"))
    #expect(try await why(item.subject) == "waiting-case")
    _ = try await app.commands.claim(item.id, by: noor)
    #expect(try await why(item.subject) == "case-of-colleague")
    #expect(try await why("unknown") == "direct")
  }
}
