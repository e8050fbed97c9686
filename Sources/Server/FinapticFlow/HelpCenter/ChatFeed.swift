import Capabilities
import Foundation
import GatehouseWire
import HTTP
import Kit

/// A conversation's news as events of its stream.
enum ChatFeed {
  static func of(_ news: ConversationNews) -> EventFeed {
    EventFeed { position, limit in
      let page = try await news.next(after: position, atMost: limit)
      var events = try page.entries.map(event)
      if let ending = page.ending {
        events.append(
          .init(
            number: nil, kind: FinapticWire.chatEndedEvent, data: try WireJSON.encode(FinapticWire.ChatEnded(ending))))
      }
      return EventFeed.Page(events, position: page.position, isLast: page.ending != nil)
    }
  }

  private static func event(_ entry: ConversationEntry) throws -> EventFeed.Event {
    switch entry.kind {
    case .message:
      .init(
        number: entry.sequence, kind: FinapticWire.chatMessageEvent,
        data: try WireJSON.encode(FinapticWire.ChatMessage(entry)))
    case .joined, .left, .typing:
      .init(
        number: entry.sequence, kind: entry.kind.rawValue, data: try WireJSON.encode(FinapticWire.ChatEvent(entry)))
    }
  }
}
