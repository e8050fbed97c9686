// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: the fields of a page's form", .storeless)
struct FormFieldsTests {
  private static func read(_ text: String) throws -> FormFields { try FormFields(bytes: Data(text.utf8)) }

  @Test("fields are decoded once: plus is a space, escapes are UTF-8")
  func decoded() throws {
    let form = try Self.read("name=Ada+A&text=%C3%BC%2B%26%3D%2520&empty=&bare&")
    #expect(form["name"] == "Ada A")
    #expect(form["text"] == "ü+&=%20")
    #expect(form["empty"] == "")
    #expect(form["bare"] == "")
    #expect(form["absent"] == nil)
  }

  @Test(
    "a form that can be read in two ways, or not at all, is refused whole",
    arguments: [
      "a=1&a=2", "a=%", "a=%4", "a=%zz", "a=%FF", "a=%C3", "a=%00", (0...64).map { "f\($0)=1" }.joined(separator: "&"),
      String(repeating: "a", count: 257) + "=1",
    ])
  func refused(text: String) {
    #expect(throws: Problem(.badRequest, "malformed-form", "The form could not be read.")) { _ = try Self.read(text) }
  }

  @Test(
    "a field that would take seconds to compare is refused, and it is told why",
    arguments: [
      "a" + String(repeating: "\u{315}\u{323}", count: 16_000) + "=1", "a=" + String(repeating: "%CC%81", count: 31),
    ])
  func marks(text: String) {
    let problem = Problem(
      .badRequest, "malformed-form", "A field of the form has more than 30 combining marks in a row.")
    #expect(throws: problem) { _ = try Self.read(text) }
    #expect((try? Self.read("a=" + String(repeating: "%CC%81", count: 30))) != nil)
  }

  @Test("another media type is refused")
  func media() {
    #expect(throws: Problem.unsupportedMedia) {
      _ = try FormFields(RequestContent(bytes: Data("a=1".utf8), contentType: "text/plain"))
    }
  }

  @Test("what a browser would send comes back, and any bytes are read or refused")
  func fuzz() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let text = String(
        String.UnicodeScalarView(
          (0..<12).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x2fff, using: &random)) }))
      let escaped = text.utf8.map { String(format: "%%%02X", $0) }.joined()
      #expect(try Self.read("x=\(escaped)")["x"] == text)
      let bytes = Data(random.bytes(40))
      do { _ = try FormFields(bytes: bytes) } catch is Problem {}
    }
  }
}
