// SPDX-License-Identifier: Apache-2.0

import Casework
import GatehouseWire
import Identity
import Kit
import RubixWire
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: the second person's word, on a page", .onOneEngine, .serialized)
struct ConsoleApprovalTests {
  private static let base = "/console/approvals"
  private static let rule = FourEyes(maker: "post:money", checker: "approve:money")
  private static let hostile = "amount 20000.00 CAD; reference <script>alert(1)</script>"

  /// Someone who may approve, on the page of what waits.
  static func signedIn(
    _ console: ConsoleTestApp, _ email: String = "checker@bank.example",
    may permissions: Set<StaffPermission> = [.approveMoney]
  ) async throws -> DemoBrowser {
    try await console.app.staff.add(
      .init(
        tenant: "default", email: email, name: "Mai Tanaka", gender: .female, languages: ["en"],
        permissions: permissions, password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
    try #require(try await browser.open(base).title == "Approvals")
    return browser
  }

  /// What a program asks for.
  static func ask(_ console: ConsoleTestApp, by maker: String = "client:a") async throws -> String {
    let cases = console.app.core.cases
    // Of these no flow tells how the subject stands, so that one of a test stays.
    let act = BoundAct("finaptic.batch", subject: "orders-1", version: 0, content: hostile)
    return try await console.app.database.write {
      try cases.propose(act, under: rule, tenant: "default", person: "person-1", by: maker, in: $0)
    }
  }

  private static func approval(_ approval: String, _ console: ConsoleTestApp) async throws -> RequestedApproval? {
    let cases = console.app.core.cases
    return try await console.app.database.read { try cases.asked(approval, in: $0) }
  }

  @Test("a member with the permission sees what is asked for, as text, and agrees or refuses, once")
  func decide() async throws {
    try await ConsoleTestApp.run { console in
      let (first, second) = (try await Self.ask(console), try await Self.ask(console))
      let browser = try await Self.signedIn(console)
      let page = try await browser.open(Self.base)
      #expect(page.html.contains("20000.00 CAD") && page.html.contains("Book many postings together"))
      #expect(page.html.contains("&lt;script&gt;") && !page.html.contains("<script>alert"))
      try await browser.submit("\(Self.base)/\(first)/decision", ["decision": "approved"])
      #expect(try await Self.approval(first, console)?.state == .approved)
      try await browser.open(Self.base)
      try await browser.submit("\(Self.base)/\(second)/decision", ["decision": "refused"])
      let refused = try await Self.approval(second, console)
      #expect(refused?.state == .refused && refused?.checker?.hasPrefix("agent:") == true)
      #expect(try await browser.open(Self.base).html.contains("Nothing waits for your approval."))
    }
  }

  @Test("who asked sees what became of it, and what changed since is void to them and gone from the other's page")
  func own() async throws {
    try await ConsoleTestApp.run { console in
      let reader = try await console.signedIn(ConsoleTestApp.agent)
      let member = try #require(
        try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.agent })
      let (cases, rule) = (console.app.core.cases, FourEyes(maker: "attend:video", checker: "approve:verdicts"))
      try await console.app.database.write { tx in
        // Of an application that is gone, and of what no flow tells.
        for act in [
          BoundAct("rubix.agentRefused", subject: "application-1", version: 3),
          BoundAct("parcel.sent", subject: "parcel-1", version: 1),
        ] {
          _ = try cases.propose(act, under: rule, tenant: "default", person: act.subject, by: member.actor, in: tx)
        }
      }
      let own = try await reader.open(Self.base).html
      #expect(own.contains("What you asked for") && own.contains("Void: what it is about changed since."))
      #expect(own.contains("Waits for a second person") && own.contains("Nothing waits for your approval."))
      let page = try await Self.signedIn(console, may: [.approveVerdicts]).page.html
      #expect(page.contains("parcel.sent") && !page.contains("Refuse after the call"))
      #expect(!page.contains("What you asked for"))
    }
  }

