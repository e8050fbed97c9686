// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger
import ReferenceData

/// An element of a message with everything in it, as small as a header or one transfer.
struct MessageElement {
  let name: String
  /// By their names.
  let attributes: [String: String]
  /// Where it begins in the file, from 1.
  let line: Int
  /// Between its tags, without that of its children.
  var text = ""
  var children: [MessageElement] = []

  func fault(_ reason: String) -> MessageFault { MessageFault(line: line, element: name, reason) }

  /// Checks that its children are those of its type, in the order of the schema's `xs:sequence`.
  /// - Parameters:
  ///   - sequence: every name of the type, separated by spaces, in order.
  ///   - repeated: the names that may stand more than once.
  func check(_ sequence: String, repeated: Set<String> = []) throws(MessageFault) {
    // Names follow each other as the children do, so one walk through them finds all: a message has 100,000 transfers,
    // and a transfer's type has 45 names.
    var (rest, last) = (sequence.utf8[...], "")
    for child in children {
      if child.name == last, repeated.contains(last) { continue }
      guard Self.take(child.name, from: &rest) else {
        let isKnown = sequence.split(separator: " ").contains { $0 == child.name }
        guard isKnown else { throw child.fault("has no place in \(name)") }
        throw child.fault(child.name == last ? "stands twice in \(name)" : "stands too late in \(name)")
      }
      last = child.name
    }
    guard text.utf8.allSatisfy(XMLSpace.contains) else { throw fault("has text beside its elements") }
  }

  /// Goes on behind a word of a text that has spaces between its words.
  /// - Returns: false when the text has no such word.
  private static func take(_ word: String, from rest: inout Substring.UTF8View) -> Bool {
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
      let isFound = rest[..<end].elementsEqual(word.utf8)
      rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
      if isFound { return true }
    }
    return false
  }

  func all(_ name: String) -> [MessageElement] { children.filter { $0.name == name } }

  /// - Throws: when there are several.
  func first(_ name: String) throws(MessageFault) -> MessageElement? {
    let found = all(name)
    guard found.count < 2 else { throw found[1].fault("stands twice in \(self.name)") }
    return found.first
  }

  /// - Throws: when there is not exactly one.
  func one(_ name: String) throws(MessageFault) -> MessageElement {
    guard let found = try first(name) else { throw fault("lacks \(name)") }
    return found
  }

  // MARK: Simple types

  /// `Max35Text` and its siblings: 1 to so many characters.
  func text(max: Int) throws(MessageFault) -> String {
    guard children.isEmpty else { throw fault("has elements where text belongs") }
    // XML Schema counts characters of Unicode, not what looks like one character.
    guard !text.isEmpty, text.unicodeScalars.count <= max else { throw fault("has not 1 to \(max) characters") }
    return text
  }

  /// A value whose surrounding spaces mean nothing: a number, a date, a code.
  func token() throws(MessageFault) -> String {
    guard children.isEmpty else { throw fault("has elements where text belongs") }
    let utf8 = text.utf8.drop(while: XMLSpace.contains)
    let kept = utf8.reversed().drop(while: XMLSpace.contains).reversed()
    return String(decoding: Array(kept), as: UTF8.self)
  }

  /// One of a list of codes.
  func code<Code: RawRepresentable<String>>(_ type: Code.Type) throws(MessageFault) -> Code {
    guard let code = Code(rawValue: try token()) else { throw fault("is no code of its list") }
    return code
  }

  /// `ActiveCurrencyAndAmount`: not negative, with no more decimals than ISO 4217 gives the currency.
  func money() throws(MessageFault) -> Money {
    guard let currency = attributes["Ccy"] else { throw fault("lacks its currency (Ccy)") }
    guard Currency.with(code: currency) != nil else { throw fault("is in a currency that is not known") }
    guard let money = Money(decimal: try token(), currency: currency), money.minorUnits >= 0 else {
      throw fault("is no amount of its currency")
    }
    return money
  }

  /// `ISODate`, which may carry an offset from UTC; the offset does not change the day that is meant.
  func date() throws(MessageFault) -> CalendarDate {
    let value = try token()
    guard let day = CalendarDate(value.prefix(10)), MessageTime.isOffset(value.dropFirst(10)) else {
      throw fault("is no date (YYYY-MM-DD)")
    }
    return day
  }

  /// `ISODateTime`, as it is written: without an offset the standard leaves open which clock is meant.
  func time() throws(MessageFault) -> MessageTime {
    guard let time = MessageTime(try token()) else { throw fault("is no date and time (YYYY-MM-DDThh:mm:ss)") }
    return time
  }

  /// `UUIDv4Identifier`: in small letters (RFC 4122, version 4).
  func uetr() throws(MessageFault) -> String {
    let value = try token()
    guard UETR.isValid(value) else { throw fault("is no UUID of version 4 in small letters") }
    return value
  }
}

/// The spaces of XML.
enum XMLSpace {
  static func contains(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}

/// The unique end-to-end transaction reference of a payment: a UUID of version 4 (RFC 4122).
package enum UETR {
  /// Whether a text is one, in small letters.
  package static func isValid(_ text: String) -> Bool {
    text.utf8.count == 36 && text.utf8.enumerated().allSatisfy { admits($0.element, at: $0.offset) }
  }

  private static func admits(_ byte: UInt8, at place: Int) -> Bool {
    switch place {
    case 8, 13, 18, 23: byte == UInt8(ascii: "-")
    case 14: byte == UInt8(ascii: "4")
    case 19: "89ab".utf8.contains(byte)
    default: "0123456789abcdef".utf8.contains(byte)
    }
  }
}
