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
    let (app, maker) = try await made()
    for version in 1...Int64(RequestedApproval.listMax) { #expect(try await ask(version, maker, app).isNew) }
    let refusal = await #expect(throws: Problem.self) { _ = try await ask(100, maker, app) }
    #expect(refusal?.code == "approval-refused")
    app.clock.advance(by: RequestedApproval.countedTime)
    #expect(try await ask(100, maker, app).isNew)
  }

  @Test("what was taken back hides nothing that stands and takes no place of it, up to a bound of its own")
  func takenBack() async throws {
    let (app, maker) = try await made()
    let waiting = try await ask(1, maker, app)
    for number in 2...Int64(RequestedApproval.takenBackMax + 1) {
      app.clock.advance(by: .milliseconds(1))
      let asked = try await ask(number, maker, app)
      try await app.approvals.withdraw(.init(rawValue: asked.id), by: maker)
    }
    let shown = try await app.database.read { try app.core.cases.asked(about: "p1", of: "person-1", in: $0) }
    #expect(shown.map(\.id) == [waiting.id])
    #expect(try await ask(1, maker, app).id == waiting.id)
    let refusal = await #expect(throws: Problem.self) { _ = try await ask(1000, maker, app) }
    #expect(refusal?.code == "approval-refused")
  }

  @Test("a refusal is remembered behind any number of newer requests, and so is a request that is named")
  func behind() async throws {
    let (app, maker) = try await made()
    let checker = CaseWorker(try await app.member("checker@bank.example", .decideAML))
    let refused = try await ask(0, maker, app)
    _ = try await app.approvals.decide(.init(rawValue: refused.id), agreeing: false, by: checker)
    for round in 0..<2 {
      app.clock.advance(by: RequestedApproval.countedTime)
      for number in 1...Int64(RequestedApproval.listMax - 1) {
        app.clock.advance(by: .milliseconds(1))
        #expect(try await ask(Int64(round) * 1000 + number, maker, app).isNew)
      }
    }
    for name in [nil, refused.id] {
      let refusal = await #expect(throws: Problem.self) { _ = try await ask(0, maker, app, naming: name) }
      #expect(refusal?.code == "approval-refused")
    }
    // Of another maker it is another request, and by its id only who asked finds it.
    let other = CaseWorker(try await app.member("other@bank.example", .attendVideo))
    let unknown = await #expect(throws: Problem.self) { _ = try await ask(0, other, app, naming: refused.id) }
    #expect(unknown?.code == "not-found")
    #expect(try await ask(0, other, app).isNew)
  }

  private func made() async throws -> (CaseworkTestApp, CaseWorker) {
    let app = try await CaseworkTestApp()
    return (app, CaseWorker(try await app.member("maker@bank.example", .attendVideo)))
  }

  private func ask(
    _ version: Int64, _ maker: CaseWorker, _ app: CaseworkTestApp, naming name: String? = nil
  ) async throws -> RequestedApproval {
    try await app.database.write { tx in
      try app.core.cases.request(
        BoundAct("payout.paid", subject: "p1", version: version), under: Self.rule, about: nil, tenant: "bank",
        person: "person-1", by: maker.actor, naming: name, in: tx)
    }
  }
}