  @Test("who asked takes it back on the same page, once; colleagues, and pages of other sessions, cannot")
  func withdraw() async throws {
    try await ConsoleTestApp.run { console in
      let reader = try await console.signedIn(ConsoleTestApp.agent)
      let member = try #require(
        try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.agent })
      let (mine, other) = (try await Self.ask(console, by: member.actor), try await Self.ask(console))
      func path(_ approval: String) -> String { "\(Self.base)/\(approval)/withdrawal" }
      let page = try await reader.open(Self.base).html
      #expect(page.contains(path(mine)) && page.contains("Take back") && !page.contains(path(other)))
      // With the token of the page, at the address of what another one asked for.
      let csrf = try #require(await reader.page.hidden(path(mine))?["csrf"])
      #expect(try await reader.send(path(other), ["csrf": csrf]).status == 404)
      #expect(try await reader.send(path(mine), ["csrf": "0"]).status == 403)
      try await reader.open(Self.base)
      try await reader.submit(path(mine))
      #expect(await reader.page.path == Self.base)
      #expect(try await Self.approval(mine, console)?.state == .withdrawn)
      let told = try await reader.open(Self.base).html
      #expect(told.contains("Taken back") && !told.contains(path(mine)))
      #expect(try await Self.approval(other, console)?.state == .pending)
    }
  }

  /// What waits, for a new member. The subjects are not there: by the commands of the app they would be void.
  private static func shown(
    _ console: ConsoleTestApp, _ email: String = "checker@bank.example", may permissions: Set<StaffPermission>
  ) async throws -> String {
    let app = console.app
    _ = try await signedIn(console, email, may: permissions)
    let member = try #require(try await app.staff.list(tenant: "default").first { $0.email == email })
    let family = try await app.database.write {
      try app.rubix.agentSessions.open(subject: member.id.rawValue, tenant: "default", device: "desk", in: $0).family
    }
    let waiting = try await ApprovalCommands(app.core, caseService: app.caseService).pending(for: CaseWorker(member))
    return try ApprovalsPage(
      waiting, own: [], fault: nil, facts: { [CaseDetails.Fact].all(of: $0) },
      for: StaffVisit(member: member, family: family, vault: app.vault)
    ).html()
  }

  @Test("a device that is to be let in again leads to its record, with why, for those who may see records")
  func device() async throws {
    try await ConsoleTestApp.run { console in
      let cases = console.app.core.cases
      let act = BoundAct("activation.unblocked", subject: "device-1", version: 1, content: "OPERATIONAL_ERROR")
      _ = try await console.app.database.write {
        try cases.propose(
          act, under: FourEyes(maker: "block:users", checker: "approve:verdicts"), tenant: "default",
          person: "process-1", by: "agent:1", in: $0)
      }
      let link = "/console/records/verifications?name=device%2D1"
      let page = try await Self.shown(console, may: [.approveVerdicts, .readCustomers])
      #expect(page.contains(link) && page.contains("why=approval") && page.contains("Correction of a mistake"))
      let other = try await Self.shown(console, "other@bank.example", may: [.approveVerdicts])
      #expect(other.contains("device-1") && !other.contains(link))
    }
  }

  @Test("verdicts of staff are shown by their fields, in the reader's words")
  func fields() async throws {
    try await ConsoleTestApp.run { console in
      let verdict = AgentVerificationRequest(
        appointmentID: "call-1", customerID: "application-1", verdict: .failed,
        checklist: [ChecklistItem(code: "no-coercion", result: .no)], failureReason: .other, notes: "<b>Hesitates</b>")
      let acts = [
        BoundAct(
          "rubix.agentRefused", subject: "application-1", version: 3,
          content: String(decoding: try WireJSON.encode(verdict), as: UTF8.self)),
        BoundAct("wultra.review.rejected", subject: "review-1", version: 3, content: "A mask."),
        BoundAct("oneassist.review.reject", subject: "membership-1", version: 3, content: "Another phone."),
        BoundAct("oneassist.review.approve", subject: "membership-2", version: 3),
      ]
      let (cases, rule) = (console.app.core.cases, FourEyes(maker: "attend:video", checker: "approve:verdicts"))
      try await console.app.database.write { tx in
        for act in acts {
          _ = try cases.propose(act, under: rule, tenant: "default", person: act.subject, by: "client:a", in: tx)
        }
      }
      let page = try await Self.shown(console, may: [.approveVerdicts])
      for words in [
        "No sign of coercion</dt><dd>No</dd>", "Reason of a refusal</dt><dd>Another reason</dd>",
        "&lt;b&gt;Hesitates&lt;/b&gt;", "Reason</dt><dd>A mask.</dd>", "Reason</dt><dd>Another phone.</dd>",
        "Refuse after the call", "Accept a membership", "Reject a membership",
      ] {
        #expect(page.contains(words), "\(words)")
      }
      #expect(!page.contains("appointment_id") && !page.contains("rubix.agent"))
    }
  }

  @Test("a forged form decides nothing, nor does who asked, lacks the permission or is not signed in")
  func strangers() async throws {
    try await ConsoleTestApp.run { console in
      let approval = try await Self.ask(console)
      let path = "\(Self.base)/\(approval)/decision"
      #expect(try await console.send("GET", Self.base).status == 303)
      let browser = try await Self.signedIn(console)
      #expect(try await browser.submit(path, ["csrf": "0", "decision": "approved"]).status == 403)
      try await browser.open(Self.base)
      #expect(try await browser.submit(path, ["decision": "perhaps"]).status == 422)
      let reader = console.browser()
      try await reader.open("/console/sign-in")
      try await reader.submit(
        "/console/sign-in", ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password])
      #expect(try await reader.open(Self.base).html.contains("Nothing waits for your approval."))
      #expect(try await Self.approval(approval, console)?.state == .pending)
    }
  }
}
