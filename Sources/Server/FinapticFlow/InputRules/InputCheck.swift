// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Gathers everything that is wrong with one request, so that an app can show it all at once (finaptic §10.7).
///
/// Each rule takes a member as it came and its path in the SDK's Swift names, `addresses[0].postalCode`; it answers the
/// member as it is kept. What is wrong is said without its value.
struct InputCheck {
  private var fields: [Problem.Field] = []

  mutating func refuse(_ path: String, _ code: String, _ message: String) {
    fields.append(.init(path, code, message))
  }

  var isClean: Bool { fields.isEmpty }

  /// - Throws: `Problem` validation with every field that was refused.
  func end() throws {
    if !fields.isEmpty { throw Problem.validation(fields) }
  }

  // MARK: What every kind of member shares

  /// Composed (NFC) and without white space around it; what is blank is absent (§4).
  static func clean(_ text: String?) -> String? {
    guard let text else { return nil }
    // Most texts are as they should be, which is cheaper to see than to make.
    if isClean(text) { return text }
    let trimmed = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Whether a text is ASCII, and begins and ends with something to see.
  private static func isClean(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else { return false }
    return bytes.allSatisfy { $0 < 0x80 }
  }

  /// Text of at most so many Unicode scalars.
  mutating func text(_ value: String?, _ path: String, max: Int, isRequired: Bool = false) -> String? {
    guard let text = required(Self.clean(value), path, isRequired) else { return nil }
    guard text.unicodeScalars.count <= max else {
      refuse(path, "too-long", "At most \(max) characters.")
      return nil
    }
    guard DisplayedText.isPlain(text) else {
      refuse(path, "characters", "In one line, of characters that can be seen.")
      return nil
    }
    return text
  }

  /// What a pattern describes.
  mutating func text(
    _ value: String?, _ path: String, isRequired: Bool = false, _ message: String, _ isRight: (String) -> Bool
  ) -> String? {
    guard let text = required(Self.clean(value), path, isRequired) else { return nil }
    guard isRight(text) else {
      refuse(path, "form", message)
      return nil
    }
    return text
  }

  mutating func flag(_ value: Bool?, _ path: String) -> Bool? { required(value, path, true) }

  /// As many entries as are allowed.
  mutating func list<Entry>(_ entries: [Entry]?, _ path: String, atLeast min: Int = 1, atMost max: Int) -> [Entry] {
    let entries = entries ?? []
    if entries.count < min { refuse(path, "required", "At least \(min).") }
    if entries.count > max { refuse(path, "too-many", "At most \(max).") }
    return entries.count > max ? [] : entries
  }

  /// One code of a list.
  mutating func code(
    _ value: String?, _ path: String, of type: String, in catalogue: ReferenceCatalogue, isRequired: Bool = true
  ) -> String? {
    text(value, path, isRequired: isRequired, "A code of \(type).") { catalogue.has($0, in: type) }
  }

  /// An id in lower case (§10.1).
  mutating func id(_ value: String?, _ path: String, isRequired: Bool = true) -> String? {
    text(value, path, isRequired: isRequired, "A UUID.") { $0.canonicalUUID != nil }?.canonicalUUID
  }

  mutating func required<Value>(_ value: Value?, _ path: String, _ isRequired: Bool) -> Value? {
    if value == nil, isRequired { refuse(path, "required", "This member is required.") }
    return value
  }
}
