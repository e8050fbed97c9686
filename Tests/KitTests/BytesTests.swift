// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@Suite("Kit: bytes as text", .storeless)
struct BytesTests {
  @Test("the published base64 examples, in the URL alphabet without padding (RFC 4648 §10)")
  func vectors() {
    let pairs = [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ]
    for (plain, text) in pairs {
      #expect(Data(plain.utf8).base64URL == text)
      #expect(Data(base64URL: text) == Data(plain.utf8))
    }
    #expect(Data([0xfb, 0xff, 0xfe]).base64URL == "-__-")
  }

  @Test("any bytes come back from base64url and from hexadecimal digits")
  func roundTrip() {
    var generator = SeededGenerator(seed: 5)
    for length in 0..<200 {
      let bytes = Data(generator.bytes(length))
      #expect(Data(base64URL: bytes.base64URL) == bytes)
      #expect(!bytes.base64URL.contains { "+/=".contains($0) })
      #expect(Data(hex: bytes.hex) == bytes)
      #expect(Data(hex: bytes.hex.uppercased()) == bytes)
      #expect(bytes.hex.utf8.count == 2 * length)
    }
  }

  @Test(
    "what is not base64url is refused",
    arguments: ["=", "Zg==", "Zg=", "a+b/", "Z", "Zm9vY", "Zm 9v", "Zm9v\n", "Zmä", "Zg\u{0}"])
  func badBase64(text: String) {
    #expect(Data(base64URL: text) == nil)
  }

  @Test(
    "what is not hexadecimal is refused",
    arguments: ["0", "0g", "0x00", "+f", "-0", " 0", "00 ", "ää", "é", "0\u{301}1"])
  func badHex(text: String) {
    #expect(Data(hex: text) == nil)
  }

  @Test("bytes are compared as a whole")
  func equality() {
    let bytes: [UInt8] = [1, 2, 3]
    #expect(bytes.isEqualInConstantTime(to: Data([1, 2, 3])))
    #expect([UInt8]().isEqualInConstantTime(to: []))
    for other: [UInt8] in [[], [1, 2], [1, 2, 3, 4], [0, 2, 3], [1, 2, 0]] {
      #expect(!bytes.isEqualInConstantTime(to: other))
    }
  }
}
