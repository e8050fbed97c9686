// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: the query that is signed")
struct CanonicalQueryTests {
  private func canonical(_ query: String?) throws -> String {
    String(decoding: try CanonicalQuery.body(of: query), as: UTF8.self)
  }

  @Test("pairs are decoded, sorted by name and value, and encoded anew")
  func order() throws {
    #expect(try canonical("b=2&a=2&a=1&b=") == "a=1&a=2&b=&b=2")
    #expect(try canonical("a%62=%7e&A=+%20&é=ž") == "A=++&ab=%7E&%C3%A9=%C5%BE")
    #expect(try canonical("a=b=c&=x") == "=x&a=b%3Dc")
  }

  @Test("pieces without a sign are dropped, nothing is an empty body")
  func dropped() throws {
    #expect(try canonical("a&&b=1&c") == "b=1")
    #expect(try canonical("a") == "")
    #expect(try canonical("") == "")
    #expect(try canonical(nil) == "")
  }

  @Test("a broken percent sign is refused", arguments: ["a=%", "a=%4", "a=%4g", "%=1", "a=%%41"])
  func broken(query: String) {
    #expect(throws: PowerAuthError.malformed(.query)) { try canonical(query) }
  }

  @Test("an endless query is refused")
  func endless() {
    #expect(throws: PowerAuthError.tooLong(.query)) { try canonical(String(repeating: "a=1&", count: 100_000)) }
  }

  @Test("a device that has names and values signs what the server reads", arguments: 0..<50)
  func bothEnds(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("aAbz09 -_.*~&=%+é😀\u{0}\n")
    func text() -> String {
      String(
        (0..<Int.random(in: 0...4, using: &generator)).compactMap { _ in alphabet.randomElement(using: &generator) })
    }
    let parameters = (0..<Int.random(in: 0...6, using: &generator)).map { _ in (name: text(), value: text()) }
    let query = parameters.map { "\(FormURLEncoding.encode($0.name))=\(FormURLEncoding.encode($0.value))" }
      .joined(separator: "&")
    #expect(try CanonicalQuery.body(of: query) == CanonicalQuery.body(of: parameters))
  }
}
