// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import Foundation
import Identity
import Kit
import OneAssistFlow
import Storage
import TestSupport
import Testing

@Suite("OneAssist: a verdict on a membership takes a colleague, where the tenant has two persons decide")
struct MembershipApprovalTests {
  private static func run(
    reuploadsMax: Int = 3, _ play: @escaping @Sendable (OneAssistTestApp) async throws -> Void
  ) async throws {
    try await OneAssistTestApp.run(
      policy: { ($0.tenantsOfTwo, $0.reuploadsMax) = (["default"], reuploadsMax) }, play)
  }

  /// A membership whose photos are in, and accepted.
  private static func accepted(
    _ app: OneAssistTestApp, plan: Int64 = OneAssistTestApp.planNow
  ) async throws -> Membership.ID {
    try await accepted(InsuredPhone(app, plan: plan), app)
  }

  private static func accepted(
    _ phone: InsuredPhone, imei: String = OneAssistTestApp.imei, _ app: OneAssistTestApp
  ) async throws -> Membership.ID {
    try await phone.pending(imei: imei)
    let id = Membership.ID(rawValue: try await phone.membership())
    for name in ["SCREEN_IMAGE", "BACK_IMAGE"] { try await say("accept", of: name, id, app) }
    return id
  }

  private static func say(
    _ verdict: String, of photo: String, _ id: Membership.ID, _ app: OneAssistTestApp
  ) async throws {
    let answer = try await app.review(
      .post, "memberships/\(id)/documents/\(photo)/decision", #"{"verdict":"\#(verdict)","reason":"Blurred."}"#)
    #expect(answer.status == 204)
  }

  private static func verdict(
    _ verdict: String, _ id: Membership.ID, reason: String? = nil, _ app: OneAssistTestApp
  ) async throws -> OneAssistTestApp.Answer {
    let reason = reason.map { #","reason":"\#($0)""# } ?? ""
    return try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"\#(verdict)"\#(reason)}"#)
  }

  /// The id of what waits.
  private static func ask(
    _ verdict: String, _ id: Membership.ID, reason: String? = nil, _ app: OneAssistTestApp
  ) async throws -> String {
    let answer = try await Self.verdict(verdict, id, reason: reason, app)
    let view = try answer.view()
    #expect(answer.status == 202 && view["status"] as? String == "AWAITING_APPROVAL")
    return try #require(view["approval_id"] as? String)
  }

  private static func member(
    _ name: String, may permissions: Set<StaffPermission>, _ app: OneAssistTestApp
  ) async throws -> StaffMember {
    try await staff(app).add(
      NewStaffMember(
        tenant: "default", email: "\(name)@bank.example", name: "Noor Haddad", gender: .female, languages: ["en"],
        permissions: permissions, password: "correct horse battery 9"), by: "operator")
  }

  private static func staff(_ app: OneAssistTestApp) -> Staff {
    Staff(
      core: app.service.core, threads: BlockingThreadPool("hash", width: 1),
      cost: PasswordCost(memory: 8, passes: 1))
  }

  private static func agree(
    _ approval: String, _ agreeing: Bool = true, by checker: StaffMember, _ app: OneAssistTestApp
  ) async throws {
    let approvals = ApprovalCommands(app.service.core, caseService: try #require(app.outside.caseService))
    _ = try await approvals.decide(.init(rawValue: approval), agreeing: agreeing, by: CaseWorker(checker))
  }

  @Test(
    "nothing is decided before a colleague agrees; then the same verdict decides, and both are named",
    arguments: [
      ("approve", OneAssistTestApp.planNow, "APPROVED"), ("approve", OneAssistTestApp.planLater, "QUEUED"),
      ("reject", OneAssistTestApp.planNow, "REJECTED"),
    ])
  func whole(verdict: String, plan: Int64, end: String) async throws {
    try await Self.run { app in
      let (id, reason) = (try await Self.accepted(app, plan: plan), verdict == "reject" ? "Another phone." : nil)
      let checker = try await Self.member("checker", may: [.approveVerdicts], app)
      let asked = try await Self.ask(verdict, id, reason: reason, app)
      #expect(try await Self.ask(verdict, id, reason: reason, app) == asked)
      let reviews = app.service.reviews
      #expect(try await reviews.asked(about: id, tenant: "default").map(\.act.content) == [reason ?? ""])
      #expect(try await reviews.queue(tenant: "default", by: "test").count == 1)
      try await Self.agree(asked, by: checker, app)
      // Shown by a transaction that reads, which can lock nothing.
      #expect(try await reviews.asked(about: id, tenant: "default").map(\.state) == [.approved])
      #expect(try await Self.verdict(verdict, id, reason: reason, app).view()["status"] as? String == end)
      let (line, documents) = try await app.database.read { tx in
        (
          try AuditStore(tx).lines(of: id.chain).last { $0.action == "oneassist.status.changed" },
          try tx.query("SELECT document FROM casework_receipt").map { try $0.get("document") as Data }
        )
      }
      #expect(line?.facts["checker"] == checker.actor && line?.facts["to"] == end)
      let receipt = try DecisionReceipt(SignedDocument(document: try #require(documents.first)))
      #expect(receipt.agreedBy == checker.actor && receipt.decidedBy == line?.actor && documents.count == 1)
    }
  }

  @Test("nothing else than what was agreed to: other words, another reviewer or membership, a photo decided on since")
  func bound() async throws {
    try await Self.run { app in
      let (id, reviews) = (try await Self.accepted(app), app.service.reviews)
      let checker = try await Self.member("checker", may: [.approveVerdicts], app)
      func decide(_ reason: String, approval: String?, by agent: String = "agent:clara") async throws
        -> ReviewCommands.Outcome
      {
        try await reviews.decide(.reject, reason: reason, of: id, tenant: "default", by: agent, approval: approval)
      }
      guard case .waiting(let asked) = try await decide("Another phone.", approval: nil) else {
        throw Problem.unexpected
      }
      try await Self.agree(asked.id, by: checker, app)
      #expect(try await refusal { try await decide("Other words.", approval: asked.id) } == "subject-changed")
      #expect(
        try await refusal { try await decide("Another phone.", approval: asked.id, by: "agent:omar") }
          == "not-found")
      for (subject, agent) in [(id, "agent:omar"), (.init(app.service.core.world), "agent:clara")] {
        #expect(
          try await refusal { try await reviews.carryOut(asked.id, on: subject, tenant: "default", by: agent) }
            == "not-found")
      }
      try await Self.say("refuse", of: "BACK_IMAGE", id, app)
      #expect(try await refusal { try await decide("Another phone.", approval: asked.id) } == "subject-changed")
      #expect(try await reviews.asked(about: id, tenant: "default").isEmpty)
      guard case .waiting(let anew) = try await decide("Another phone.", approval: nil) else {
        throw Problem.unexpected
      }
      try await Self.agree(anew.id, by: checker, app)
      // What was agreed to is carried out without being typed again.
      guard case .decided(.rejected) = try await reviews.carryOut(anew.id, on: id, tenant: "default", by: "agent:clara")
      else { throw Problem.unexpected }
    }
  }

  @Test("the same said again of a photo leaves the colleague's word and the place in the queue; another word ends it")
  func saidAgain() async throws {
    try await Self.run { app in
      let other = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      let (first, second) = (
        try await Self.accepted(app), try await Self.accepted(other, imei: "359000110000038", app)
      )
      let reviews = app.service.reviews
      func queue() async throws -> [Membership.ID] {
        try await reviews.queue(tenant: "default", by: "test").map(\.membership.id)
      }
      let order = try await queue()
      #expect(Set(order) == [first, second])
      let asked = try await Self.ask("approve", first, app)
      app.clock.advance(by: .minutes(1))
      for id in order { try await Self.say("accept", of: "BACK_IMAGE", id, app) }
      #expect(try await Self.ask("approve", first, app) == asked)
      for id in order.reversed() {
        app.clock.advance(by: .minutes(1))
        try await Self.say("refuse", of: "BACK_IMAGE", id, app)
        try await Self.say("accept", of: "BACK_IMAGE", id, app)
      }
      #expect(try await queue() == order)
      #expect(try await Self.ask("approve", first, app) != asked)
    }
  }

  @Test(
    "only a new request locks the case: what follows an agreement locks its subject first, as every move does",
    .enabled(if: Engine.current == .postgres, "SQLite has one writer at a time"))
  func locks() async throws {
    try await Self.run { app in
      let id = try await Self.accepted(app)
      // The transaction that wrote the row last, by whatever it wrote.
      func writer() async throws -> String? {
        try await app.database.read { tx in
          try tx.first("SELECT CAST(xmin AS TEXT) AS writer FROM casework_case WHERE subject_id = \(id)")?.get("writer")
        }
      }
      let opened = try await writer()
      _ = try await Self.ask("approve", id, app)
      let asked = try await writer()
      _ = try await Self.ask("approve", id, app)
      #expect(try await writer() == asked && asked != opened)
    }
  }

  @Test("photos are asked for again by one person, until that ends the review; a refusal stands")
  func reupload() async throws {
    try await Self.run(reuploadsMax: 1) { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = Membership.ID(rawValue: try await phone.membership())
      try await Self.say("refuse", of: "BACK_IMAGE", id, app)
      #expect(try await Self.verdict("reupload", id, app).view()["status"] as? String == "REUPLOAD")
      #expect(try await phone.upload("BACK_IMAGE", "back again").status == 200)
      try await Self.say("refuse", of: "BACK_IMAGE", id, app)
      let asked = try await Self.ask("reupload", id, app)
      try await Self.agree(asked, false, by: Self.member("checker", may: [.approveVerdicts], app), app)
      #expect(try await Self.verdict("reupload", id, app).refusal == "409 approval-refused")
    }
  }

  @Test("a phone that was reported stolen is refused by the server, which asks for no second person")
  func stolen() async throws {
    try await Self.run { app in
      let phone = try await InsuredPhone(app)
      #expect(try await phone.lead(imei: "359000110000020").status == 200)
      _ = try await phone.link()
      for name in ["SCREEN_IMAGE", "BACK_IMAGE"] { _ = try await phone.upload(name, name) }
      #expect(try await phone.status() == "REJECTED")
    }
  }

  @Test("the client takes back what it asked for, once; the membership stays, and the same again asks anew")
  func withdrawn() async throws {
    try await Self.run { app in
      let id = try await Self.accepted(app)
      let approval = try await Self.ask("approve", id, app)
      func takeBack(_ body: String = "{}", of membership: Membership.ID? = nil) async throws -> Int {
        try await app.review(
          .post, "memberships/\(membership ?? id)/approvals/\(approval)/withdrawal", body
        ).status
      }
      #expect(try await takeBack(#"{"agent":"clara"}"#) == 404)
      #expect(try await takeBack(of: .init(rawValue: approval)) == 404)
      #expect(try await takeBack() == 204)
      #expect(try await takeBack() == 409)
      #expect(try await Self.ask("approve", id, app) != approval)
    }
  }

  @Test("the same verdict, asked for many times at once, is asked for once; not on what a colleague has in hand")
  func atOnce() async throws {
    try await Self.run { app in
      let (id, caseService) = (try await Self.accepted(app), try #require(app.outside.caseService))
      let asked = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<8 { group.addTask { try await Self.ask("approve", id, app) } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(asked.count == 1)
      let colleague = try await Self.member("colleague", may: [.attendVideo, .readCustomers], app)
      let held = try await app.database.read { tx in
        try #require(try CaseStore(tx).find(subject: id.rawValue, kind: .oneassistMembership))
      }
      _ = try await CaseCommands(app.service.core, caseService: caseService, staff: Self.staff(app)).claim(
        held.id, by: CaseWorker(colleague))
      #expect(try await Self.verdict("reject", id, reason: "Another phone.", app).refusal == "409 case-held")
    }
  }

  /// What a problem is called; nil when there was none.
  private func refusal<Value>(_ body: () async throws -> Value) async throws -> String? {
    do {
      _ = try await body()
      return nil
    } catch let problem as Problem { return problem.code }
  }
}
