// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import HTTP
import Identity
import Storage
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp
@testable import Kit

@Suite("Console: how customers go through the flows", .onOneEngine, .serialized)
struct ConsoleFiguresTests {
  private static let analyst = "analyst@bank.example"

  /// One move of a flow, in a transaction of its own.
  static func move(
    _ console: ConsoleTestApp, _ story: String, _ from: String, _ event: String, _ to: String, isLast: Bool = false
  ) async throws {
    let (figures, database) = (console.app.figures, console.app.database)
    let move = FlowMove(
      flow: "application", from: from, event: event, to: to, story: story, isLast: isLast, tenant: "default")
    try await database.write { try figures.note(move, in: $0) }
  }

  static func signedIn(
    _ console: ConsoleTestApp, _ email: String = ConsoleFiguresTests.analyst, of tenant: String = "default"
  ) async throws -> DemoBrowser {
    try await console.app.staff.add(
      NewStaffMember(
        tenant: tenant, email: email, name: "Ann Lyst", gender: .female, languages: ["en"],
        permissions: StaffRole.analyst.permissions, password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit(
      "/console/sign-in", ["institution": tenant, "email": email, "password": ConsoleTestApp.password])
    return browser
  }

  @Test("figures are a chart, tables and a file, for those who may see all institutions")
  func shown() async throws {
    try await ConsoleTestApp.run { console in
      for number in 1...4 {
        try await Self.move(console, "\(number)", "registered", "sessionOpened", "capturingSelfies")
      }
      console.clock.advance(by: .seconds(300))
      for number in 1...3 {
        try await Self.move(console, "\(number)", "capturingSelfies", "finished", "completed", isLast: true)
      }
      try await Self.move(console, "4", "capturingSelfies", "lapsed", "expired", isLast: true)
      try await console.app.figures.addUp()

      let browser = try await Self.signedIn(console)
      let page = try await browser.open("/console/figures?days=7")
      #expect(page.title == "Figures" && page.html.contains("Rubix: applications"))
      #expect(page.html.contains("75% of those who ended reached the wanted end"))
      #expect(page.html.contains("<svg class=\"chart\"") && page.html.contains(">Takes selfies</text>"))
      let row = "<th scope=\"row\">Takes selfies</th><td>4</td><td>4</td><td>25%</td><td>5 min</td>"
      #expect(page.html.contains(row))
      #expect(page.html.contains("<option value=\"7\" selected>") && page.html.contains("Everything was delivered."))
      #expect(page.html.utf8.count <= 100 * 1024)
      let own = try await browser.open("/console/figures?days=7&tenant=default").html
      #expect(own.contains(row) && own.contains("<option value=\"default\" selected>default</option>"))
      let others = try await browser.open("/console/figures?days=7&tenant=other").html
      #expect(others.contains("Nothing was counted in this time."))
      let csv = try await browser.open("/console/figures/export?days=7").html
      #expect(
        csv.split(separator: "\r\n") == [
          "flow,from,event,to,is_last,moves,timed,mean_seconds",
          "application,capturingSelfies,finished,completed,1,3,3,300.000",
          "application,capturingSelfies,lapsed,expired,1,1,1,300.000",
          "application,registered,sessionOpened,capturingSelfies,0,4,0,",
        ])
      let families = try await console.app.figures.recent().families
      #expect(families.map(\.name) == ["gatehouse_flow_figures_moves", "gatehouse_flow_step_seconds"])
      #expect(families[0].samples.map(\.value) == [3, 1, 4] && families[1].samples.map(\.value) == [300])

      let looks = try await console.app.database.read { tx in
        try ["figures.seen", "figures.exported"].map { action in
          try tx.query("SELECT facts FROM audit_line WHERE action = \(action) ORDER BY sequence")
            .map { try $0.get("facts", as: String.self) }
        }
      }
      // Signing in leads to the page, which shows 30 days.
      #expect(looks.map(\.count) == [4, 1])
      #expect(looks.joined().allSatisfy { $0.contains(#""why":"overview""#) })
      #expect(looks.joined().map { $0.contains(#""days":"7""#) } == [false, true, true, true, true])
      // What was typed and has no figures may be anything.
      #expect(looks[0].map { $0.contains(#""tenant":"default""#) } == [false, false, true, false])
      #expect(looks[0].last?.contains(#""tenant":"unknown""#) == true)

      let reader = try await console.signedIn(ConsoleTestApp.reader)
      #expect(try await reader.open("/console/figures").status == 403)
      #expect(try await reader.open("/console/figures/export").status == 403)
      #expect(try await console.browser().open("/console/figures").title == "Sign in")
    }
  }

  @Test("an institution with a desk of its own sees its own figures only, whatever is asked for")
  func desks() async throws {
    try await ConsoleTestApp.run(otherInstitution: "far") { console in
      try await Self.move(console, "1", "registered", "sessionOpened", "capturingSelfies")
      try await console.app.figures.addUp()
      let near = try await Self.signedIn(console).open("/console/figures?days=7").html
      #expect(near.contains(">default</option>") && near.contains("Rubix: applications"))
      let browser = try await Self.signedIn(console, "far@bank.example", of: "far")
      for address in ["/console/figures?days=7", "/console/figures?days=7&tenant=default"] {
        let page = try await browser.open(address).html
        #expect(page.contains("<option value=\"far\" selected>far</option>") && !page.contains(">default</option>"))
        #expect(page.contains("Nothing was counted in this time.") && !page.contains("Everything was delivered."))
      }
      let csv = try await browser.open("/console/figures/export?days=7").html
      #expect(csv.split(separator: "\r\n").count == 1)
    }
  }

  @Test(
    "no cell of the file is a formula",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'\t'=1"),
      ("a,b", "\"a,b\""), ("=\"a\"", "\"'=\"\"a\"\"\""), ("\r=1", "\"'\r'=1\""), ("plain", "plain"), ("", ""),
      ("\u{ff1d}1", "'\u{ff1d}1"), ("a=1; b=-1", "a=1; b=-1"), ("x;=1+1", "x;'=1+1"), ("x; @A1", "x; '@A1"),
      ("x\t-1", "x\t'-1"), ("x;\"=1", "\"x;\"\"'=1\""), ("x; \" =1", "\"x; \"\" '=1\""),
    ])
  func formulas(text: String, field: String) { #expect(FiguresCSV.field(text) == field) }
}
