import Conversations
import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import Kit

/// A conversation's news as events of its stream.
enum ChatFeed {
  /// - Parameter view: how a message reads to who follows.
  static func of(
    _ news: ConversationNews, _ view: @escaping @Sendable (ConversationEntry) throws -> FinapticAPI.ChatMessage
  ) -> EventFeed {
    EventFeed { position, limit in
      let page = try await news.next(after: position, atMost: limit)
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
