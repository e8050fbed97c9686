// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import RubixFlow
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: rights of persons", .onOneEngine, .serialized)
struct ConsoleRightsTests {
  private static let base = "/console/rights"

  /// A member who may, on the page.
  static func signedIn(_ console: ConsoleTestApp, _ name: String) async throws -> DemoBrowser {
    let email = "\(name)@bank.example"
    try await console.app.staff.add(
      .init(
        tenant: "default", email: email, name: "Mai Tanaka", gender: .female, languages: ["en"],
        permissions: [.init(rawValue: "erase:customers")], password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
    try #require(try await browser.open(base).title == "Rights of persons")
    return browser
  }

  private static func customer(
    _ console: ConsoleTestApp, in phase: ApplicationPhase = .awaitingReviewCall
  ) async throws -> RubixFlow.Application.ID {
    let (app, now) = (console.app, console.clock.now)
    let application = RubixFlow.Application(
      id: .init(console.clock.world), tenant: "default", phase: phase,
      applicant: Applicant(
        deviceID: "d-1", platform: "ios", contactNo: "+96550001234", email: "erika@example.com", consents: []),
      createdAt: now, updatedAt: now, expiresAt: now + .days(90))
    try await app.database.write { try ApplicationStore($0, vault: app.vault).insert(application) }
    return application.id
  }

  /// Asks, and has the colleague agree.
  /// - Returns: the path of the request; the maker is on the page that offers to carry it out.
  private static func agreed(
    _ kind: String, of customer: String, maker: DemoBrowser, checker: DemoBrowser
  ) async throws -> String {
    try await maker.open(base)
    let waiting = try await maker.submit(
      base, ["kind": kind, "place": "rubix/default", "subject": customer, "reason": "art-17-request"])
    #expect(waiting.html.contains("Waits for a colleague") && !waiting.html.contains("/\(kind)\""))
    let list = try await checker.open("/console/approvals")
    let decision = try #require(list.html.firstMatch(of: #/\/console\/approvals\/[0-9a-f-]{36}\/decision/#)).output
    try await checker.submit(String(decision), ["decision": "approved"])
    let ready = try await maker.open(base).html
    let actions = ready.matches(of: #/action="(\/console\/rights\/[0-9a-f-]{36})\/([a-z]+)"/#)
    return String(try #require(actions.first { $0.2 == kind }).1)
  }

  /// The page with a request, for the tests that look at every page.
  static func pages(_ console: ConsoleTestApp) async throws -> [(name: String, html: String)] {
    let browser = try await signedIn(console, "keeper-of-rights")
    let asked = try await browser.submit(
      base,
      ["kind": "erasure", "place": "rubix/default", "subject": customer(console).rawValue, "reason": "art-17-request"])
    return [("rights", asked.html)]
  }

  @Test("two members give out what is kept of a person, erase the person, and keep the signed proof")
  func whole() async throws {
    try await ConsoleTestApp.run { console in
      let customer = try await Self.customer(console).rawValue
      let maker = try await Self.signedIn(console, "maker")
      let checker = try await Self.signedIn(console, "checker")
      let export = try await Self.agreed("export", of: customer, maker: maker, checker: checker)
      let archive = try await maker.submit("\(export)/export").html
      #expect(archive.hasPrefix("PK") && archive.contains("customer.json") && archive.contains("erika@example.com"))

      let erasure = try await Self.agreed("erasure", of: customer, maker: maker, checker: checker)
      let form = try #require(await maker.page.hidden("\(erasure)/erasure"))
      #expect(try await maker.send("\(erasure)/erasure", form).status == 422)
      // The colleague has no such form, and is refused without one.
      let other = try #require(try await checker.open(Self.base).hidden(Self.base))
      let refused = try await checker.send("\(erasure)/erasure", other.merging(["sure": "yes"]) { one, _ in one })
      #expect(refused.status == 403 && refused.html.contains("Only the member who asked for it carries it out."))
      let done = try await maker.send("\(erasure)/erasure", form.merging(["sure": "yes"]) { one, _ in one })
      #expect(done.title == "Erased" && done.html.contains("Keys destroyed</dt><dd>1</dd>"))
      let proof = try await maker.open("\(erasure)/proof").html
      let vault = console.app.vault
      #expect(try ErasureProof(Data(proof.utf8), by: vault).reason == "art-17-request")
      let list = try await maker.open(Self.base).html
      #expect(!list.contains(customer) && list.contains("Download the signed proof"))
      #expect(
        try await maker.submit(
          Self.base,
          [
            "kind": "export", "place": "rubix/default", "subject": customer, "reason": "art-15-request",
          ]
        ).status == 422)
    }
  }

  @Test("whose file the law may ask to keep is told at the first word, and not after a colleague agreed")
  func duty() async throws {
    try await ConsoleTestApp.run { console in
      let customer = try await Self.customer(console, in: .completed).rawValue
      let maker = try await Self.signedIn(console, "maker")
      let wish = ["kind": "erasure", "place": "rubix/default", "subject": customer, "reason": "art-17-request"]
      let refused = try await maker.submit(Self.base, wish)
      #expect(refused.status == 409 && refused.html.contains("The law may ask to keep this file."))
      #expect(!refused.html.contains("Waits for a colleague"))
      let asked = try await maker.submit(Self.base, wish.merging(["despite": "yes"]) { one, _ in one })
      #expect(asked.html.contains("Waits for a colleague"))
    }
  }

  @Test("who lacks the permission, is not signed in or sends a forged form gets nothing")
  func doors() async throws {
    try await ConsoleTestApp.run { console in
      let reader = try await console.signedIn(ConsoleTestApp.reader)
      for path in [Self.base, "\(Self.base)/0198c3a1-0000-7000-8000-000000000001/proof"] {
        let stranger = try await console.send("GET", path).status
        let seen = try await reader.open(path).status
        #expect(stranger == 303 && seen == 403, "\(path)")
      }
      let browser = try await Self.signedIn(console, "maker")
      #expect(try await browser.submit(Self.base, ["csrf": "0", "kind": "erasure"]).status == 403)
      let unknown = try await browser.open("\(Self.base)/0198c3a1-0000-7000-8000-000000000001/proof")
      #expect(unknown.status == 404)
    }
  }
}
