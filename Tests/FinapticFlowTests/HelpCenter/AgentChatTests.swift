import Identity
import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic help center: the desk of agents", .timeLimit(.minutes(1)))
struct AgentChatTests {
  @Test("only clients of the tenant with the scope, or its sandbox's test controls; others find nothing")
  func scopes() async throws {
    try await AccountHouse.run { house in
      let token = try await house.talker()
      let chat = try await house.startChat(token)
      let own = try await house.house.addFinapticChatClient("desk", tenant: AccountHouse.tenant)
      let foreign = try await house.house.addFinapticChatClient("desk", tenant: AccountHouse.otherTenant)
      let controls = try await house.house.addFinapticSandboxClient("tests", tenant: AccountHouse.tenant)
      let reviewer = try await house.house.serviceClients.add(
        "reviewer", tenant: "finaptic-7", scopes: [.review], by: "test")
      for secret in [own, controls] {
        #expect(try await house.desk(.get, "", secret: secret).json.contains(chat.contactId))
      }
      #expect(try await house.desk(.get, "", secret: foreign).json.contains(chat.contactId) == false)
      #expect(try await house.desk(.get, "/\(chat.contactId)", secret: foreign).status == 404)
      #expect(try await house.desk(.get, "/nothing", secret: own).status == 404)
      #expect(try await house.desk(.get, "", secret: reviewer).status == 403)
      let nobody = try await house.call(.get, "\(FinapticServerDialect.base)/chats")
      #expect(nobody.status == 401)
    }
  }

  @Test("who follows is noted once a day, who reads each time")
  func readers() async throws {
    try await AccountHouse.run { house in
      let token = try await house.talker()
      let chat = try await house.startChat(token)
      let secret = try await house.house.addFinapticChatClient("desk", tenant: AccountHouse.tenant)
      let other = try await house.house.addFinapticChatClient("bot", tenant: AccountHouse.tenant)
      func reads() async throws -> Int {
        let chain = "finaptic-conversation-\(chat.contactId)"
        return try await house.database.read {
          try AuditStore($0).lines(of: chain).count { $0.action == "finaptic.chat.read" }
        }
      }
      let desk = house.house.finaptic.parts.agentChats
      let tenant = try await house.house.finaptic.parts.tenants.find(AccountHouse.tenant)
      func follow(_ secret: IssuedSecret) async throws {
        _ = try await desk.follow(.init(rawValue: chat.contactId), of: tenant, by: "client:\(secret.client.id)")
      }
      for _ in 0..<3 { try await follow(secret) }
      #expect(try await reads() == 1)
      try await follow(other)
      #expect(try await reads() == 2)
      house.clock.advance(by: .days(1))
      try await follow(secret)
      #expect(try await reads() == 3)
      for _ in 0..<2 { #expect(try await house.desk(.get, "/\(chat.contactId)", secret: secret).status == 200) }
      #expect(try await reads() == 5)
    }
  }

  @Test("who has it answers; the others are told why not, and every act is an audit line")
  func hands() async throws {
    try await AccountHouse.run { house in
      let token = try await house.talker()
      let chat = try await house.startChat(token)
      let secret = try await house.house.addFinapticChatClient("desk", tenant: AccountHouse.tenant)
      func act(_ path: String, _ agent: String, _ more: [String: Any] = [:]) async throws -> Int {
        try await house.desk(
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
      #expect(try await house.desk(.get, "?pile=taken&agent=lee", secret: secret).json.contains(chat.contactId))
      #expect(try await house.desk(.get, "?pile=lost", secret: secret).status == 422)
      #expect(try await act("hand-back", "lee") == 200)
      #expect(try await act("resolve", "lee") == 409)
      #expect(try await act("take", "lee", ["display_name": "Lee"]) == 200)
      for _ in 0..<2 { #expect(try await act("resolve", "lee") == 200) }
      #expect(try await act("messages", "lee", ["text": "Hi"]) == 410)
      let chain = "finaptic-conversation-\(chat.contactId)"
      let story = try await house.database.read {
        try $0.query("SELECT action FROM audit_line WHERE chain = \(chain) ORDER BY sequence").map {
          try $0.get("action", as: String.self)
        }
      }
      #expect(
        story == [
          "finaptic.chat.started", "finaptic.chat.taken", "finaptic.chat.taken", "finaptic.chat.handedBack",
          "finaptic.chat.taken", "finaptic.chat.resolved", "finaptic.chat.resolved",
        ])
    }
  }
}
