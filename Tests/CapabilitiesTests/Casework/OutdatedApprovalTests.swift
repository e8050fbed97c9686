// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Casework

@Suite("Casework: approvals whose subject changed")
struct OutdatedApprovalTests {
  /// What a flow tells of the subject.
  private final class Subject: Sendable {
    let version = Mutex<Int64?>(1)
  }

  private static let rule = FourEyes(maker: "attend:video", checker: "decide:aml")

  private let app: CaseworkTestApp
  private let (maker, checker): (CaseWorker, CaseWorker)
  private let subject = Subject()
  private let approvals: ApprovalCommands

  init() async throws {
    app = try await CaseworkTestApp()
    maker = CaseWorker(try await app.member("maker@bank.example", .attendVideo, .decideAML))
    checker = CaseWorker(try await app.member("checker@bank.example", .decideAML))
    approvals = ApprovalCommands(
      app.core, caseService: app.caseService,
      subjects: SubjectVersions([("payout.", { [subject] _, _ in subject.version.withLock { $0 } })]))
  }

  private func ask(_ action: String = "payout.paid") async throws -> Approval.ID {
    try await app.database.write { [app, maker] tx in
      Approval.ID(
        rawValue: try app.core.cases.propose(
          BoundAct(action, subject: "p1", version: 1), under: Self.rule, tenant: "bank", person: "person-1",
          by: maker.actor, in: tx))
    }
  }

  /// What the maker is told, the newest first.
  private func told() async throws -> [String] {
    try await approvals.own(of: maker).map { $0.isOutdated ? "outdated" : $0.asked.state.rawValue }
  }

  @Test(
    "what cannot be done as it was asked for leaves the page, is not agreed to, and who asked is told",
    arguments: [
      Int64?.some(2), nil,
    ])
  func outdated(version: Int64?) async throws {
    let id = try await ask()
    #expect(try await approvals.pending(for: checker).map(\.id) == [id])
    #expect(try await told() == ["pending"])
    subject.version.withLock { $0 = version }
    #expect(try await approvals.pending(for: checker).isEmpty)
    #expect(try await told() == ["outdated"])
    let refusal = await #expect(throws: Problem.self) {
      _ = try await approvals.decide(id, agreeing: true, by: checker)
    }
    #expect(refusal?.code == "subject-changed")
    // A refusal changes nothing, and may be given.
    #expect(try await approvals.decide(id, agreeing: false, by: checker).state == .refused)
    #expect(try await told() == ["refused"])
  }

  @Test("acts of which no flow tells stay, and what was agreed to before the change is void to who asked")
  func agreed() async throws {
    let (id, other) = (try await ask(), try await ask("parcel.sent"))
    _ = try await approvals.decide(id, agreeing: true, by: checker)
    #expect(Set(try await told()) == ["approved", "pending"])
    subject.version.withLock { $0 = 2 }
    #expect(Set(try await told()) == ["outdated", "pending"])
    #expect(try await approvals.pending(for: checker).map(\.id) == [other])
  }

  @Test("what changed since does not stand in the way of what was asked for after it, also when it fills a page")
  func crowd() async throws {
    for _ in 1...Approvals.pageMax + 1 { _ = try await ask() }
    subject.version.withLock { $0 = 2 }
    app.clock.advance(by: .seconds(1))
    let later = try await ask("parcel.sent")
    #expect(try await approvals.pending(for: checker).map(\.id) == [later])
    subject.version.withLock { $0 = 1 }
    #expect(try await approvals.pending(for: checker).count == Approvals.pageMax)
  }

  @Test("who asked is told for two days, of an end in time too, and no other person is")
  func period() async throws {
    _ = try await ask()
    #expect(try await approvals.own(of: checker).isEmpty)
    app.clock.advance(by: Approval.lifetime)
    #expect(try await told() == ["expired"])
    app.clock.advance(by: Approval.lifetime)
    #expect(try await told().isEmpty)
  }
}
