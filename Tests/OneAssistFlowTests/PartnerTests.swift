// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Identity
import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistWire
import Testing
import TestSupport

@Suite("OneAssist: what a partner's server asks for")
struct PartnerTests {
  @Test("a sale is answered with the order, its dates and the names that the app needs")
  func sale() async throws {
    try await OneAssistTestApp.run { app in
      let sold = try await app.sell().view()
      #expect(sold["message"] as? String == "PENDING_CUSTOMER_CREATED_SUCCESSFULLY")
      let period = try #require(sold["membershipInfo"] as? [String: Any])
      #expect(period["startDate"] as? String == "21-Nov-2026" && period["endDate"] as? String == "20-Nov-2027")
      #expect(period["membershipNumber"] is NSNull)
      #expect((sold["activationCode"] as? String)?.count == 12)
      #expect((sold["customerOrderInfo"] as? [String: Any])?["price"] as? Int == 1199)
    }
  }

  @Test("a sale is taken as public callers write it: the phone number as a number, and members that are not read here")
  func publicCallers() async throws {
    try await OneAssistTestApp.run { app in
      let sold = try await app.sell(application: "A-9") {
        $0.replacing(#""mobileNumber":"9876543210""#, with: #""mobileNumber":9876543210,"salutation":"","panCard":"X""#)
          .replacing(#""applicationNo""#, with: #""orderId":123456,"memStartDate":"","promoCode":1,"applicationNo""#)
          .replacing(#""initiatingSystem":12"#, with: #""initiatingSystem":12,"action":null,"activityReferenceId":"""#)
      }.view()
      #expect(sold["status"] as? String == "success" && (sold["activationCode"] as? String)?.count == 12)
    }
  }

  @Test("a partner and its credentials are there together, or neither is")
  func credentials() async throws {
    try await OneAssistTestApp.run { app in
      let world = app.clock.world
      let clients = ServiceClients(
        database: app.database, vault: app.vault, audit: Audit(world: world, vault: app.vault), world: world)
      let partners = app.service.partners
      let known = try await clients.list(tenant: "default").count
      let taken = await #expect(throws: Problem.self) {
        try await partners.add(.init(code: 853, units: [7], name: "Again"), clients: clients, by: "test")
      }
      #expect(taken?.code == "partner-exists")
      #expect(try await clients.list(tenant: "default").count == known)
      let new = try await partners.add(.init(code: 855, units: [7], name: "New"), clients: clients, by: "test")
      #expect(new.added.partner.client == new.credentials.client.id)
      #expect(try await clients.list(tenant: "default").count == known + 1)
    }
  }

  @Test("a partner's address that readers take for different things, or that cannot be called, is refused")
  func addresses() async throws {
    try await OneAssistTestApp.run { app in
      let world = app.clock.world
      let clients = ServiceClients(
        database: app.database, vault: app.vault, audit: Audit(world: world, vault: app.vault), world: world)
      func add(_ url: String, code: Int64) async throws {
        var draft = Partners.Draft(code: code, units: [7], name: "Shop")
        draft.webhookURL = url
        _ = try await app.service.partners.add(draft, clients: clients, by: "test")
      }
      for url in [
        "https://shop.example/\r\nX: y", "https://shop.example/ a", "https://b\u{fc}cher.example/",
        "https://[shop.example]/", "https://shop.example:18446744073709560059/", "https://shop.example:0/",
        "https://a.example;127.0.0.1/", "https://shop.example/?a", "https://shop.example/#a", "http://shop.example/",
        "https://a@shop.example/",
      ] {
        await #expect(throws: Problem.self, "\(url)") { try await add(url, code: 856) }
      }
      try await add("https://xn--bcher-kva.example:8443/hooks", code: 856)
      try await add("http://127.0.0.1:8080/hooks", code: 857)
    }
  }

  @Test("the same application again is the same answer; another body under its number is refused")
  func repeated() async throws {
    try await OneAssistTestApp.run { app in
      let (first, again) = (try await app.sell(), try await app.sell())
      #expect(first.status == 200 && first.body == again.body)
      let other = try await app.sell { $0.replacing("Asha", with: "Usha") }
      #expect(other.refusal == "409 APPLICATION_NO_USED")
      let second = try await app.sell(application: "A-2")
      #expect(second.status == 200 && second.body != first.body)
    }
  }

  @Test("of several sales under one number one is made")
  func race() async throws {
    try await OneAssistTestApp.run { app in
      let answers = try await withThrowingTaskGroup(of: OneAssistTestApp.Answer.self) { group in
        for _ in 0..<6 { group.addTask { try await app.sell() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let bodies = Set(answers.filter { $0.status == 200 }.map(\.body))
      #expect(bodies.count == 1)
      #expect(answers.allSatisfy { $0.status == 200 || $0.refusal == "409 STEP_IN_PROGRESS" })
    }
  }

  @Test(
    "each member that is wrong is an entry with its own code",
    arguments: [
      ("\"planCode\":729", "\"planCode\":1", "PLAN_UNKNOWN"),
      ("\"partnerCode\":853", "\"partnerCode\":854", "PARTNER_UNKNOWN"),
      ("1552", "1553", "PARTNER_BU_UNKNOWN"), ("9876543210", "1876543210", "MOBILE_INVALID"),
      ("asha@mail.example", "asha", "EMAIL_INVALID"), ("20-Nov-2026", "22-Nov-2026", "INVOICE_DATE_FUTURE"),
      ("20-Nov-2026", "20-Sep-2026", "INVOICE_DATE_OLD"), ("20-Nov-2026", "31-Nov-2026", "DATE_INVALID"),
      ("60000", "100001", "INVOICE_VALUE_RANGE"), ("60000", "\"much\"", "INVOICE_VALUE_RANGE"),
      ("MP01", "MP02", "PRODUCT_UNKNOWN"), ("01-Feb-1990", "01-Feb-2990", "DATE_INVALID"),
      ("\"Asha\"", "null", "REQUIRED"), ("\"A-1\"", "\"\"", "APPLICATION_NO_INVALID"),
    ])
  func refused(text: String, other: String, code: String) async throws {
    try await OneAssistTestApp.run { app in
      let answer = try await app.sell { $0.replacing(text, with: other) }
      #expect(answer.refusal == "422 \(code)")
      #expect(
        try await app.server(.get, "/partner/v1/memberships?mobileNumber=9876543210").json == #"{"memberships":[]}"#)
    }
  }

  @Test("dates are read as partners write them")
  func dates() async throws {
    for (day, application) in zip(["20-NOV-2026", "2026-11-20", "2026-11-20T10:00:00Z"], ["A-1", "A-2", "A-3"]) {
      try await OneAssistTestApp.run { app in
        let answer = try await app.sell(application: application) { $0.replacing("20-Nov-2026", with: day) }
        #expect(answer.status == 200)
      }
    }
  }

  @Test("several faults are told at once, and a body that is not JSON is refused as a whole")
  func several() async throws {
    try await OneAssistTestApp.run { app in
      let answer = try await app.sell { $0.replacing("1552", with: "1").replacing("asha@", with: "") }
      #expect(answer.refusal == "422 PARTNER_BU_UNKNOWN,EMAIL_INVALID")
      let bad = try await app.server(.post, "/OASYS/webservice/rest/customer/onboardCustomer", "{")
      #expect(bad.refusal == "400 INVALID_JSON")
      let empty = try await app.server(.post, "/OASYS/webservice/rest/customer/onboardCustomer", "{}")
      #expect(empty.status == 422)
    }
  }

  @Test("a sale and an app's call are refused in a form of JSON that other readers take for something else")
  func ambiguous() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let asked = OneAssist.LeadRequest(
        orderUUID: phone.order, address: .init(addrLine1: "12 Lake Road", pinCode: "560001"),
        deviceDetail: .init(deviceModel: "iPhone 14", imei: OneAssistTestApp.imei, imei2: nil))
      let body = String(decoding: try WireJSON.encode(asked), as: UTF8.self)
      let basic = Data("\(app.seller.client.id):\(app.seller.secret)".utf8).base64EncodedString()
      for form in AmbiguousJSON.forms(of: body) {
        let lead = try await phone.call(.post, "subscription-service/lead", form.bytes)
        #expect(lead.refusal.hasPrefix("400 INVALID_JSON"), "\(form.name)")
      }
      for form in AmbiguousJSON.forms(of: #"{"orderUUID":"\#(phone.order)"}"#) {
        let token = try await app.call(
          .post, "/partner/v1/generateToken", headers: ["Authorization": "Basic \(basic)"], body: form.bytes)
        #expect(token.refusal == "400 INVALID_JSON", "\(form.name)")
      }
      #expect(try await phone.call(.post, "subscription-service/lead", Data(body.utf8)).status == 200)
    }
  }

  @Test("without credentials, or with those of no partner, nothing is sold")
  func strangers() async throws {
    try await OneAssistTestApp.run { app in
      let answer = try await app.call(.post, "/OASYS/webservice/rest/customer/onboardCustomer", body: Data("{}".utf8))
      #expect(answer.refusal == "401 CREDENTIALS_INVALID")
      #expect(try await app.sell(as: app.reviewer).refusal == "403 FORBIDDEN")
    }
  }

  @Test("a token of another partner's customer is refused, and memberships are shown to their partner only")
  func foreign() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let body = #"{"orderUUID":"\#(phone.order)"}"#
      #expect(
        try await app.server(.post, "/partner/v1/generateToken", body, as: app.otherSeller).refusal
          == "404 NOT_FOUND")
      // A NUL is in no id, and no engine takes one.
      for member in ["orderUUID", "customerTempId"] {
        let text = #"{"\#(member)":"\#(phone.order)\u0000"}"#
        #expect(try await app.server(.post, "/partner/v1/generateToken", text).refusal == "400 INVALID_JSON")
      }
      let path = "/partner/v1/memberships?orderUUID=\(phone.order)"
      #expect(try await app.server(.get, path, as: app.otherSeller).refusal == "404 NOT_FOUND")
      let list = try await app.server(.get, path).view()["memberships"] as? [[String: Any]]
      #expect(list?.first?["nextActionOwner"] as? String == "USER")
      #expect(list?.first?["activationCode"] as? String == phone.code)
      #expect(try await app.server(.get, "/partner/v1/memberships").status == 422)
      #expect(try await app.server(.get, "/partner/v1/memberships?orderUUID=a%00b").refusal == "404 NOT_FOUND")
      for spelling in ["9876543210", "%2B919876543210", "+919876543210", "09876543210"] {
        let found = try await app.server(.get, "/partner/v1/memberships?mobileNumber=\(spelling)").view()
        #expect((found["memberships"] as? [[String: Any]])?.count == 1, "\(spelling)")
      }
    }
  }

