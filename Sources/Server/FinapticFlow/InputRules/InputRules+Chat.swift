// SPDX-License-Identifier: Apache-2.0

import Conversations
import Foundation

/// What the calls of a conversation may hold.
extension InputCheck {
  mutating func chatToken(_ value: String?, _ path: String = "chatToken") -> String? {
    text(value, path, max: 128, isRequired: true)
  }

  /// The text of a message: with its line breaks, and like every text without white space around it (§4), which does
  /// not count as its length either.
  mutating func chatText(_ value: String?, _ path: String = "messageContent") -> String? {
    guard let text = Self.clean(value) else {
      refuse(path, "required", "Say something.")
      return nil
    }
    guard text.unicodeScalars.count <= ConversationPolicy.textMax else {
      refuse(path, "too-long", "At most \(ConversationPolicy.textMax) characters.")
      return nil
    }
    let allowed: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
    guard
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && !allowed.contains($0) })
    else {
      refuse(path, "characters", "No control characters but ends of lines and tabs.")
      return nil
    }
    return text
  }
}
