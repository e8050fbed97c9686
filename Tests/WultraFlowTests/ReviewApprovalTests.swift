// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import Foundation
import Identity
import Kit
import Storage
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: a review takes a colleague, where the bank has two persons decide")
struct ReviewApprovalTests {
  private func staff(_ app: WultraTestApp) -> Staff {
    Staff(
      core: app.core, threads: BlockingThreadPool("hash", width: 1), cost: PasswordCost(memory: 8, passes: 1))
  }

  private func member(
    _ name: String, may permissions: Set<StaffPermission>, _ app: WultraTestApp
  ) async throws -> StaffMember {
    try await staff(app).add(
      NewStaffMember(
        tenant: "acme", email: "\(name)@bank.example", name: "Noor Haddad", gender: .female, languages: ["en"],
        permissions: permissions, password: "correct horse battery 9"), by: "operator")
  }

  /// Says a colleague's word, who may agree.
  private func say(_ approval: RequestedApproval, _ agreeing: Bool, _ app: WultraTestApp) async throws -> StaffMember {
    let checker = try await member("checker", may: [.approveVerdicts], app)
    let approvals = ApprovalCommands(app.core, caseService: try #require(app.caseService))
    _ = try await approvals.decide(.init(rawValue: approval.id), agreeing: agreeing, by: CaseWorker(checker))
    return checker
  }

  @Test(
    "nothing is decided before a colleague agrees to exactly this; then it is carried out, and both are named",
    arguments: [ReviewCase.Verdict.accepted, .rejected])
  func whole(verdict: ReviewCase.Verdict) async throws {
    let app = try await WultraTestApp { $0.reviewsNeedTwo = true }
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    func decide(_ reason: String, approval: String? = nil) async throws -> RequestedApproval? {
      try await app.reviews.decide(
        review.id, verdict, reason: reason, tenant: "acme", by: "agent:clara", approval: approval)
    }
    let asked = try #require(try await decide("A mask."))
    #expect(asked.state == .pending && asked.act.content == "A mask." && asked.maker == "agent:clara")
    #expect(try await decide("A mask.")?.id == asked.id)
    #expect(try await app.reviews.asked(about: review.id, tenant: "acme").map(\.id) == [asked.id])
    let checker = try await say(asked, true, app)
    // Shown by a transaction that reads, which can lock nothing.
    #expect(try await app.reviews.asked(about: review.id, tenant: "acme").map(\.state) == [.approved])
    #expect(try await refusal { _ = try await decide("Other words.", approval: asked.id) } == "subject-changed")
    for (subject, actor) in [(review.id, "agent:omar"), (.init(app.core.world), "agent:clara")] {
      #expect(
        try await refusal { _ = try await app.reviews.carryOut(asked.id, on: subject, tenant: "acme", by: actor) }
          == "not-found")
    }
    #expect(try await app.reviews.queue(tenant: "acme").count == 1)
    #expect(try await app.reviews.carryOut(asked.id, on: review.id, tenant: "acme", by: "agent:clara") == nil)
    #expect(try await app.reviews.queue(tenant: "acme").isEmpty)
    // The same again: its answer may have been lost.
    #expect(try await decide("A mask.") == nil)
    let (facts, documents) = try await app.database.read { tx in
      (
        try AuditStore(tx).lines(of: person.process).first { $0.action == "wultra.review.\(verdict.rawValue)" }?.facts,
        try tx.query("SELECT document FROM casework_receipt").map { try $0.get("document") as Data }
      )
    }
    #expect(facts?["checker"] == checker.actor && facts?["review"] == review.id.rawValue)
    let receipt = try DecisionReceipt(SignedDocument(document: try #require(documents.first)))
    #expect(receipt.decidedBy == "agent:clara" && receipt.agreedBy == checker.actor && documents.count == 1)
  }

  @Test("who asked takes it back: nothing is decided, colleagues cannot, and pictures tell why they were looked at")
  func withdrawn() async throws {
    let app = try await WultraTestApp { $0.reviewsNeedTwo = true }
    let person = try await app.activated()
    try await person.begin()
    try await person.submitAll(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    func ask() async throws -> RequestedApproval? {
      try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:clara")
    }
    let checker = try await member("checker", may: [.approveVerdicts], app)
    let first = try #require(try await ask())
    for actor in ["agent:clara", checker.actor] {
      _ = try await app.reviews.picture(1, of: review.id, tenant: "acme", by: actor)
    }
    #expect(
      try await refusal { try await app.reviews.withdraw(first.id, on: review.id, by: "agent:omar") } == "not-found")
    #expect(
      try await refusal { try await app.reviews.withdraw(first.id, on: .init(app.core.world), by: "agent:clara") }
        == "not-found")
    try await app.reviews.withdraw(first.id.uppercased(), on: review.id, by: "agent:clara")
    #expect(try await app.reviews.asked(about: review.id, tenant: "acme").isEmpty)
    #expect(try await app.reviews.queue(tenant: "acme").count == 1)
    let approvals = ApprovalCommands(app.core, caseService: try #require(app.caseService))
    #expect(try await approvals.pending(for: CaseWorker(checker)).isEmpty)
    let second = try #require(try await ask())
    #expect(second.id != first.id && second.state == .pending)
    let whys = try await app.database.read { tx in
      try AuditStore(tx).lines(of: person.process).filter { $0.action == "wultra.review.seen" }.map { $0.facts["why"] }
    }
    #expect(whys == ["waiting-case", "approval"])
  }

  @Test("a refusal stands, and other pictures are asked for by one person")
  func refused() async throws {
    let app = try await WultraTestApp { $0.reviewsNeedTwo = true }
    let person = try await app.activated()
    try await person.begin()
    try await person.submitAll(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    let asked = try #require(try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:clara"))
    _ = try await say(asked, false, app)
    #expect(
      try await refusal { try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:clara") }
        == "approval-refused")
    let retake = try await app.reviews.decide(
      review.id, .retake, reason: "Without a reflection.", retaking: [1], tenant: "acme", by: "agent:clara")
    #expect(retake == nil)
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }

  @Test("the same verdict, asked for many times at once, is asked for once; not on what a colleague has in hand")
  func atOnce() async throws {
    let app = try await WultraTestApp { $0.reviewsNeedTwo = true }
    let person = try await app.activated()
    try await person.begin()
    try await person.submitAll(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    let asked = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<8 {
        group.addTask { try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:clara")?.id }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(asked.count == 1 && !asked.contains(nil))
    let held = try await app.database.read { tx in
      try #require(try CaseStore(tx).find(subject: review.id.rawValue, kind: .wultraDocuments))
    }
    let colleague = try await member("colleague", may: [.attendVideo, .readCustomers], app)
    _ = try await CaseCommands(app.core, caseService: try #require(app.caseService), staff: staff(app)).claim(
      held.id, by: CaseWorker(colleague))
    #expect(
      try await refusal {
        try await app.reviews.decide(review.id, .rejected, reason: "A mask.", tenant: "acme", by: "agent:clara")
      } == "case-held")
  }

  @Test("of every state with every verdict, those that end a review take the second person, and no other")
  func table() {
    for state in ReviewState.allCases {
      for verdict in ReviewCase.Verdict.allCases {
        let (one, two) = (
          try? reviewFlow.move(from: state, on: verdict), try? reviewFlowOfTwo.move(from: state, on: verdict)
        )
        let isOpen = state == .waiting
        #expect(one?.to == (isOpen ? .decided : nil) && two?.to == one?.to && one?.fourEyes == nil)
        #expect(two?.fourEyes == (isOpen && verdict != .retake ? ReviewCase.rule : nil), "\(state) on \(verdict)")
      }
    }
  }
}
