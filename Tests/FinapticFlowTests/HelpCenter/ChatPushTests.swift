// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import GatehouseWire
import FinapticWire
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic help center: what an agent writes reaches the customer's phone", .timeLimit(.minutes(1)))
struct ChatPushTests {
  @Test("each answer once, without its words, for the thread it is of; what customers and the system say is not pushed")
  func answered() async throws {
    try await AccountTestApp.run { app in
      let (token, other) = (try await app.talker(), try await app.talker("other@finaptic.com"))
      for (token, device) in [(token, "phone"), (token, "tablet"), (other, "other phone")] {
        #expect(try await app.register(device, token: token).status == 200)
      }
      let (chat, secret) = (try await app.startChat(token), try await app.agentChats())
      try await app.say("My card is gone", chat, token: token)
      #expect(try await app.take(chat, secret).status == 200)
      #expect(try await app.chatPushes() == [])
      let id = "6d9c4f1e-70a2-4a0b-9a1e-0f4c4b7a3d21"
      for _ in 0..<2 { #expect(try await app.answer("Locked.", chat, secret, id: id).status == 200) }
      let pushes = try await app.chatPushes()
      #expect(pushes.count == 2, "one for each device of the customer")
      let answer = try app.entry(try await app.answer("Locked.", chat, secret, id: id))
      let customer = try #require(try await app.user().customer)
      for push in pushes {
        #expect(
          push.data == ["eventType": "ChatMessageEvent", "contactId": chat.contactId, "messageId": answer])
        #expect(push.subject == "Maple Bank" && push.about == customer)
        #expect(push.body == "You have a new message from us. Open the app to read it.")
      }
      #expect(try await app.answer("A new one comes.", chat, secret).status == 200)
      #expect(try await app.chatPushes().count == 4)
    }
  }

  @Test("a user who is no customer yet is answered without a push; what is refused is not told")
  func userWithoutCustomer() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker(isCustomer: false)
      let (chat, secret) = (try await app.startChat(token), try await app.agentChats())
      #expect(try await app.answer("Not mine", chat, secret).status == 409)
      #expect(try await app.take(chat, secret).status == 200)
      #expect(try await app.answer("Hello", chat, secret).status == 200)
      #expect(try await app.chatPushes() == [])
    }
  }
}

extension AccountTestApp {
  fileprivate func register(_ device: String, token: String) async throws -> Answer {
    let body = FinapticAPI.RegisterChannelRequest(deviceId: device, registrationId: "fcm:\(device.count)")
    return try await call(
      .post, FinapticMethod.registerChannel.path, try WireJSON.encode(body),
      headers: ["X-Client-Key": key, "Authorization": "Bearer \(token)"])
  }

  fileprivate func agentChats() async throws -> IssuedSecret {
    try await app.addFinapticClient(.chat, "desk", tenant: Self.tenant, by: "operator")
  }

  fileprivate func take(_ chat: FinapticAPI.StartChatResponse, _ secret: IssuedSecret) async throws -> Answer {
    try await callAsAgent("/\(chat.contactId)/take", ["agent": "kim", "display_name": "Kim"], secret: secret)
  }

  fileprivate func answer(
    _ text: String, _ chat: FinapticAPI.StartChatResponse, _ secret: IssuedSecret, id: String? = nil
  ) async throws -> Answer {
    var body = ["agent": "kim", "text": text]
    body["message_id"] = id
    return try await callAsAgent("/\(chat.contactId)/messages", body, secret: secret)
  }

  /// The id of what was said.
  fileprivate func entry(_ answer: Answer) throws -> String {
    struct Said: Decodable { let message: FinapticAPI.ChatMessage }
    return try answer.view(Said.self).message.id
  }

  fileprivate func chatPushes() async throws -> [Message] {
    try await settle()
    return try await app.devOutbox.list().map(\.message).filter { $0.channel == .push }
  }
}
