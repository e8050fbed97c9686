// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import Kit

extension ConversationStatus {
  /// As apps read it.
  var wire: String {
    switch self {
    case .waitingForAgent: "WAITING_FOR_AGENT"
    case .waitingForCustomer: "WAITING_FOR_CUSTOMER"
    case .resolved: "RESOLVED"
    }
  }
}

extension Instant {
  var finaptic: FinapticAPI.Instant { FinapticAPI.Instant(millisecondsSince1970: milliseconds) }
}

extension FinapticAPI.ChatThread {
  init(_ conversation: Conversation, customer: String) {
    self.init(
      id: conversation.id.rawValue, lastUpdated: conversation.updatedAt.finaptic, status: conversation.status.wire,
      subject: conversation.subject, createdAt: conversation.createdAt.finaptic, customerId: customer)
  }
}

extension FinapticAPI.ChatMessage {
  /// - Precondition: a message.
  init(_ entry: ConversationEntry) {
    let role =
      switch entry.role {
      case .customer: "CUSTOMER"
      case .agent: "AGENT"
      case .system: "SYSTEM_MESSAGE"
      }
    self.init(
      id: entry.id.rawValue, participantRole: role,
      displayName: entry.role == .system ? "System" : entry.content.name, content: entry.content.text,
      timestamp: entry.createdAt.finaptic)
  }
}

extension FinapticAPI.ChatEvent {
  init(_ entry: ConversationEntry) {
    self.init(
      id: entry.id.rawValue, type: entry.kind.rawValue.uppercased(), timestamp: entry.createdAt.finaptic,
      displayName: entry.content.name)
  }
}

extension FinapticAPI.ChatEnded {
  init(_ ending: ConversationContact.Ending) { self.init(reason: ending.rawValue.uppercased()) }
}

/// Messages as one customer reads them: those of the system in the customer's language, those of people unchanged.
struct ChatTexts: Sendable {
  let texts: MessageTexts
  let institution: String
  /// BCP 47.
  let locale: String

  /// - Precondition: a message.
  func message(_ entry: ConversationEntry) throws -> FinapticAPI.ChatMessage {
    var message = FinapticAPI.ChatMessage(entry)
    // What was announced before there were other languages stays in English.
    guard let notice = entry.content.notice else { return message }
    let words = try texts.message(
      Notice(notice, entry.content.name), by: .chat, to: "", from: institution, locale: locale)
    (message.displayName, message.content) = (words.subject ?? message.displayName, words.body)
    return message
  }
}

extension Notice {
  fileprivate init(_ notice: ConversationNotice, _ name: String) {
    self =
      switch notice {
      case .joined: .chatJoined(name: name)
      case .left: .chatLeft(name: name)
      case .closed: .chatClosed
      }
  }
}

/// The entries of a conversation as events of its stream.
enum ChatFeed {
  /// - Parameter view: how a message reads to who follows.
  static func of(
    _ updates: ConversationUpdates, _ view: @escaping @Sendable (ConversationEntry) throws -> FinapticAPI.ChatMessage
  ) -> EventFeed {
    EventFeed { position, limit in
      let page = try await updates.next(after: position, atMost: limit)
      var events = try page.entries.map { try event($0, view) }
      if let ending = page.ending {
        events.append(
          .init(
            number: nil, kind: FinapticAPI.chatEndedEvent, data: try WireJSON.encode(FinapticAPI.ChatEnded(ending))))
      }
      return EventFeed.Page(events, position: page.position, isLast: page.ending != nil)
    }
  }

  private static func event(
    _ entry: ConversationEntry, _ view: (ConversationEntry) throws -> FinapticAPI.ChatMessage
  ) throws -> EventFeed.Event {
    switch entry.kind {
    case .message:
      .init(
        number: entry.sequence, kind: FinapticAPI.chatMessageEvent, data: try WireJSON.encode(try view(entry)))
    case .joined, .left, .typing:
      .init(
        number: entry.sequence, kind: entry.kind.rawValue, data: try WireJSON.encode(FinapticAPI.ChatEvent(entry)))
    }
  }
}
