import Conversations
import Delivery
import FinapticWire

/// How what the system says in conversations reads to one customer; what people say stays as they said it.
struct ChatWords: Sendable {
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
