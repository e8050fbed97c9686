// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: Base64")
struct Base64TextTests {
  @Test("what is encoded comes back, as Foundation has it", arguments: 0..<40)
  func roundTrip(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let bytes = Data(generator.bytes(count))
    let (standard, url) = (bytes.base64EncodedString(), Base64Text.url(bytes))
    #expect(url == standard.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
    #expect(Base64Text.decode(standard.utf8, .standard) == bytes && Base64Text.decode(url.utf8, .url) == bytes)
    for tolerated in [
      standard, url, standard.replacing("=", with: ""), " \(standard)\r\n", standard.map { "\($0)\n" }.joined(),
    ] {
      #expect(Base64Text.decode(tolerated.utf8, .any) == bytes)
    }
  }

  @Test(
    "the strict spellings are one for each value",
    arguments: [
      "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm9", "Zm9v\n", " Zm9v", "Zm9v=", "=", "====", "Z", "Zm9vZ", "Zm-_",
      "Zg==Zg==",
      "Zm9v\u{0}", "Zm9é",
    ])
  func strict(text: String) {
    #expect(Base64Text.decode(text.utf8, .standard) == nil)
  }

  @Test(
    "base64url has neither padding nor the other alphabet", arguments: ["Zg==", "Zh", "Zm+/", "Zm9v ", "Z", "Zm9vZ"])
  func strictURL(text: String) {
    #expect(Base64Text.decode(text.utf8, .url) == nil)
  }

  @Test("in lines, the alphabet and the padding stay those of the standard")
  func lines() {
    #expect(Base64Text.decode(" Zm9v\r\nZg=\n=\n".utf8, .lines) == Data("foof".utf8))
    for text in ["Zm-_", "Zg", "Zg=", "Zm9v-", "Zm9v!"] { #expect(Base64Text.decode(text.utf8, .lines) == nil) }
  }

  @Test(
    "tolerance has bounds", arguments: ["Z", "Zg=", "Zg===", "Z=g=", "Zm9v!", "=Zg=", "Zm9v====", "Zm9v\u{a0}", "."])
  func refused(text: String) {
    #expect(Base64Text.decode(text.utf8, .any) == nil)
  }
}
