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
  /// not count as its length either. What turns the direction of writing is taken out of it: telephones put that around
  /// a number that is copied, so that it is no fault of the customer.
  mutating func chatText(_ value: String?, _ path: String = "messageContent") -> String? {
    let upright = value.map { text in
      String(String.UnicodeScalarView(text.unicodeScalars.filter { !Self.turnsDirection($0) }))
    }
    guard let text = Self.clean(upright) else {
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

  /// Embeddings, overrides and isolates (UAX #9 §2.1 to §2.5).
  private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
