// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import TestSupport
import Testing

@testable import Conversations
@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic help center: the language of the system's lines", .timeLimit(.minutes(1)))
struct ChatLanguageTests {
  @Test("a customer reads them in the language of their application, an agent and a customer who chose none in English")
  func languages() async throws {
    try await AccountTestApp.run { app in
      let (token, other) = (try await app.talker(), try await app.talker("other@finaptic.com"))
      try await app.choose("LANGUAGE_FR_CA")
      let secret = try await app.app.addFinapticClient(.chat, "desk", tenant: AccountTestApp.tenant, by: "operator")
      let (chat, english) = (try await app.startChat(token), try await app.startChat(other))
      for chat in [chat, english] {
        let kim: [String: Any] = ["agent": "kim", "display_name": "Kim"]
        #expect(try await app.callAsAgent("/\(chat.contactId)/take", kim, secret: secret).status == 200)
        #expect(
          try await app.callAsAgent("/\(chat.contactId)/hand-back", ["agent": "kim"], secret: secret).status == 200)
        #expect(try await app.callAsAgent("/\(chat.contactId)/take", kim, secret: secret).status == 200)
        #expect(try await app.callAsAgent("/\(chat.contactId)/resolve", ["agent": "kim"], secret: secret).status == 200)
      }
      #expect(
        try await app.told(chat, token: token) == [
          "joined Kim", "message Kim a rejoint la conversation.", "message Kim a quitté la conversation.",
          "joined Kim", "message Kim a rejoint la conversation.", "message La conversation est terminée.",
          "ended RESOLVED",
        ])
      #expect(try await app.told(english, token: other).contains("message Kim left the conversation."))
      let page: FinapticAPI.ChatHistoryResponse = try await app.help(
        "listChatHistory", FinapticAPI.ListChatHistoryRequest(contactId: chat.contactId), token: token
      ).view()
      let last = try #require(page.items.first)
      #expect(last.content == "La conversation est terminée." && last.displayName == "Système")
      #expect(page.items.allSatisfy { $0.participantRole == "SYSTEM_MESSAGE" })
      let again = try await app.startChat(token, thread: chat.contactId)
      #expect(again.messages == page.items)
      let agentView = try await app.callAsAgent(.get, "/\(chat.contactId)", secret: secret)
      #expect(agentView.json.contains("Kim joined the conversation.") && !agentView.json.contains("rejoint"))
    }
  }

  @Test("from right to left a name is set apart from the words around it", .storeless)
  func arabic() throws {
    let texts = ChatTexts(texts: .standardTexts, institution: "Maple Bank", locale: "ar-KW")
    let entry = ConversationEntry(
      conversation: .init(rawValue: "c"), sequence: 1, id: .init(rawValue: "e"), kind: .message, role: .system,
      content: .init(name: "Kim", text: "Kim joined the conversation.", notice: .joined), clientID: nil,
      createdAt: .init(milliseconds: 0))
    let message = try texts.message(entry)
    #expect(message.content == "انضم \u{2068}Kim\u{2069} إلى المحادثة." && message.displayName == "النظام")
  }
}

extension AccountTestApp {
  /// The language of the customer's application.
  fileprivate func choose(_ language: String) async throws {
    let (user, vault, now) = (try await user(), vault, clock.now)
    let customer = try #require(user.customer)
    try await database.write { tx in
      var profile = ClientProfile()
      profile.preferences = .init(preference: "COMMUNICATION_PREFERENCES_EMAIL", language: language)
      try ClientProfileStore(tx, vault: vault).put(profile, customer, user: user.id, tenant: Self.tenant, at: now)
    }
  }
}
