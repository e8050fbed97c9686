// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: where messages go, and what became of them", .onOneEngine, .serialized)
struct ConsoleWebhookTests {
  @Test("endpoints are listed with tenant, address, events, how they do, and how many messages wait or failed")
  func endpoints() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn(ConsoleTestApp.reader)
      #expect(try await browser.open("/console").html.contains("there is no endpoint yet"))
      try await console.add(events: ["CardCreated", "AccountCreated"])
      try await console.add("https://shop.example/gone", tenant: TenantID("oneassist", "shop"))
      try await console.add("https://slow.example/hooks", tenant: TenantID("saltedge", "slow"))
      console.then(410)
      try await console.publish("e-1", tenant: TenantID("oneassist", "shop"))
      try await console.settle()
      console.then(503, 503, 503)
      for name in ["e-2", "e-3", "e-4"] { try await console.publish(name, tenant: TenantID("saltedge", "slow")) }
      try await console.settle()
      let html = try await browser.open("/console/webhooks").html
      let cards = html.components(separatedBy: "<section").dropFirst()
      try #require(cards.count == 3)
      let told = [
        [
          "finaptic/8", "https://bank.example/hooks<", "AccountCreated, CardCreated", "active", "0 waiting", "0 failed",
        ],
        [
          "oneassist/shop", "https://shop.example/gone", "all events", "disabled since 2026-11-21 06:00:00", "1 failed",
        ],
        ["saltedge/slow", "https://slow.example/hooks", "resting until 2026-11-21 06:00:05 UTC", "3 waiting"],
      ]
      for (card, words) in zip(cards, told) { for word in words { #expect(card.contains(word), "\(word): \(card)") } }
      #expect(!html.contains("s3cret"))
    }
  }

  @Test("the page tells that there are more endpoints than it shows")
  func many() async throws {
    try await ConsoleTestApp.run { console in
      try await console.add()
      let one = try #require(try await console.app.webhooks.reports().first)
      let id = try #require(try await console.app.staff.list(tenant: "default").first).id
      let member = try await console.app.staff.find(id)
      let family = try await console.app.database.write { tx in
        try console.app.rubix.agentSessions.open(subject: "s", tenant: "default", device: "d", in: tx).family
      }
      let visit = StaffVisit(member: member, family: family, vault: console.app.vault)
      for (count, isCut) in [(999, false), (1000, true)] {
        let html = try WebhookEndpointsPage(Array(repeating: one, count: count), for: visit).html()
        #expect(html.contains("Only the first 1000 are shown") == isCut)
      }
    }
  }

