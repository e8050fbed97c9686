// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Foundation
import TestSupport
import Testing

@testable import Kit

@Suite("Kit: the facts of an audit line, as they are stored", .storeless)
struct AuditFactsTests {
  private static let pieces = [
    "a", "b_c", "kind", "Z", "n10", "n9", "é", "\u{1F600}", "", " ", "/", "\\", "\"", "\n", "\u{7F}", "~", ":", ",",
    "{",
  ]

  @Test("facts of any characters are read as they were written, and as what was written")
  func written() throws {
    var generator = SeededGenerator(seed: 28)
    for _ in 0..<2000 {
      var facts: [String: String] = [:]
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        func text() -> String {
          (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            Self.pieces.randomElement(using: &generator) ?? ""
          }.joined()
        }
        facts[text()] = text()
      }
      let text = try AuditFacts.text(facts)
      let read = try AuditFacts.read(text)
      #expect(read.facts == facts && read.isCanonical, "\(text)")
      if let plain = AuditFacts.plain(text) { #expect(plain == facts, "\(text)") }
    }
  }

  @Test(
    "a text that says the same in another spelling, or nothing, is not as it was written",
    arguments: [
      #"{"a": "1"}"#, #"{"a":"1","a":"1"}"#, #"{"b":"1","a":"2"}"#, #"{"a":"1"} "#, #" {"a":"1"}"#, #"{"a":"1",}"#,
      #"{"a":"\u0031"}"#, #"{"a":1}"#, "{", "[]", "", #"{"a":"1""#, #"{"":"1"} "#, #"{"a":"1"}{}"#,
    ])
  func changed(text: String) throws {
    #expect(try AuditFacts.plain(text) == nil && !AuditFacts.read(text).isCanonical)
  }

  @Test("a text that somebody changed is read without a decoder only as a decoder reads it and an encoder writes it")
  func tampered() throws {
    var generator = SeededGenerator(seed: 29)
    let bytes = Array(#"{}":,\/_azAZ09 u"#.utf8) + [0x00, 0x0A, 0x7F, 0xC3, 0xA9]
    var readPlainly = 0
    for _ in 0..<4000 {
      var text = Array(#"{"a":"1","ab":"x y","b_c":"","bc":"agent:0f"}"#.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let (place, byte) = (
          Int.random(in: 0..<text.count, using: &generator), bytes.randomElement(using: &generator) ?? 0
        )
        switch Int.random(in: 0...2, using: &generator) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        default: text.remove(at: place)
        }
      }
      let changed = String(decoding: text, as: UTF8.self)
      guard let plain = AuditFacts.plain(changed) else { continue }
      readPlainly += 1
      let decoded = try JSONDecoder().decode([String: String].self, from: Data(changed.utf8))
      let written = try AuditFacts.text(plain)
      #expect(decoded == plain && written == changed, "\(changed)")
    }
    #expect(readPlainly > 100)
  }

  @Test("the order of keys of small letters and underscores is the encoder's, so that they need no decoder")
  func order() throws {
    var generator = SeededGenerator(seed: 30)
    for _ in 0..<1000 {
      var facts: [String: String] = [:]
      for _ in 0..<4 {
        let length = Int.random(in: 1...4, using: &generator)
        facts[String((0..<length).map { _ in "abz_".randomElement(using: &generator) ?? "a" })] = "1"
      }
      #expect(AuditFacts.plain(try AuditFacts.text(facts)) == facts)
    }
  }

  @Test("what lines are made of needs no decoder")
  func plain() {
    #expect(AuditFacts.plain("{}") == [:])
    let facts = ["actor": "agent:0f", "from": "WAITING", "to": "DONE", "version": "3"]
    #expect(AuditFacts.plain(#"{"actor":"agent:0f","from":"WAITING","to":"DONE","version":"3"}"#) == facts)
  }
}
