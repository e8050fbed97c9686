// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit

/// A text or a mail that the person of a case was sent: which one, to where and what became of it, without its words.
struct CaseMessageView {
  let kind: Phrase
  let channel: Phrase
  let language: String
  /// Masked.
  let recipient: String
  let state: Phrase
  let tone: String
  /// How often it was tried; nil for once.
  let attempts: Phrase?
  let at: Moment

  init(_ message: SentMessage) {
    kind = Phrase("message_" + message.kind.replacing("-", with: "_"), otherwise: message.kind)
    channel = Phrase("message_by_\(message.channel.rawValue)")
    (language, recipient) = (Language(rawValue: message.language)?.label ?? message.language, message.recipient)
    state = Phrase("message_state_\(message.state.rawValue)")
    tone =
      switch message.state {
      case .accepted: "good"
      case .failed: "open"
      case .refused: "bad"
      }
    attempts = message.attempts > 1 ? Phrase("message_attempts", ["count": Count(message.attempts).renderText]) : nil
    at = Moment(message.lastAt)
  }
}
