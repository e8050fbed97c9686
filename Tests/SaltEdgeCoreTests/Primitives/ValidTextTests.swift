// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: text and addresses, on systems before iOS 18")
struct ValidTextTests {
  @Test("bytes are UTF-8 exactly when the library takes them", arguments: 0..<8)
  func text(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Bytes that begin, continue and end sequences, so that whole ones come up.
    let bytes: [UInt8] = [
      0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc2, 0xc3, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xef, 0xbb, 0xf0, 0x9f,
    ]
    var valid = 0
    for _ in 0..<5000 {
      let sample = generator.bytes(1 + Int(seed)).map { bytes[Int($0) % bytes.count] }
      let reference = String(validating: sample, as: UTF8.self)
      #expect(String(validUTF8: sample) == reference)
      if reference != nil { valid += 1 }
    }
    #expect(valid > 0)
    #expect(String(validUTF8: [0xef, 0xbb, 0xbf, 0x41] as [UInt8]) == "\u{feff}A")
    #expect(String(validUTF8: Data()) == "")
  }

  @Test("an address with a character that no address has is refused, and not encoded", arguments: 0..<4)
  func address(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let characters = Array("a1.-_~:/?#[]@!$&'()*+,;=%2f<>\"{}|\\^` é".unicodeScalars)
    for _ in 0..<5000 {
      let tail = generator.bytes(8).map { characters[Int($0) % characters.count] }
      let text = "https://bank.example/\(String(String.UnicodeScalarView(tail)))"
      let found = LinkQuery.webURL(text)
      let isASCII = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      let reference = isASCII ? URL(string: text, encodingInvalidCharacters: false) : nil
      #expect(found?.absoluteString == reference?.absoluteString, "\(text)")
    }
  }
}