  @Test("a token slides for half an hour from each use, and eight hours are its end")
  func sliding() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      for _ in 0..<19 {
        app.clock.advance(by: .minutes(25))
        #expect(try await phone.status() == "POSTDTLPENDING")
      }
      app.clock.advance(by: .minutes(10))
      #expect(try await phone.info().refusal == "401 AUTH_005")
      var later = phone
      later.token = try await phone.newToken()
      #expect(try await later.status() == "POSTDTLPENDING")
      app.clock.advance(by: .minutes(30))
      #expect(try await later.info().refusal == "401 AUTH_005")
    }
  }

  @Test("five tokens live; the sixth ends the oldest")
  func five() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      var tokens = [phone.token]
      for _ in 0..<5 {
        app.clock.advance(by: .seconds(1))
        tokens.append(try await phone.newToken())
      }
      var other = phone
      other.token = tokens[0]
      #expect(try await other.info().refusal == "401 AUTH_005")
      for token in tokens.dropFirst() {
        other.token = token
        #expect(try await other.status() == "POSTDTLPENDING")
      }
    }
  }

  @Test("a cancellation is final, is told once, and repeating it changes nothing")
  func cancel() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let id = try await phone.membership()
      for _ in 0..<2 {
        #expect(
          try await app.server(.post, "/partner/v1/memberships/\(id)/cancel").view()["status"] as? String
            == "CANCELLED")
      }
      try await app.settle()
      #expect(app.outside.events.map(\.data.status) == ["CANCELLED"])
      #expect(try await phone.lead().refusal == "409 MEMBERSHIP_STATUS_CHANGED CANCELLED")
      #expect(
        try await app.server(.post, "/partner/v1/memberships/\(id)/cancel", as: app.otherSeller).refusal
          == "404 NOT_FOUND")
    }
  }

  @Test("a partner that is away hears of every change once it is back, under the same id")
  func away() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      app.outside.change { $0.refusesEvents = true }
      try await phone.pending()
      try await app.settle()
      #expect(app.outside.events.isEmpty)
      app.outside.change { $0.refusesEvents = false }
      app.clock.advance(by: .hours(2))
      try await app.settle()
      #expect(Set(app.outside.events.map(\.data.status)) == ["POSTDTLCOMPLETE", "PENDING"])
      #expect(Set(app.outside.events.map(\.id)).count == 2)
      #expect(
        app.outside.events.allSatisfy { $0.type == "membership.status_changed" && $0.data.applicationNo == "A-1" })
    }
  }
}
