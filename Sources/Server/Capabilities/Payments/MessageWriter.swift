// SPDX-License-Identifier: Apache-2.0

import Ledger
import ReferenceData

/// Writes a message in UTF-8, element by element, in the order in which it is told.
struct MessageWriter {
  private let characters: MessageCharacters
  private(set) var text: String

  init(_ characters: MessageCharacters) {
    self.characters = characters
    text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
  }

  mutating func document(
    _ namespace: String, _ body: (inout MessageWriter) throws(MessageFault) -> Void
  ) throws(MessageFault) {
    text += "<Document xmlns=\"\(namespace)\">"
    try body(&self)
    text += "</Document>\n"
  }

  mutating func element(
    _ name: String, _ body: (inout MessageWriter) throws(MessageFault) -> Void
  ) throws(MessageFault) {
    text += "<\(name)>"
    try body(&self)
    text += "</\(name)>"
  }

  /// A text of 1 to so many characters, of the set that the message is written in.
  mutating func leaf(_ name: String, _ value: String, max: Int) throws(MessageFault) {
    guard (1...max).contains(value.unicodeScalars.count) else {
      throw MessageFault(element: name, "has not 1 to \(max) characters")
    }
    guard characters.admits(value) else {
      throw MessageFault(element: name, "has a character that the message may not have")
    }
    text += "<\(name)>\(Self.escaped(value))</\(name)>"
  }

  /// A reference, for which SEPA has rules of its own.
  mutating func identifier(_ name: String, _ value: String) throws(MessageFault) {
    guard characters.admitsIdentifier(value) else {
      throw MessageFault(element: name, "has a slash or a character that a reference may not have")
    }
    try leaf(name, value, max: 35)
  }

  mutating func money(_ name: String, _ money: Money) throws(MessageFault) {
    guard money.minorUnits > 0 else { throw MessageFault(element: name, "is not above zero") }
    try total(name, money)
  }

  /// An amount that may be zero, such as a balance.
  mutating func total(_ name: String, _ money: Money) throws(MessageFault) {
    guard money.minorUnits >= 0 else { throw MessageFault(element: name, "is below zero") }
    guard Currency.with(code: money.currency) != nil else {
      throw MessageFault(element: name, "is in a currency that is not known")
    }
    text += "<\(name) Ccy=\"\(money.currency)\">\(money.decimal)</\(name)>"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      // A parser makes a line feed of it where it stands bare (XML 1.0, section 2.11).
      case "\r": text += "&#13;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
