// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@Suite("JSON without a tree", .storeless)
struct PlainJSONTests {
  private static func words(_ text: String) -> [String]? {
    PlainJSONReader.read(Data(text.utf8)) { reader in
      var words: [String] = []
      let isRead = reader.object(["one", "two", "list"]) { name, reader in
        guard name == 2 else {
          guard let text = reader.text() else { return false }
          words.append("\(name)=\(text)")
          return true
        }
        return reader.list { reader in
          guard let text = reader.text() else { return false }
          words.append(text)
          return true
        }
      }
      return isRead ? words : nil
    }
  }

  @Test("objects, lists and texts are read, with white space wherever it may be")
  func read() {
    #expect(Self.words("{}") == [])
    #expect(Self.words(#"{"one":"a","two":"/~ b"}"#) == ["0=a", "1=/~ b"])
    #expect(Self.words(" {\n\t\"list\" : [ \"a\" ,\r\n\"\" ] , \"one\" : \"c\" } ") == ["a", "", "0=c"])
    #expect(Self.words(#"{"list":[]}"#) == [])
  }

  @Test(
    "whatever is not plain is left to the general reader",
    arguments: [
      "", "{", "[]", #""a""#, #"{"one":"a"}x"#, #"{"one":"a",}"#, #"{"one" "a"}"#, #"{one:"a"}"#, #"{"one":1}"#,
      #"{"one":null}"#, #"{"one":true}"#, #"{"one":{}}"#, #"{"one":["a"]}"#, #"{"three":"a"}"#,
      #"{"one":"a","one":"b"}"#, #"{"one":"\u0061"}"#, #"{"one":"\,"two":"b"}"#, #"{"one":"é"}"#,
      "{\"one\":\"\u{1}\"}", "{\"one\":\"a\u{0}\"}",
      "{\"one\":\"\u{7f}\"}", #"{"list":["a",]}"#, #"{"list":["a" "b"]}"#, #"{"list":"a"}"#, #"{"one":"a""two":"b"}"#,
      "\u{feff}{}", #"{"onE":"a"}"#,
    ])
  func refused(text: String) { #expect(Self.words(text) == nil) }

  private static func one(_ text: String) -> String? {
    PlainJSONReader.read(Data(text.utf8)) { reader in
      var found = "-"
      let isRead = reader.members(["one"]) { _, reader in
        guard let text = reader.text() else { return false }
        found = text
        return true
      }
      return isRead ? found : nil
    }
  }

  @Test("members that are not asked for are passed over, whatever they are")
  func passedOver() {
    #expect(Self.one("{}") == "-")
    #expect(Self.one(#"{"two":1}"#) == "-")
    #expect(Self.one(#"{"a":-1.5e3,"b":true,"one":"x","c":null}"#) == "x")
    #expect(Self.one(#"{"a":{"one":"no","b":[{"c":"}]"},[],1]},"one":"x"}"#) == "x")
    #expect(Self.one(#"{"a":"\"one\":\\","b":"é \u00e9 \/",  "one" : "x" , "c" : [ ] }"#) == "x")
    #expect(Self.one(#"{"one":"x","a":12 , "b":{ }}"#) == "x")
  }

  @Test(
    "and what is asked for has to be plain",
    arguments: [
      #"{"one":1}"#, #"{"one":null}"#, #"{"one":"é"}"#, #"{"one":"a","one":"b"}"#, #"{"a":"x}"#, #"{"a":"x\"}"#,
      #"{"a":[1}"#, #"{"a":{"b":1}"#, #"{"a":}"#, #"{"a":,"one":"x"}"#, #"{"a":1"#, #"{"a":1}x"#, "[]",
    ])
  func notPlain(text: String) { #expect(Self.one(text) == nil) }

  private struct Answer: Encodable {
    struct Inner: Encodable { let text: String }

    let absent: String?
    let inner: Inner
    let list: [Inner]
    let text: String
  }

  @Test(
    "what is written by members is what the encoder writes",
    arguments: ["", "plain", "a/b", "\"\\", "Zoë 😀\u{2028}\u{7f}", "\u{8}\t\n\u{c}\r\u{0}\u{1}\u{b}\u{1f}"])
  func written(text: String) throws {
    var writer = JSONWriter(capacity: 16)
    writer.object { writer in
      writer.member("absent", nil)
      writer.name("inner")
      writer.object { $0.member("text", text) }
      writer.name("list")
      writer.list { writer in
        for _ in 0..<2 { writer.object { $0.member("text", text) } }
      }
      writer.member("text", text)
    }
    let inner = Answer.Inner(text: text)
    let answer = Answer(absent: nil, inner: inner, list: [inner, inner], text: text)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(writer.data == (try encoder.encode(answer)))
  }

  @Test("an empty object and an empty list take no comma")
  func empty() {
    var writer = JSONWriter(capacity: 16)
    writer.list { writer in
      writer.object { _ in }
      writer.list { _ in }
      writer.value("a")
    }
    #expect(String(decoding: writer.data, as: UTF8.self) == #"[{},[],"a"]"#)
  }

  /// Foundation also reads `8f17-ee4-…`, and a space for a digit.
  @Test("a text is a UUID in the form of RFC 9562 alone, and is told in lower case", arguments: 1...4)
  func uuid(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789abcdefABCDEF-gG {}é".unicodeScalars)
    for _ in 0..<2000 {
      let digits = Array(generator.bytes(16).hex)
      let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
      var scalars = Array((Bool.random(using: &generator) ? parts : parts.uppercased()).unicodeScalars)
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<scalars.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(alphabet.randomElement(using: &generator) ?? "0", at: place)
        default: scalars[place] = alphabet.randomElement(using: &generator) ?? "0"
        }
      }
      let text = String(String.UnicodeScalarView(scalars))
      let groups = text.split(separator: "-", omittingEmptySubsequences: false)
      let isUUID =
        groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
        && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
      #expect(text.canonicalUUID == (isUUID ? text.lowercased() : nil), "\(text)")
      if isUUID { #expect(text.canonicalUUID == UUID(uuidString: text)?.uuidString.lowercased()) }
    }
  }
}
