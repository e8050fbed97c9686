// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import FinapticFlow
@testable import GatehouseApp
@testable import RubixFlow

@Suite("Console: what staff look up", .serialized)
struct ConsoleRecordTests {
  private static let (auditor, script) = ("records@bank.example", "<script>alert(1)</script>")

  private static func signedIn(_ console: ConsoleTestApp) async throws -> DemoBrowser {
    try await console.app.staff.add(
      NewStaffMember(
        tenant: "default", email: auditor, name: "Olu", gender: .male, languages: ["en"],
        permissions: StaffRole.auditor.permissions, password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": auditor, "password": ConsoleTestApp.password])
    return browser
  }

  /// The lists, and a record whose every word is markup, for the tests that look at every page.
  static func pages(_ console: ConsoleTestApp) async throws -> [(name: String, html: String)] {
    let (browser, app) = (try await signedIn(console), console.app)
    var pages: [(name: String, html: String)] = []
    for kind in ["memberships", "verifications", "sca", "users", "applications"] {
      pages.append((kind, try await browser.open("\(RecordRoutes.path(of: kind))?name=\(kind)").html))
    }
    let member = try #require(try await app.staff.list(tenant: "default").first { $0.email == auditor })
    let family = try await app.database.write {
      try app.rubix.agentSessions.open(subject: member.id.rawValue, tenant: "default", device: "desk", in: $0).family
    }
    let long = script + String(repeating: "w", count: 300)
    let file = RecordFile(
      RecordRow(id: "1", name: long, tenant: script, state: "confirmed", at: console.clock.now),
      facts: [("user", long), ("title", nil), ("payee", "")], texts: [("shown", long + "\n" + long), ("signed", nil)],
      subjects: ["1"], chain: "one")
    let visit = StaffVisit(member: member, family: family, vault: app.vault)
    try await app.database.write {
      try app.core.audit.append("saltedge.operation.seen", to: "one", by: long, in: $0)
    }
    let tail = try await app.database.read { try AuditTail(of: "one", in: $0) }
    pages.append(("record", try RecordFilePage(file, tail, "sca", for: visit).html()))
    return pages
  }

  @Test("lists are for those with the permission, and what others wrote is text and no markup", .onOneEngine)
  func doors() async throws {
    try await ConsoleTestApp.run { console in
      let pages = try await Self.pages(console)
      for page in pages {
        #expect(!page.html.contains(Self.script) && page.html.utf8.count < 100 * 1024, "\(page.name)")
      }
      let record = try #require(pages.last).html
      #expect(record.contains("What the customer was shown") && record.contains("&lt;script&gt;"))
      #expect(!record.contains("Payee") && !record.contains("What the device signed"))
      let agent = console.browser()
      try await agent.open("/console/sign-in")
      let typed = ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password]
      try await agent.submit("/console/sign-in", typed)
      let list = try await agent.open("/console/records/memberships?state=PENDING&after=x")
      #expect(list.title == "Memberships" && list.html.contains("Nothing here.") && list.html.contains("selected"))
      #expect(try await agent.open("/console/records/memberships/\(UUID().uuidString)").status == 404)
      #expect(try await agent.open("/console/records/memberships/%27%20OR").status == 404)
      for kind in ["sca", "factors"] { #expect(try await agent.open("/console/records/\(kind)").status == 403) }
      #expect(try await console.send("GET", "/console/records/sca").status == 303)
    }
  }

  @Test("an application of Rubix is found by its id, phone and device at its desk only, and each look is audited")
  func application() async throws {
    try await ConsoleTestApp.run { console in
      let (app, now) = (console.app, console.clock.now)
      let application = RubixFlow.Application(
        id: .init(console.clock.world), tenant: "default", phase: .awaitingReviewCall,
        applicant: Applicant(
          deviceID: "device-1", platform: "ios", contactNo: "+96550001234", email: "erika@example.com", consents: []),
        createdAt: now, updatedAt: now, expiresAt: now + .days(90))
      try await app.database.write { tx in
        try ApplicationStore(tx, vault: app.vault).insert(application)
        try TraitStore(tx, vault: app.vault).note([.device("device-1")], of: application, at: now)
      }
      let repository = ApplicationRepository(app.core, applications: app.rubix.applications)
      func reader(_ scope: TenantScope) -> RecordReader {
        RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: scope)
      }
      let (own, other) = (reader(.only("default")), reader(.only("elsewhere")))
      let file = try await repository.record(application.id.rawValue, for: own)
      #expect(file.facts.contains { $0.code == "phone" && $0.value == "+96550001234" })
      for name in [application.id.rawValue, "+96550001234", "device-1"] {
        #expect(try await repository.page(.init(name: name), for: own).rows == [file.row], "\(name)")
        #expect(try await repository.page(.init(name: name), for: other).rows.isEmpty)
      }
      #expect(try await repository.page(.init(state: "in_review"), for: own).rows == [file.row])
      #expect(try await repository.page(.init(state: "open"), for: own).rows.isEmpty)
      await #expect(throws: Problem.notFound) { try await repository.record(application.id.rawValue, for: other) }
      #expect(try await console.story(application.id.rawValue) == ["customer.viewed by agent:1"])
    }
  }

  @Test("who may block sees the forms of a user's record and uses them; who only reads does neither", .onOneEngine)
  func acts() async throws {
    try await ConsoleTestApp.run { console in
      let app = console.app
      try await app.finaptic.dependencies.tenants.add(7, name: "Maple Bank", kind: .sandbox, by: "test")
      let user = FinapticUser(
        id: .init(app.core.world), tenant: 7, profile: .init(email: Self.script, username: nil), emailVerifiedAt: nil,
        customer: nil, blockedAt: nil, createdAt: console.clock.now)
      try await app.database.write { tx in
        try FinapticUserStore(tx, vault: app.vault).insert(user, passwordHash: "-")
      }
      let support = "support@bank.example"
      try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: support, name: "Sam", gender: .male, languages: ["en"],
          permissions: [.readCustomers, .blockUsers], password: ConsoleTestApp.password), by: "operator")
      let (path, form) = ("/console/records/users/\(user.id)", ["act": "block-user", "subject": user.id.rawValue])
      let act = form.merging(["reason": "FRAUD_SUSPECTED"]) { _, new in new }
      func signedIn(_ email: String) async throws -> DemoBrowser {
        let browser = console.browser()
        try await browser.open("/console/sign-in")
        try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
        return browser
      }
      let agent = try await signedIn(ConsoleTestApp.agent)
      let seen = try await agent.open(path)
      #expect(seen.status == 200 && !seen.html.contains("Block the user") && !seen.html.contains(Self.script))
      let token = try #require(seen.hidden("/console/sign-out"))
      #expect(try await agent.send("\(path)/acts", act.merging(token) { own, _ in own }).status == 403)
      let browser = try await signedIn(support)
      #expect(try await browser.open(path).html.contains("Block the user"))
      let unreasoned = try await browser.submit("\(path)/acts", form)
      #expect(unreasoned.status == 422 && unreasoned.html.contains("Choose or write a reason."))
      #expect(!unreasoned.html.contains("The card is lost"))
      let blocked = try await browser.submit("\(path)/acts", act).html
      #expect(blocked.contains("Let the user in again"))
      #expect(try await console.story("finaptic-user-\(user.id)").count { $0.contains("user.blocked") } == 1)
      // What is searched for, such as an e-mail address, stands in no address of a page.
      let search = "/console/records/users"
      let page = try await browser.open(search).html
      #expect(page.contains(#"method="post" action="\#(search)""#) && !page.contains(#"method="get""#))
      let none = try await browser.submit(search, ["name": "stranger@bank.example"])
      #expect(none.status == 200 && none.html.contains(#"value="stranger@bank.example""#))
      #expect(none.html.contains(#"name="back" value="/""#))
      let found = try await browser.submit(search, ["name": user.id.rawValue])
      #expect(found.status == 200 && found.html.contains(#"name="back" value="\#(path)?why=search""#))
      #expect(try await browser.send(search, ["name": user.id.rawValue]).status == 403)
      // A state is no secret, and a list of it can be kept as a link.
      try await browser.open(search)
      let blockedOnes = try await browser.submit(search, ["state": "blocked"])
      #expect(blockedOnes.status == 200 && blockedOnes.html.contains(#"name="back" value="\#(search)?state=blocked""#))
      // Why somebody looked is told by how they came, and shown.
      let list = try await browser.open("\(search)?name=\(user.id)").html
      #expect(list.contains("\(path)?why=search"))
      let approval = try await browser.open("/console/records/users?name=\(user.id)&why=approval").html
      #expect(approval.contains("\(path)?why=approval"))
      try await browser.open("\(path)?why=search")
      try await browser.open("\(path)?why=whim")
      let looks = try await app.database.read { tx in
        try AuditStore(tx).lines(of: "finaptic-user-\(user.id)").filter { $0.action == "finaptic.user.seen" }
          .compactMap { $0.facts["why"] }
      }
      #expect(looks == ["direct", "direct", "act", "act", "search", "search", "direct"])
      #expect(blocked.contains("<td>Did something about it</td>") && blocked.contains("<td>By its address</td>"))
    }
  }

  @Test("who may book finds an account and books on it by a form, which is kept when it is refused", .onOneEngine)
  func postings() async throws {
    try await ConsoleTestApp.run { console in
      let (app, teller) = (console.app, "desk@bank.example")
      let parts = app.finaptic.dependencies
      try await parts.tenants.add(7, name: "Maple Bank", kind: .sandbox, by: "test")
      let id = app.core.world.randomUUID()
      try await app.database.write(retrying: .outdated) { tx in
        try parts.opening.open(
          .init(
            application: .init(rawValue: "none"), tenant: 7, customer: app.core.world.randomUUID(),
            profile: ClientProfile(), products: [.account], ids: [id]), in: tx)
      }
      try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: teller, name: "Tea", gender: .female, languages: ["en"],
          permissions: [.postMoney], password: ConsoleTestApp.password), by: "operator")
      func signedIn(_ email: String) async throws -> DemoBrowser {
        let browser = console.browser()
        try await browser.open("/console/sign-in")
        try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
        return browser
      }
      let (list, path) = ("/console/records/accounts", "/console/records/accounts/\(id)")
      #expect(try await signedIn(ConsoleTestApp.agent).open(list).status == 403)
      let browser = try await signedIn(teller)
      #expect(try await browser.open("\(list)?name=\(id)").html.contains(path))
      let page = try await browser.open(path).html
      #expect(page.contains("Book money") && page.contains("Fee given back") && !page.contains("Reverse a booking"))
      var form = [
        "act": "post-money", "subject": id, "in_purpose": "DEPOSIT", "in_amount": "12,50", "in_reference": Self.script,
        "reason": "GOODWILL",
      ]
      let refused = try await browser.submit("\(path)/acts", form)
      #expect(refused.status == 422 && refused.html.contains("More than 0, at most two decimals."))
      #expect(refused.html.contains(#"value="12,50""#) && refused.html.contains(#"value="DEPOSIT" selected"#))
      #expect(!refused.html.contains(Self.script))
      form["in_amount"] = "12.50"
      let booked = try await browser.submit("\(path)/acts", form).html
      #expect(booked.contains("<dd>12.50 CAD</dd>") && booked.contains("Reverse a booking"))
      (form["in_purpose"], form["in_amount"]) = ("WITHDRAWAL", "12.51")
      let declined = try await browser.submit("\(path)/acts", form)
      #expect(declined.status == 409 && declined.html.contains("The account declines this"))
      try await parts.fourEyes.setLimit(.init(posting: 20_00, day: nil), of: "staff", tenant: 7, by: "test")
      (form["in_purpose"], form["in_amount"]) = ("DEPOSIT", "20.01")
      let over = try await browser.submit("\(path)/acts", form)
      #expect(over.status == 403 && over.html.contains("more than you may book"))
      #expect(over.html.contains(#"value="20.01""#))
      #expect(try await console.story("finaptic-account-\(id)").contains { $0.contains("account.seen") })
    }
  }
}