  @Test("an endpoint's log is paged from the newest, each message once, whatever comes in between")
  func pages() async throws {
    try await ConsoleTestApp.run { console in
      let endpoint = try await console.add()
      try await console.add("https://other.example/hooks")
      let names = (1...120).map { "e-\($0)" }
      for (index, name) in names.enumerated() {
        // Several of one instant, as bursts are.
        if index.isMultiple(of: 7) { console.clock.advance(by: .seconds(1)) }
        try await console.publish(name)
      }
      let browser = try await console.signedIn(ConsoleTestApp.reader)
      var page = try await browser.open("/console/webhooks/\(endpoint.id)")
      #expect(Self.link("Newest", page) == nil)
      var rows = [Self.rows(page)]
      while let older = Self.link("Older", page) {
        try await console.publish("late-\(rows.count)")
        page = try await browser.open(older)
        rows.append(Self.rows(page))
      }
      #expect(rows.map(\.count) == [50, 50, 20])
      #expect(rows.joined().map(\.name).sorted() == names.sorted())
      let times = rows.joined().map(\.created)
      #expect(times == times.sorted(by: >) && Set(times).count == 18)
      let newest = try await browser.open(try #require(Self.link("Newest", page)))
      #expect(Set(Self.rows(newest).map(\.name)).isSuperset(of: ["late-1", "late-2"]))
    }
  }

  @Test("a log shows how each message fares: by state, with its tries and how the last one ended")
  func states() async throws {
    try await ConsoleTestApp.run { console in
      let endpoint = try await console.add()
      for (name, status) in [("gone", 410), ("heard", 204), ("refused", 404)] {
        console.then(status)
        try await console.publish(name, type: "Card.\(name)")
        try await console.settle()
        if status == 410 { try await console.app.webhooks.enable(endpoint.id, by: "test") }
      }
      let (browser, path) = (try await console.signedIn(ConsoleTestApp.reader), "/console/webhooks/\(endpoint.id)")
      for (state, name, words) in [
        ("failed", "gone", ["Failed", "HTTP 410, gone"]), ("delivered", "heard", ["Delivered", "HTTP 204"]),
        ("pending", "refused", ["Waiting", "HTTP 404, refused"]),
      ] {
        let page = try await browser.open("\(path)?state=\(state)")
        #expect(Self.rows(page).map(\.name) == [name])
        for word in words + ["Card.\(name)", "tries: 1"] { #expect(page.html.contains(word), "\(state): \(word)") }
      }
      #expect(Set(Self.rows(try await browser.open(path)).map(\.name)) == ["gone", "heard", "refused"])
      let page = try await browser.open(WebhookDeliveryPage.path(try await console.delivery("refused")))
      #expect(page.title == "Card.refused")
      let facts = [
        ">refused<", "HTTP 404, refused", "2026-11-21 06:00:00 UTC", "Next try", "2026-11-21 06:00:0", "active",
      ]
      for fact in facts { #expect(page.html.contains(fact), "\(fact): \(page.html)") }
      #expect(console.posted.count == 3)
    }
  }

  @Test("no page shows what a message says, a secret or the query of an address, and none lets anything in")
  func nothingMore() async throws {
    try await ConsoleTestApp.run { console in
      let endpoint = try await console.add()
      try await console.publish("e-1")
      let (browser, path) = (try await console.signedIn(), "/console/webhooks/\(endpoint.id)")
      for target in [path, WebhookDeliveryPage.path(try await console.delivery("e-1")), "\(path)/deliveries/nothing"] {
        try await browser.open(target)
      }
      try await browser.open(path)
      try await browser.submit("/console/sign-out")
      let policies = Set(console.pages.map { $0.headers["content-security-policy"] ?? "none" })
      #expect(policies == [WebhookLogPage.policy] && console.pages.count >= 5)
      for rule in ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
        #expect(WebhookLogPage.policy.contains(rule))
      }
      for page in console.pages {
        let html = String(decoding: page.body, as: UTF8.self)
        for word in [ConsoleTestApp.said, "s3cret", "whsec_", "<script>", "<style", " style=", "eyJ"] {
          #expect(!html.contains(word), "\(word)")
        }
        #expect(page.headers["cache-control"] == "no-store" && page.headers["referrer-policy"] == "no-referrer")
      }
    }
  }

  @Test("hostile words in an address, a type, a message's name or a person's name are words on the page")
  func hostile() async throws {
    try await ConsoleTestApp.run { console in
      let word = #""><script>alert('1')</script>"#
      let endpoint = try await console.add("https://bank.example/\(word)", tenant: TenantID("finaptic", "8"))
      try await console.publish("n\(word)", type: "t\(word)")
      let browser = try await console.signedIn()
      let delivery = try await console.delivery("n\(word)")
      let paths = ["/console/webhooks", "/console/webhooks/\(endpoint.id)", WebhookDeliveryPage.path(delivery)]
      for (path, marks) in zip(paths, [["/"], ["/", "t", "n"], ["/", "t", "n"]]) {
        let html = try await browser.open(path).html
        #expect(!html.contains("<script>") && !html.contains("<b>") && html.contains("Ada &lt;b&gt;Anyder"))
        for mark in marks {
          #expect(html.contains("\(mark)&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"), "\(mark): \(html)")
        }
      }
    }
  }

  @Test("what is not there, or is another endpoint's, is not found")
  func strangers() async throws {
    try await ConsoleTestApp.run { console in
      let (endpoint, other) = (try await console.add(), try await console.add(tenant: TenantID("finaptic", "9")))
      try await console.publish("e-1")
      let delivery = try await console.delivery("e-1")
      let (browser, base) = (try await console.signedIn(), "/console/webhooks")
      let missing = [
        "\(base)/none", "\(base)/\(delivery.id)", "\(base)/\(other.id)/deliveries/\(delivery.id)",
        "\(base)/\(endpoint.id)/deliveries/none", "\(base)/\(endpoint.id)?before=1.none",
        "\(base)/\(endpoint.id)?before=-1.\(delivery.id)", "\(base)/\(endpoint.id)?state=lost",
        "/console/nothing",
      ]
      for path in missing {
        let page = try await browser.open(path)
        #expect(page.status == 404 && page.title == "Nothing here", "\(path)")
      }
      let page = try await browser.open("\(WebhookDeliveryPage.path(delivery))/redeliver")
      #expect(page.status == 405 && page.title == "Nothing here")
    }
  }

  private static func rows(_ page: DemoPage) -> [(name: String, created: String)] {
    page.html.matches(of: #/<span class="soft">([^<]+)<br>([0-9: -]+) UTC</#).map { (String($0.1), String($0.2)) }
  }

  private static func link(_ label: String, _ page: DemoPage) -> String? {
    page.html.matches(of: #/href="([^"]+)">([A-Za-z]+)</#).first { $0.2 == label }.map {
      String($0.1.replacing("&amp;", with: "&"))
    }
  }
}
