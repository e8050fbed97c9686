// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit

/// What calls beyond an application may hold (finaptic §4.2).
extension InputCheck {
  private static let (metadataMax, metadataKeyMax, metadataValueMax) = (20, 40, 500)

  /// Entries of a page: at least 1. Who asks for more than `PageTokens.pageMax` gets pages of so many.
  mutating func pageSize(_ value: Int?, _ path: String = "pageSize") -> Int? {
    guard let size = required(value, path, true) else { return nil }
    guard size >= 1 else {
      refuse(path, "range", "At least 1.")
      return nil
    }
    return min(size, PageTokens.pageMax)
  }

  /// What people tell one another with an invitation: 20 entries, keys of 40 characters, values of 500.
  mutating func metadata(_ value: [String: String]?, _ path: String = "invitationMetadata") -> [String: String]? {
    guard let value else { return nil }
    if value.count > Self.metadataMax { refuse(path, "too-many", "At most \(Self.metadataMax).") }
    // In one order, so that a request is always refused alike; keys are the app's own and are not repeated.
    for (index, key) in value.keys.sorted().enumerated() {
      let isKey = (1...Self.metadataKeyMax).contains(key.unicodeScalars.count)
      if !isKey { refuse("\(path)[\(index)]", "too-long", "A key of 1 to \(Self.metadataKeyMax) characters.") }
      if (value[key] ?? "").unicodeScalars.count > Self.metadataValueMax {
        refuse("\(path)[\(index)]", "too-long", "A value of at most \(Self.metadataValueMax) characters.")
      }
    }
    return value
  }

  /// `+1-5141234567`: 30 characters at most. What the network takes of it is another question (§8.8).
  mutating func interacNumber(_ value: String?, _ path: String) -> String? {
    text(value, path, isRequired: true, "A number such as +1-5141234567.") {
      $0.utf8.count <= 30 && $0.wholeMatch(of: /\+[0-9]{1,3}-[0-9()+\-]+/) != nil
    }
  }

  /// A device's or a push service's own name for an installation.
  mutating func channelID(_ value: String?, _ path: String) -> String? {
    text(value, path, max: 4096, isRequired: true)
  }

  mutating func chatSubject(_ value: String?, _ path: String = "subject") -> String? {
    text(value, path, max: 256, isRequired: true)
  }

  mutating func displayName(_ value: String?, _ path: String = "displayName") -> String? {
    text(value, path, max: 100, isRequired: true)
  }

  /// What a payee writes for themselves.
  mutating func memo(_ value: String?, _ path: String = "recipientMemo") -> String? { text(value, path, max: 420) }
}
