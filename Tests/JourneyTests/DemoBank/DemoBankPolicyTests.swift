// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Synchronization
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Demo bank: what its pages may load, each of them", .onOneEngine, .serialized)
struct DemoBankPolicyTests {
  /// The answers that a browser got, by what they are headed with.
  private final class Seen: Sendable {
    private let answers = Mutex<[TransportResponse]>([])

    var transport: HTTPTransport {
      HTTPTransport { (request, _) async throws(TransportError) in
        let answer = try await HTTPTransport.live().send(request)
        self.answers.withLock { $0.append(answer) }
        return answer
      }
    }

    /// What every page may do, by its heading.
    func policies() throws -> [String: Set<String>] {
      var found: [String: Set<String>] = [:]
      for answer in answers.withLock({ $0 }) where answer.headers["content-type"]?.hasPrefix("text/html") == true {
        let html = String(decoding: answer.body, as: UTF8.self)
        let heading = try #require(html.firstMatch(of: #/<h1>([^<]*)</#)).1
        #expect(!html.contains(#/<script(?! src="\/assets\/)/#), "\(heading)")
        #expect(answer.headers["referrer-policy"] == "no-referrer" && answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["x-content-type-options"] == "nosniff", "\(heading)")
        found[String(heading), default: []].insert(answer.headers["content-security-policy"] ?? "none")
      }
      return found
    }
  }

  @Test("every page of the bank carries its own policy, which allows only our script, no frame, no more than it shows")
  func everyPage() async throws {
    try await DemoBankTestApp.run { home in
      let customer = try await home.connected()
      let (seen, login) = (Seen(), home.bank.passwords[0])
      let browser = DemoBrowser(address: home.address, transport: seen.transport)
      try await browser.open("/demo-bank")
      try await browser.submit("/demo-bank/sign-in", ["username": login.username, "password": "wrong"])
      try await browser.submit("/demo-bank/sign-in", ["username": login.username, "password": login.password])
      try await browser.open("/demo-bank/connect?api=1")
      try await browser.submit("/demo-bank/connect", ["api": "2"])
      try await browser.open("/demo-bank/enrol?session=abc")
      try await browser.submit("/demo-bank/enrol", ["username": login.username, "password": "x", "action": "sign-in"])
      try await browser.open("/demo-bank/enrol?session=")
      for path in ["/demo-bank/orders/none", "/demo-bank/none"] { try await browser.open(path) }
      _ = try await browser.send("/demo-bank/sign-out", [:])
      let payment = [
        "payee": "P", "account": "ZZ83DEMO00000002000", "amount": "1.00", "currency": "EUR", "reference": "",
      ]
      for (amount, how) in [("no", "phone"), ("1.00", "code"), ("1.00", "phone")] {
        try await browser.open("/demo-bank/pay")
        try await browser.submit(
          "/demo-bank/orders/payment", payment.merging(["amount": amount, "how": how]) { _, new in new })
      }
      let waiting = await browser.page
      #expect(waiting.state == "Waiting")
      _ = try await customer.decide(try await customer.waiting(), confirms: false)
      #expect(try await customer.settled(waiting, in: browser).state == "Denied")

      let pages: [String: String] = [
        "Welcome": DemoBankHomePage.policy, "Good to see you, Ada Anyder": DemoBankAccountPage.policy,
        "Connect a phone": DemoBankConnectPage.policy, "Connect this phone": DemoBankEnrolPage.policy,
        "New payment": DemoBankPayPage.policy, "Nothing here": DemoBankProblemPage.policy,
        "Once more, please": DemoBankProblemPage.policy,
      ]
      var policies = try seen.policies()
      for (heading, policy) in pages { #expect(policies.removeValue(forKey: heading) == [policy], "\(heading)") }
      // What is left are orders, which are headed by what they are.
      #expect(!policies.isEmpty && policies.values.allSatisfy { $0 == [DemoBankOrderPage.policy] }, "\(policies)")
      for policy in Set(pages.values).union(policies.values.joined()) {
        let rules = policy.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(rules.contains("default-src 'none'") && rules.contains("frame-ancestors 'none'"), "\(policy)")
        #expect(rules.contains("base-uri 'none'") && !policy.contains("*") && !policy.contains("unsafe"), "\(policy)")
        #expect(rules.allSatisfy { !$0.hasPrefix("script-src") || $0 == "script-src 'self'" }, "\(policy)")
      }
    }
  }
}
