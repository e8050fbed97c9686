// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import Testing
import TestSupport

@Suite("HTTP: JSON from a monkey", .storeless)
struct StrictJSONFuzzTests {
  private static let body = #"""
    {"name":"Zoë","age":41,"ratio":-0.5e1,"small":-3,"count":7,"agreed":true,"home":{"city":"Brno"},
     "homes":[{"city":"a"},{"city":"b"}],"places":{"x":{"city":"c"}},"tags":["a","b"],"extra":{"k":1},
     "photo":"AAEC","kind":"red","nothing":{}}
    """#

  @Test("random bytes are a problem or a form, never a crash or another error", arguments: 1...4)
  func randomBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let bytes = generator.bytes(Int.random(in: 0..<80, using: &generator))
      _ = problem { try StrictJSON.decode(Form.self, from: Data(bytes)) }
    }
  }

  @Test("a damaged body is a problem or a form without anything unknown", arguments: 1...4)
  func mutated(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array(#"{}[]:,"\ntrue0123456789.-+eE/ab "#.utf8)
    for _ in 0..<500 {
      var bytes = Array(Self.body.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = alphabet.randomElement(using: &generator) ?? 0
        case 1: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
        default: bytes.remove(at: place)
        }
      }
      try acceptsNothingUnknown(Data(bytes))
    }
  }

  @Test("a member put anywhere is refused", arguments: 1...4)
  func planted(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let objects = Self.body.utf8.indices.filter { Self.body.utf8[$0] == UInt8(ascii: "{") }
    // Two objects of the body are free: their members' names are the client's.
    let free = ["\"places\":", "\"extra\":"]
    for start in objects where !free.contains(where: { Self.body[..<start].hasSuffix($0) }) {
      let name = "m" + generator.bytes(4).hex
      var body = Self.body
      let isEmpty = body.utf8[body.utf8.index(after: start)] == UInt8(ascii: "}")
      body.insert(contentsOf: "\"\(name)\":[1]" + (isEmpty ? "" : ","), at: body.utf8.index(after: start))
      let problem = problem { try StrictJSON.decode(Form.self, from: Data(body.utf8)) }
      #expect(problem?.code == "unknown-field", "\(name) was accepted")
      #expect(problem?.fields.count == 1 && problem?.fields.first?.pointer.hasSuffix("/\(name)") == true)
    }
  }

  /// What is accepted says the same when it is written again: nothing of it was overlooked.
  private func acceptsNothingUnknown(_ data: Data) throws {
    var form: Form?
    _ = problem { form = try StrictJSON.decode(Form.self, from: data) }
    guard let form else { return }
    let read = try JSONSerialization.jsonObject(with: data)
    let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(form))
    #expect(Self.pointers(read).subtracting(Self.pointers(written)).isEmpty, "\(String(decoding: data, as: UTF8.self))")
  }

  /// The pointers of all members that are not null.
  private static func pointers(_ tree: Any, at path: String = "") -> Set<String> {
    if let object = tree as? [String: Any] {
      return object.reduce(into: []) { all, member in
        if member.value is NSNull { return }
        all.insert("\(path)/\(member.key)")
        all.formUnion(pointers(member.value, at: "\(path)/\(member.key)"))
      }
    }
    if let array = tree as? [Any] {
      return array.enumerated().reduce(into: []) { $0.formUnion(pointers($1.element, at: "\(path)/\($1.offset)")) }
    }
    return []
  }
}
