// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Testing
import TestSupport

@Suite("JSON that every reader reads alike", .storeless)
struct JSONTextTests {
  @Test(
    "a text that readers take for the same passes, JSON or not",
    arguments: [
      "", "{", "}", "[", "]}{", "\"", #"{"a"#, #"{"a":1}"#, #"[{"a":1},{"a":2}]"#, #"{"a":{"a":{"a":[]}},"b":{"a":1}}"#,
      #"{"a":"\"b\":","b":"a"}"#, #"["a","a"]"#, #"{"a":["b","b"],"b":"b"}"#, #"{"a\\":1,"a":2}"#, #"{"a\"":1,"a":2}"#,
      #"{"é":1,"e":2}"#, #"{"A":1,"a":2}"#, #"{"\ud83d\ude00":1}"#, "\u{feff}{\"a\":1}",
    ])
  func passes(text: String) throws {
    try JSONText.check(Data(text.utf8))
  }

  @Test(
    "an object with two members of one name is refused, however the name is spelt and wherever the object is",
    arguments: [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a" : null}"#, "{\"a\":1,\"a\"\n\t\r :2}", #"{"a":1,"\u0061":2}"#,
      #"{"\u002f":1,"\/":2}"#, #"{"":1,"":2}"#, #"{"x":{"a":1,"a":2}}"#, #"[[{"y":[]},{"a":[],"a":{}}]]"#,
      #"{"a":{"a":1},"a":2}"#, #"{"a":"}","a":2}"#, #"{"a\"":1,"a\"":2}"#, #"{"a\\":1,"a\\":2}"#,
      // One key for the reader: the letter, and the letter with a combining accent.
      "{\"\u{e9}\":1,\"e\u{301}\":2}", #"{"\u00e9":1,"e\u0301":2}"#,
    ])
  func repeated(text: String) {
    #expect(fault(Data(text.utf8)) == .repeatedName)
  }

  @Test("every form that is ambiguous has its fault", arguments: AmbiguousJSON.forms(of: #"{"a":"b"}"#))
  func forms(form: AmbiguousJSON) {
    let expected: JSONText.Fault =
      switch form.name {
      case "a name twice": .repeatedName
      case "deep": .depth
      case "a long name": .longName
      case "half a character", "a comma too many": .syntax
      case "marks": .combiningMarks
      default: .encoding
      }
    #expect(fault(form.bytes) == expected)
    #expect(throws: JSONText.Fault.self) { try WireJSON.decode([String: String].self, from: form.bytes) }
  }

  @Test("objects and arrays may be open thirty-two deep")
  func depth() {
    func nested(_ count: Int) -> Data {
      Data((String(repeating: #"[{"a":"#, count: count / 2) + String(repeating: "[", count: count % 2)).utf8)
    }
    #expect(fault(nested(32)) == nil)
    #expect(fault(nested(33)) == .depth)
    #expect(fault(nested(1_000_000)) == .depth)
    // Closed ones do not count.
    #expect(fault(Data(String(repeating: "[]", count: 100).utf8)) == nil)
  }

  @Test(
    "a name with an escape of no character, and a comma before a closing bracket, are refused",
    arguments: [
      #"{"\ud800":1}"#, #"{"\udc00":1}"#, #"{"\ud83d\u0041":1}"#, #"{"\ud83d\"":1}"#, #"{"\ude00\ud83d":1}"#,
      #"{"\x":1}"#, #"{"\u12":1}"#, #"{"\u+061":1}"#, #"{"\u００６１":1}"#, #"{"a":1,}"#, #"{"a":[1 , ]}"#,
    ])
  func syntax(text: String) {
    #expect(fault(Data(text.utf8)) == .syntax)
  }

  @Test(
    "bytes that are no UTF-8 are refused wherever they are",
    arguments: [[0xff], [0xc0, 0xa2], [0xed, 0xa0, 0x80]])
  func encoding(bytes: [UInt8]) {
    for (before, behind) in [(#"{"a":""#, #""}"#), (#"{""#, #"":1}"#), (#"{"a":1}"#, "")] {
      #expect(fault(Data(before.utf8) + bytes + Data(behind.utf8)) == .encoding)
    }
  }

  @Test("a name has at most 512 bytes; a text as many as it likes")
  func longName() {
    func named(_ name: String) -> Data { Data(#"{"\#(name)":"\#(String(repeating: "a", count: 1000))"}"#.utf8) }
    #expect(fault(named(String(repeating: "a", count: 512))) == nil)
    #expect(fault(named(String(repeating: "a", count: 513))) == .longName)
    // Compared as a name, this would take a minute.
    #expect(fault(named("a" + String(repeating: "\u{315}\u{323}", count: 100_000))) == .combiningMarks)
  }

  @Test(
    "more than thirty marks in a row are refused in a text and in a name, spelt with escapes or not, also in part",
    arguments: ["\u{301}", "\\u0301", "\u{301}\\u0301", "\\u0301\u{1e8d0}", "\\ud83a\\udcd0", "\\u0301\\ud800"])
  func marks(piece: String) {
    let row = String(repeating: piece, count: 31)
    for text in ["\"\(row)\"", "[1,\"é\(row)\"]", "{\"\(row)\":1}", "{\"a\":{\"b\\\\\(row)\":1}}"] {
      #expect(fault(Data(text.utf8)) == .combiningMarks, "\(text)")
    }
    // Two texts are not one.
    let few = String(repeating: piece, count: 15)
    #expect(fault(Data("[\"\(few)\",\"\(few)\",\"\(few)\"]".utf8)) == nil)
  }

  @Test("a body of quotes and backslashes costs time by its length", arguments: ["\\\"", "\"", "\\\\\""])
  func length(piece: String) {
    let text = "{\"" + String(repeating: piece, count: 500_000)
    _ = fault(Data(text.utf8))
  }

  private func fault(_ text: Data) -> JSONText.Fault? {
    do { try JSONText.check(text) } catch { return error }
    return nil
  }
}
