import Foundation
import Identity
import Kit
import TestSupport
import Testing

@testable import Console
@testable import GatehouseApp
@testable import GatehouseLab

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
    for kind in ["memberships", "verifications", "sca"] {
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
    let history = try await app.database.read { try AuditStore($0).lines(of: "one") }
    pages.append(("record", try RecordFilePage(file, history, "sca", for: visit).html()))
    return pages
  }

  @Test("lists are for those with the permission, and what others wrote is text and no markup")
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
}
