// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic help center: the API of agents", .timeLimit(.minutes(1)))
struct AgentChatTests {
  @Test("only clients of the tenant with the scope, or its sandbox's test controls; others find nothing")
  func scopes() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let chat = try await app.startChat(token)
      let own = try await app.app.addFinapticClient(.chat, "desk", tenant: AccountTestApp.tenant, by: "operator")
      let foreign = try await app.app.addFinapticClient(
        .chat, "desk", tenant: AccountTestApp.otherTenant, by: "operator")
      let controls = try await app.app.addFinapticClient(
        .sandbox, "tests", tenant: AccountTestApp.tenant, by: "operator")
      let reviewer = try await app.app.serviceClients.add(
        "reviewer", tenant: "finaptic-7", scopes: [.review], by: "test")
      for secret in [own, controls] {
        #expect(try await app.callAsAgent(.get, "", secret: secret).json.contains(chat.contactId))
      }
      #expect(try await app.callAsAgent(.get, "", secret: foreign).json.contains(chat.contactId) == false)
      #expect(try await app.callAsAgent(.get, "/\(chat.contactId)", secret: foreign).status == 404)
      #expect(try await app.callAsAgent(.get, "/nothing", secret: own).status == 404)
      #expect(try await app.callAsAgent(.get, "", secret: reviewer).status == 403)
      let nobody = try await app.call(.get, "\(FinapticServerDialect.base)/chats")
      #expect(nobody.status == 401)
    }
  }

  @Test("who follows is noted once a day, who reads each time")
  func readers() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let chat = try await app.startChat(token)
      let secret = try await app.app.addFinapticClient(.chat, "desk", tenant: AccountTestApp.tenant, by: "operator")
      let other = try await app.app.addFinapticClient(.chat, "bot", tenant: AccountTestApp.tenant, by: "operator")
      func reads() async throws -> Int {
        let chain = "finaptic-conversation-\(chat.contactId)"
        return try await app.database.read {
          try AuditStore($0).lines(of: chain).count { $0.action == "finaptic.chat.read" }
        }
      }
      let agentChats = app.app.finaptic.dependencies.agentChats
      let tenant = try await app.app.finaptic.dependencies.tenants.find(AccountTestApp.tenant)
      func follow(_ secret: IssuedSecret) async throws {
        _ = try await agentChats.follow(.init(rawValue: chat.contactId), of: tenant, by: "client:\(secret.client.id)")
      }
      for _ in 0..<3 { try await follow(secret) }
      #expect(try await reads() == 1)
      try await follow(other)
      #expect(try await reads() == 2)
      app.clock.advance(by: .days(1))
      try await follow(secret)
      #expect(try await reads() == 3)
      for _ in 0..<2 { #expect(try await app.callAsAgent(.get, "/\(chat.contactId)", secret: secret).status == 200) }
      #expect(try await reads() == 5)
    }
  }

  @Test("who has it answers; the others are told why not, and every act is an audit line")
  func hands() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let chat = try await app.startChat(token)
      let secret = try await app.app.addFinapticClient(.chat, "desk", tenant: AccountTestApp.tenant, by: "operator")
      func act(_ path: String, _ agent: String, _ more: [String: Any] = [:]) async throws -> Int {
        try await app.callAsAgent(
          "/\(chat.contactId)/\(path)", ["agent": agent].merging(more) { $1 }, secret: secret
        ).status
      }
      #expect(try await act("messages", "kim", ["text": "Hi"]) == 409)
      #expect(try await act("take", "kim", ["display_name": "Kim"]) == 200)
      #expect(try await act("take", "lee", ["display_name": "Lee"]) == 409)
      #expect(try await act("messages", "lee", ["text": "Hi"]) == 409)
      #expect(try await act("messages", "kim", ["text": ""]) == 422)
      #expect(try await act("messages", "kim", ["text": "Hi", "more": 1]) == 400)
      #expect(try await act("take", "not an agent", ["display_name": "Kim"]) == 422)
      #expect(try await act("take", "lee", ["display_name": ""]) == 422)
      #expect(try await act("take", "lee", ["display_name": "Lee", "takeover": true]) == 200)
      #expect(try await act("hand-back", "kim") == 409)
      #expect(try await app.callAsAgent(.get, "?pile=taken&agent=lee", secret: secret).json.contains(chat.contactId))
      #expect(try await app.callAsAgent(.get, "?pile=lost", secret: secret).status == 422)
      #expect(try await act("hand-back", "lee") == 200)
      #expect(try await act("resolve", "lee") == 409)
      #expect(try await act("take", "lee", ["display_name": "Lee"]) == 200)
      for _ in 0..<2 { #expect(try await act("resolve", "lee") == 200) }
      #expect(try await act("messages", "lee", ["text": "Hi"]) == 410)
      let story = try await app.database.auditActions(of: "finaptic-conversation-\(chat.contactId)")
      #expect(
        story == [
          "finaptic.chat.started", "finaptic.chat.taken", "finaptic.chat.taken", "finaptic.chat.handedBack",
          "finaptic.chat.taken", "finaptic.chat.resolved", "finaptic.chat.resolved",
        ])
    }
  }
}
