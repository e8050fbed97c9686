// SPDX-License-Identifier: Apache-2.0

import CrashTrials
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

  @Test("what lines are made of needs no decoder")
  func plain() {
    #expect(AuditFacts.plain("{}") == [:])
    let facts = ["actor": "agent:0f", "from": "WAITING", "to": "DONE", "version": "3"]
    #expect(AuditFacts.plain(#"{"actor":"agent:0f","from":"WAITING","to":"DONE","version":"3"}"#) == facts)
  }
}
