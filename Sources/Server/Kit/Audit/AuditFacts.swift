// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the facts of a line are stored: a JSON object (RFC 8259) of texts, in the order of its keys.
enum AuditFacts {
  static func text(_ facts: [String: String]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(facts), as: UTF8.self)
  }

  /// - Returns: the facts, and whether they are stored as `text` writes them. Unreadable facts become none, which the
  ///   line's digest then reports.
  static func read(_ text: String) throws -> (facts: [String: String], isCanonical: Bool) {
    if let facts = plain(text) { return (facts, true) }
    let facts = (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
    return (facts, try self.text(facts) == text)
  }

  /// Reads what nearly all lines have, without a decoder, which takes most of the time of a search otherwise: keys of
  /// small letters and underscores in ascending order, of which every encoder has one order only, and values of visible
  /// ASCII that JSON writes as they are.
  /// - Returns: nil for every other text.
  static func plain(_ text: String) -> [String: String]? {
    let bytes = Array(text.utf8)
    var (facts, place, last) = ([String: String](), 0, "")
    func take(_ character: Unicode.Scalar) -> Bool {
      guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }
    func word(_ isAllowed: (UInt8) -> Bool) -> String? {
      guard take("\"") else { return nil }
      let start = place
      while place < bytes.count, isAllowed(bytes[place]) { place += 1 }
      let word = String(decoding: bytes[start..<place], as: UTF8.self)
      return take("\"") ? word : nil
    }
    guard take("{") else { return nil }
    if take("}") { return place == bytes.count ? [:] : nil }
    repeat {
      guard let key = word({ ("a"..."z").contains(Unicode.Scalar($0)) || $0 == UInt8(ascii: "_") }), last < key,
        take(":"),
        let value = word({ (0x20...0x7E).contains($0) && !"\"\\/".utf8.contains($0) })
      else { return nil }
      facts[key] = value
      last = key
    } while take(",")
    return take("}") && place == bytes.count ? facts : nil
  }
}
