// SPDX-License-Identifier: Apache-2.0

import Conversations
import Foundation
import Kit

/// What the calls of a conversation may hold.
extension InputCheck {
  mutating func chatToken(_ value: String?, _ path: String = "chatToken") -> String? {
    text(value, path, max: 128, isRequired: true)
  }

  /// The text of a message: with its line breaks, and like every text without white space around it (§4), which does
  /// not count as its length either. What its author does not see is no fault of theirs: they may have pasted it.
  mutating func chatText(_ value: String?, _ path: String = "messageContent") -> String? {
    guard let text = Self.clean(value.map { DisplayedText.cleaned($0, lines: true) }) else {
      refuse(path, "required", "Say something.")
      return nil
    }
    guard text.unicodeScalars.count <= ConversationPolicy.textMax else {
      refuse(path, "too-long", "At most \(ConversationPolicy.textMax) characters.")
      return nil
    }
    guard DisplayedText.isPlain(text, lines: true) else {
      refuse(path, "characters", "Of characters that can be seen, ends of lines and tabs.")
      return nil
    }
    return text
  }
}
