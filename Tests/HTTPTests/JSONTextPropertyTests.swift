// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import TestSupport
import Testing

/// Texts by chance, which are right or are not by how they were made.
@Suite("JSON that every reader reads alike, by chance", .storeless)
struct JSONTextPropertyTests {
  private static let names = [
    "", "a", "b", "A", "a\"", "a\\", "/", "é", "ö", "😀", "{", "}:", "\n\t\u{8}\u{c}\r", "\u{0}", "가", "ﬁ",
  ]
  private static let shortEscapes: [Unicode.Scalar: String] = [
    "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{c}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
  ]

  /// A name in one of the forms in which it can be written.
  private static func spelt(_ name: String, _ generator: inout SeededGenerator) -> String {
    let isComposed = Bool.random(using: &generator)
    let form = isComposed ? name.precomposedStringWithCanonicalMapping : name.decomposedStringWithCanonicalMapping
    var text = ""
    for character in form.unicodeScalars {
      let needsEscape = character.value < 0x20 || character == "\"" || character == "\\"
      if let short = shortEscapes[character], Bool.random(using: &generator) {
        text += short
      } else if needsEscape || Int.random(in: 0..<3, using: &generator) == 0 {
        for unit in String(character).utf16 {
          let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        text.unicodeScalars.append(character)
      }
    }
    return "\"\(text)\""
  }

  private static func one(of texts: [String], _ generator: inout SeededGenerator) -> String {
    texts[Int.random(in: 0..<texts.count, using: &generator)]
  }

  /// White space before and behind a text, or none.
  private static func spaced(_ text: String, _ generator: inout SeededGenerator) -> String {
    let spaces = ["", "", " ", "\n\t", "\r\n"]
    return one(of: spaces, &generator) + text + one(of: spaces, &generator)
  }

  /// A value of JSON, and whether an object in it has two members of one name.
  private static func value(_ depth: Int, _ generator: inout SeededGenerator) -> (text: String, isRepeated: Bool) {
    var (inner, isRepeated, used) = ([String](), false, Set<String>())
    let kind = Int.random(in: 0..<(depth > 3 ? 2 : 6), using: &generator)
    guard kind > 1 else {
      let plain = one(of: ["1", "-0.5e3", "true", "null"], &generator)
      let text = kind == 0 ? plain : spelt(one(of: names, &generator), &generator)
      return (spaced(text, &generator), false)
    }
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let member = value(depth + 1, &generator)
      isRepeated = isRepeated || member.isRepeated
      guard kind > 2 else {
        inner.append(member.text)
        continue
      }
      let name = one(of: names, &generator)
      isRepeated = !used.insert(name).inserted || isRepeated
      inner.append(spaced(spelt(name, &generator), &generator) + ":" + member.text)
    }
    let content = inner.isEmpty ? spaced("", &generator) : inner.joined(separator: ",")
    return (spaced(kind > 2 ? "{\(content)}" : "[\(content)]", &generator), isRepeated)
  }

  @Test("a text of JSON is refused exactly when an object in it has two members of one name", arguments: 1...4)
  func exact(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let (text, isRepeated) = Self.value(0, &generator)
      let data = Data(text.utf8)
      #expect((try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil, "\(text)")
      #expect(fault(data) == (isRepeated ? .repeatedName : nil), "\(text)")
    }
  }

  @Test("whatever passes and is read by both readers is the same for both", arguments: 1...4)
  func alike(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var read = 0
    for _ in 0..<3000 {
      var bytes = Array(Self.value(0, &generator).text.utf8)
      let material = Array("{}[]\",:\\u0a \u{e9}".utf8) + [0xff, 0xc0, 0x00, 0xed]
      for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(material.randomElement(using: &generator) ?? 0, at: place)
        default: bytes[place] = material.randomElement(using: &generator) ?? 0
        }
      }
      let data = Data(bytes)
      guard fault(data) == nil else { continue }
      guard let one = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed),
        let other = try? JSONDecoder().decode(Tree.self, from: data)
      else { continue }
      read += 1
      #expect(Tree(one) == other, "\(String(decoding: data, as: UTF8.self))")
    }
    // Most do pass: else this would say nothing.
    #expect(read > 500)
  }

  private func fault(_ text: Data) -> JSONText.Fault? {
    do { try JSONText.check(text) } catch { return error }
    return nil
  }

  /// What a text says, no matter who read it.
  private indirect enum Tree: Decodable, Equatable {
    case nothing
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([Tree])
    case object([String: Tree])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .nothing
      } else if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([Tree].self) {
        self = .list(list)
      } else {
        self = .object(try value.decode([String: Tree].self))
      }
    }

    init(_ tree: Any) {
      switch tree {
      case let number as NSNumber:
        self = String(cString: number.objCType) == "c" ? .flag(number.boolValue) : .number(number.doubleValue)
      case let text as String: self = .text(text)
      case let list as [Any]: self = .list(list.map(Tree.init))
      case let object as [String: Any]: self = .object(object.mapValues(Tree.init))
      default: self = .nothing
      }
    }
  }
}
