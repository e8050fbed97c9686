// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Console: money of cards that waits", .onOneEngine, .serialized)
struct ConsoleCardTests {
  private static let (teller, queue) = ("teller@bank.example", "/console/queue")

  /// The case of money that the bank paid, as a member has it in hand who may book.
  static func open(_ console: ConsoleTestApp) async throws -> DemoBrowser {
    let app = console.app
    try await app.finaptic.dependencies.tenants.add(7, name: "Maple Bank", kind: .sandbox, by: "test")
    let item = CardSuspense(
      id: .init(app.core.world), tenant: 7, account: .init(rawValue: app.core.world.randomUUID()), payment: nil,
      direction: .owed, reason: .cardRefused, amount: 7_00, state: .waiting, since: console.clock.now, version: 0)
    let work = try #require(CardSuspenseMachine.work(for: item))
    try await app.database.write { tx in
      try CardSuspenseStore(tx).insert(item)
      try app.core.cases.open(work, formerly: nil, by: "client:issuer", in: tx)
    }
    try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: teller, name: "Tea", gender: .female, languages: ["en"],
        permissions: [.readCustomers, .postMoney], password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": teller, "password": ConsoleTestApp.password])
    let list = try await browser.open("\(queue)?kind=finaptic-card-suspense")
    #expect(list.html.contains("Money of a card that no account took"))
    try await browser.submit("\(queue)/next")
    return browser
  }

  @Test("who may book sees what waits and asks to write it off, once; others do not find the case")
  func decided() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await Self.open(console)
      let page = await browser.page.html
      for words in ["7.00 CAD", "The bank paid it for the customer", "The card pays no more", "Goodwill"] {
        #expect(page.contains(words), "\(words)")
      }
      let path = String(try #require(page.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
      let form = ["form": "write-off", "verdict": "write-off", "answer_reason": "GOODWILL"]
      for _ in 0..<2 {
        let asked = try await browser.submit("\(path)/decision", form)
        #expect(asked.status == 409 && asked.html.contains("A second person has to agree."))
      }
      let acts = try await console.app.database.read { tx in
        try tx.query("SELECT action FROM finaptic_bank_act").map { try $0.get("action", as: String.self) }
      }
      #expect(acts == ["write-off-card"])
      for (kind, words) in [
        ("finaptic-recall", "Payment that another bank asks back"), ("finaptic-suspense", "Money that no account took"),
      ] {
        let work = AwaitedWork(kind, tenant: "finaptic-7", subject: "one-\(kind)", person: "person-\(kind)")
        let cases = console.app.core.cases
        try await console.app.database.write { try cases.open(work, formerly: nil, by: "operator:a", in: $0) }
        let list = try await browser.open("\(Self.queue)?kind=\(kind)").html
        #expect(list.contains(words) && list.contains("one-\(kind)"))
      }
      let agent = console.browser()
      try await agent.open("/console/sign-in")
      try await agent.submit(
        "/console/sign-in", ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password])
      #expect(try await agent.open(path).status == 404)
    }
  }
}
