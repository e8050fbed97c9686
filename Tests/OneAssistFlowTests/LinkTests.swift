// SPDX-License-Identifier: Apache-2.0

import Foundation
import OneAssistWire
import Kit
import OneAssistCore
import OneAssistFlow
import Testing

@testable import gatehouse

@Suite("OneAssist: the link to the second phone")
struct LinkTests {
  private func status(_ app: OneAssistTestApp, _ token: String) async -> String {
    do {
      let view = try await app.service.secondPhone.look(token, from: nil)
      return view.isDone ? "done" : "open"
    } catch let problem as Problem { return problem.code } catch { return "\(error)" }
  }

  @Test("it is texted once, in one message that names neither the person nor the phone")
  func text() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      let answer = try await phone.link().data(OneAssist.LinkAnswer.self)
      #expect(answer.maskedNumber == "******6780" && answer.retryAfterSeconds == 30)
      try await app.settle()
      let message = try #require(app.outside.messages.first)
      #expect(app.outside.messages.count == 1 && message.recipient == "+919123456780")
      #expect(message.tenant == TenantID("oneassist", app.partner.id.rawValue))
      #expect(message.body.utf8.count <= 160 && message.body.hasPrefix("Gatehouse: "))
      for secret in ["Asha", "Rao", OneAssistTestApp.imei, "9876543210"] { #expect(!message.body.contains(secret)) }
      let order = try await phone.info().data(OneAssist.OrderInfo.self)
      #expect(order.uploadLink?.maskedNumber == "******6780" && order.uploadLink?.sentAt == answer.sentAt)
      #expect(try await status(app, phone.linkToken()) == "open")
    }
  }

  @Test("the number of the purchase is refused in every spelling, and so is what is no number")
  func numbers() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      for number in ["9876543210", "+91 98765 43210", "098765-43210", "98765 43210"] {
        #expect(try await phone.link(to: number).refusal == "400 SECONDARY_EQUALS_PRIMARY POSTDTLCOMPLETE")
      }
      #expect(try await phone.link(to: "12345").refusal == "400 MOBILE_INVALID POSTDTLCOMPLETE")
      #expect(try await phone.link(to: " ").refusal == "400 1003 POSTDTLCOMPLETE")
      try await app.settle()
      #expect(app.outside.messages.isEmpty)
    }
  }

  @Test("half a minute lies between two, five are sent in an hour and fifteen in all")
  func pace() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      #expect(try await phone.link().status == 200)
      app.clock.advance(by: .seconds(29))
      let early = try await phone.link()
      #expect(early.refusal == "429 RATE_LIMITED POSTDTLCOMPLETE" && early.headers[.retryAfter] == "1")
      for _ in 0..<4 {
        app.clock.advance(by: .seconds(30))
        #expect(try await phone.link().status == 200)
      }
      app.clock.advance(by: .minutes(10))
      let sixth = try await phone.link()
      #expect(sixth.refusal == "429 RATE_LIMITED POSTDTLCOMPLETE")
      // The first of the five was sent 12 min 29 s ago.
      let left: Int = 3600 - 29 - 4 * 30 - 600
      #expect(sixth.headers[.retryAfter] == "\(left)")
      app.clock.advance(by: .minutes(50))
      var later = phone
      later.token = try await phone.newToken()
      for _ in 0..<10 {
        app.clock.advance(by: .minutes(15))
        #expect(try await later.link().status == 200)
      }
      app.clock.advance(by: .hours(3))
      later.token = try await phone.newToken()
      let eleventh = try await later.link()
      #expect(eleventh.refusal == "429 RATE_LIMITED POSTDTLCOMPLETE")
    }
  }

  @Test("the next one replaces it, a day ends it, the end of the membership ends it")
  func life() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      _ = try await phone.link()
      try await app.settle()
      let first = try phone.linkToken()
      app.clock.advance(by: .minutes(1))
      _ = try await phone.link()
      try await app.settle()
      let second = try phone.linkToken()
      #expect(await status(app, first) == "LINK_EXPIRED")
      #expect(await status(app, second) == "open")
      app.clock.advance(by: .hours(24))
      #expect(await status(app, second) == "LINK_EXPIRED")
      #expect(await status(app, String(repeating: "a", count: 43)) == "not-found")
      var later = phone
      later.token = try await phone.newToken()
      _ = try await later.link()
      try await app.settle()
      let third = try later.linkToken()
      _ = try await app.server(.post, "/partner/v1/memberships/\(later.membership())/cancel")
      #expect(await status(app, third) == "LINK_EXPIRED")
    }
  }

  @Test("it needs details first, and photos to be asked for")
  func order() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      #expect(try await phone.link().refusal == "409 MEMBERSHIP_STATUS_CHANGED POSTDTLPENDING")
      #expect(try await phone.screenKey().refusal == "409 1007 POSTDTLPENDING")
      try await phone.detailed()
      #expect(try await phone.screenKey().refusal == "409 1008 POSTDTLCOMPLETE")
      try await phone.pending()
      #expect(try await phone.link().refusal == "409 MEMBERSHIP_STATUS_CHANGED PENDING")
      #expect(try await phone.screenKey().refusal == "409 MEMBERSHIP_STATUS_CHANGED PENDING")
    }
  }

  @Test("a request that is sent again under its key sends no second message")
  func again() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      let key = UUID().uuidString
      let (first, second) = (try await phone.link(key: key), try await phone.link(key: key))
      #expect(first.status == 200 && first.body == second.body)
      try await app.settle()
      #expect(app.outside.messages.count == 1)
      #expect(try await phone.link(to: "9123456781", key: key).refusal == "409 IDEMPOTENCY_CONFLICT")
    }
  }

  @Test("a message that is refused for good counts as none")
  func refused() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      app.outside.change { $0.refusesMessages = true }
      _ = try await phone.link()
      #expect(try await phone.info().data(OneAssist.OrderInfo.self).uploadLink?.sentAt != nil)
      try await app.settle()
      #expect(try await phone.info().data(OneAssist.OrderInfo.self).uploadLink?.sentAt == nil)
      #expect(try await phone.screenKey().refusal == "409 1008 POSTDTLCOMPLETE")
    }
  }

  @Test("one that waited until its day was over is not texted, and counts as none")
  func late() async throws {
    try await OneAssistTestApp.run { app in
      var phone = try await InsuredPhone(app)
      try await phone.detailed()
      _ = try await phone.link()
      app.clock.advance(by: .hours(24))
      try await app.settle()
      #expect(app.outside.messages.isEmpty)
      phone.token = try await phone.newToken()
      #expect(try await phone.info().data(OneAssist.OrderInfo.self).uploadLink?.sentAt == nil)
      #expect(try await phone.link().status == 200)
      try await app.settle()
      #expect(app.outside.messages.count == 1)
    }
  }
}
