// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: the work queue, on pages", .onOneEngine, .serialized)
struct ConsoleQueueTests {
  private static let base = "/console/queue"
  private static let script = "<script>alert(1)</script>"

  private func signedIn(_ console: ConsoleTestApp, _ email: String = ConsoleTestApp.agent) async throws -> DemoBrowser {
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
    try #require(try await browser.open(Self.base).title == "Work queue")
    return browser
  }

  private func open(_ subject: String, risk: Int, _ console: ConsoleTestApp) async throws {
    var work = AwaitedWork("rubix-review", tenant: "default", subject: subject, person: "person-\(subject)")
    (work.risk, work.reasons) = (risk, ["inconclusive", "other-code"])
    let (cases, opened) = (console.app.core.cases, work)
    try await console.app.database.write { try cases.open(opened, formerly: nil, by: "customer", in: $0) }
  }

  @Test("the riskiest is first, is taken with one key, noted and put back; what others wrote is text and no markup")
  func work() async throws {
    try await ConsoleTestApp.run { console in
      try await open("calm", risk: 10, console)
      try await open(Self.script, risk: 90, console)
      let browser = try await signedIn(console)
      let list = try await browser.open(Self.base)
      let places = ["&lt;script&gt;", ">calm<"].map { list.html.range(of: $0)?.lowerBound }
      #expect(try #require(places[0]) < #require(places[1]) && !list.html.contains(Self.script))
      #expect(list.html.contains("accesskey=\"n\""))
      #expect(list.html.contains("A check could not decide") && list.html.contains("<code>other-code</code>"))

      let page = try await browser.submit("\(Self.base)/next", [:])
      #expect(page.title == "Documents in doubt: review call" && page.html.contains("in hand"))
      let path = try #require(page.html.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output
      let noted = try await browser.submit("\(path)/notes", ["text": Self.script])
      #expect(noted.html.contains("&lt;script&gt;alert(1)") && !noted.html.contains(Self.script))
      #expect(noted.html.contains("Note added"))
      let long = String(repeating: "n", count: 4100)
      let refused = try await browser.submit("\(path)/notes", ["text": long])
      #expect(refused.status == 422 && refused.html.contains(">\(long)</textarea>"))
      let statements = "/console/statements"
      #expect(try await browser.open(statements).title == "Account statements")
      let unknown = try await browser.open("\(statements)?account=\(UUID().uuidString)")
      #expect(unknown.status == 404 && unknown.html.contains("There is no such account."))
      #expect(try await browser.open("\(statements)/a/b/pdf").status == 404)
      try await browser.open(String(path))
      let released = try await browser.submit("\(path)/release", ["why": "because"])
      #expect(released.title == "Work queue")
      #expect(try await browser.open(String(path)).html.contains("Put back"))
    }
  }

  @Test("kinds without the permission are not there, and a case by its address is as none")
  func permissions() async throws {
    try await ConsoleTestApp.run { console in
      try await open("a", risk: 10, console)
      let agent = try await signedIn(console)
      let page = try await agent.submit("\(Self.base)/next", [:])
      let path = String(try #require(page.html.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
      let reader = try await signedIn(console, ConsoleTestApp.reader)
      let nothing = try await reader.open(Self.base).html
      #expect(nothing.contains("Nothing waits for you.") && !nothing.contains("<a href=\"\(Self.base)\""))
      // A member who may hold any kind begins here.
      let teller = try await ConsoleAuditTests.signedIn(console, .postMoney, "teller")
      let began = await teller.page
      #expect(began.title == "Work queue" && began.html.contains("<a href=\"\(Self.base)\""))
      #expect(try await reader.open(path).status == 404)
      #expect(try await agent.open("\(Self.base)/cases/nothing").status == 404)
      #expect(try await agent.open("\(path)/pictures/1").status == 404)
      #expect(try await agent.open("\(path)/receipts/\(UUID().uuidString)").status == 404)
    }
  }

  @Test("what a colleague has in hand and what is another institution's is found, and rows tell when they are due")
  func filters() async throws {
    try await ConsoleTestApp.run { console in
      try await open("taken", risk: 10, console)
      try await open("waiting", risk: 5, console)
      let browser = try await signedIn(console)
      try await browser.submit("\(Self.base)/next", [:])
      let colleague = try #require(
        try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.agent })
      let held = try await browser.open("\(Self.base)?colleague=\(colleague.id)").html
      #expect(held.contains(">taken<") && !held.contains(">waiting<") && held.contains(" data-due=\""))
      // A colleague counts before one's own, and what is not known finds nothing.
      let empty = "Nothing waits for you."
      let both = try await browser.open("\(Self.base)?show=mine&colleague=\(UUID().uuidString)").html
      #expect(both.contains(empty))
      let odd = try await browser.open("\(Self.base)?tenant=Utopia%20Bank").html
      #expect(odd.contains(empty) && odd.contains("value=\"Utopia Bank\""))
      let other = try await browser.open("\(Self.base)?tenant=finaptic-7").html
      #expect(other.contains("Nothing waits for you.") && other.contains("value=\"finaptic-7\""))
      #expect(try await browser.open("\(Self.base)?tenant=default").html.contains(">waiting<"))
    }
  }

  @Test("a rejection without a reason is refused at the desk")
  func unreasoned() async throws {
    try await ConsoleTestApp.run { console in
      let cases = console.app.core.cases
      let work = AwaitedWork("wultra-presence", tenant: "default", subject: "review", person: "person")
      try await console.app.database.write { try cases.open(work, formerly: nil, by: "customer", in: $0) }
      let browser = try await signedIn(console)
      let page = try await browser.submit("\(Self.base)/next", [:])
      let path = String(try #require(page.html.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
      let form = try #require(page.hidden("\(path)/notes"))
      func decide(_ fields: [String: String]) async throws -> DemoPage {
        try await browser.send("\(path)/decision", form.merging(fields) { $1 })
      }
      let refused = try await decide(["verdict": "rejected", "answer_reason": " "])
      #expect(refused.status == 422 && refused.html.contains("Choose or write a reason."))
      // This review is not there, which is found behind the form.
      for fields in [["verdict": "rejected", "answer_reason": "Another face."], ["verdict": "accepted"]] {
        #expect(try await decide(fields).status == 404)
      }
    }
  }

  @Test("a form of another site takes nothing in hand, and a member who is not signed in signs in first")
  func strangers() async throws {
    try await ConsoleTestApp.run { console in
      try await open("a", risk: 10, console)
      let stranger = try await console.send("GET", Self.base)
      #expect(stranger.status == 303)
      #expect(try await console.send("GET", "\(Self.base)/events").status == 404)
      let browser = try await signedIn(console)
      let forged = try await browser.submit("\(Self.base)/next", ["csrf": "0"])
      #expect(forged.status == 403)
      #expect(try await browser.open("\(Self.base)?show=mine").html.contains("Nothing waits for you."))
      // A member who asks for a case while no case is free is told.
      let refused = try await browser.submit("\(Self.base)/next", ["kind": "chat"])
      #expect(refused.title == "Work queue" && refused.html.contains("No case is free for you to take now."))
    }
  }
}
