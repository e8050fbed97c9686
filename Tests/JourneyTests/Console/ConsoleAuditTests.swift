// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: a search of the audit log", .onOneEngine, .serialized)
struct ConsoleAuditTests {
  private static let base = "/console/audit"
  private static let hostile = "<script>alert(1)</script>"

  /// An auditor, on the page of the search.
  static func signedIn(_ console: ConsoleTestApp) async throws -> DemoBrowser {
    let browser = try await signedIn(console, .readAudit, "auditor")
    try #require(try await browser.open(base).title == "Audit")
    return browser
  }

  /// A member with one permission.
  static func signedIn(
    _ console: ConsoleTestApp, _ permission: StaffPermission, _ name: String
  ) async throws -> DemoBrowser {
    let email = "\(name)@bank.example"
    try await console.app.staff.add(
      .init(
        tenant: "default", email: email, name: "Mai Tanaka", gender: .female, languages: ["en"],
        permissions: [permission], password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
    return browser
  }

  /// A chain of sixty lines, one of them with a text that a browser could run.
  static func write(_ console: ConsoleTestApp) async throws {
    let audit = console.app.core.audit
    try await console.app.database.write { tx in
      for number in 1...60 {
        try audit.append(
          "test.number_\(number)", to: "case-one", by: "client:a",
          facts: ["said": number == 60 ? hostile : "=\(number)"], in: tx)
      }
    }
  }

  @Test("lines are found by person, actor, action and day, each with how it stands; the look and the file are lines")
  func found() async throws {
    try await ConsoleTestApp.run { console in
      try await Self.write(console)
      let browser = try await Self.signedIn(console)
      let page = try await browser.open("\(Self.base)?subject=one")
      #expect(page.html.contains("All 61 lines of this chain verify; a checkpoint holds 0 of them."))
      #expect(page.html.contains("test.number_60") && !page.html.contains("test.number_9<"))
      #expect(page.html.contains("&lt;script&gt;") && !page.html.contains(Self.hostile))
      #expect(page.html.contains("Verified, since the last checkpoint") && page.html.utf8.count <= 100 * 1024)
      let next = try #require(page.html.firstMatch(of: #/href="(\/console\/audit\?[^"]*after=[^"]*)"/#)).1
      let second = try await browser.open(String(next).replacing("&amp;", with: "&"))
      #expect(second.html.contains("test.number_9<") && !second.html.contains("test.number_60"))
      let day = console.clock.now.rfc3339.prefix(10)
      for (query, isFound) in [
        ("actor=client:a&action=test.number_7", true), ("action=test.number_7&from=\(day)&to=\(day)", true),
        ("action=test.number_7&from=2999-01-01", false), ("actor=client:b", false), ("subject=two", false),
      ] {
        let html = try await browser.open("\(Self.base)?\(query)").html
        #expect(html.contains("<td class=\"mono whole\">test.number_7</td>") == isFound, "\(query)")
      }
      #expect(try await browser.open("\(Self.base)?from=2026-13-01").status == 422)
      // The log keeps no id of whom else it may be.
      let person = "0198c3a1-0000-7000-8000-000000000001"
      for query in ["actor=\(person)", "actor=agent:\(person)", "actor=customer.\(person)", "action=a.\(person)"] {
        #expect(try await browser.open("\(Self.base)?\(query)").status == 422, "\(query)")
      }
      let csv = try await browser.open("\(Self.base)/export?subject=one&action=test.number_7").html
      let at = console.clock.now.rfc3339
      #expect(
        csv.split(separator: "\r\n") == [
          "at,action,actor,chain,sequence,standing,facts",
          "\(at),test.number_7,client:a,case-one,7,chained,said==7",
        ])
      let looks = try await console.story("case-one").suffix(3)
      #expect(looks.map { $0.prefix(17) } == ["audit.searched by", "audit.searched by", "audit.exported by"])
      let staff = try await console.app.staff.list(tenant: "default")
      let own = try #require(staff.first { $0.email.hasPrefix("auditor") })
      #expect(try await browser.open("\(Self.base)?actor=\(own.id)").status == 200)
      let story = try await console.story(own.id.rawValue)
      let lines = try await console.app.database.read { try AuditStore($0).lines(of: own.id.rawValue) }
      #expect(lines.allSatisfy { line in line.facts.values.allSatisfy { !$0.contains(person) } })
      #expect(story.filter { $0.hasPrefix("audit.searched") }.count == 9)
      #expect(story.contains { $0.hasPrefix("audit.exp") })
    }
  }

  @Test("the words of messages are shown as they are sent, in each language, to those who may see what tenants decide")
  func templates() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await Self.signedIn(console, .init(rawValue: "manage:tenants"), "operator")
      for language in Language.allCases {
        let page = try await browser.open("/console/templates?language=\(language.rawValue)")
        let direction = "lang=\"\(language.rawValue)\" dir=\"\(language.direction)\""
        #expect(page.title == "Message templates" && page.html.contains(direction))
        #expect(page.html.contains("confirm-contact.sms") && page.html.utf8.count <= 100 * 1024)
      }
    }
  }

  @Test("the rules of an institution are shown with who decided them, and no secret of the installation is")
  func policies() async throws {
    try await ConsoleTestApp.run { console in
      let auditor = try await Self.signedIn(console, .readAudit, "auditor")
      let own = try await auditor.open("/console/policies").html
      #expect(own.contains(">minimum_age</th><td class=\"mono\">18</td><td>Standard</td>"))
      #expect(own.utf8.count <= 100 * 1024 && own.contains(">installation</option>"))
      let administrator = try await Self.signedIn(console, .manageStaff, "administrator")
      let page = try await administrator.open("/console/policies?of=installation")
      #expect(page.title == "Rules" && !page.html.contains(">installation</option>"))
    }
  }

  @Test("who lacks the permission, or is not signed in, reads no line")
  func doors() async throws {
    try await ConsoleTestApp.run { console in
      for path in [Self.base, "\(Self.base)/export", "/console/templates", "/console/policies"] {
        let stranger = try await console.send("GET", path).status
        let reader = try await console.signedIn().open(path).status
        #expect(stranger == 303 && reader == 403, "\(path)")
      }
    }
  }
}
