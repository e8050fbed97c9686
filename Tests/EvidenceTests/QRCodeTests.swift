// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Testing

@Suite("Evidence: QR codes")
struct QRCodeTests {
  @Test("what is drawn is read again, byte for byte", arguments: [1, 2, 17, 150, 400, 1000, QRCode.bytesMax])
  func roundTrip(length: Int) throws {
    let letters = Array("authenticator://saltedge.com/connect?%ü&=0123456789")
    var text = ""
    var place = 0
    while text.utf8.count + 2 <= length {
      text.append(letters[place % letters.count])
      place += 7
    }
    text += String(repeating: "x", count: length - text.utf8.count)
    #expect(try QRCode.text(in: try QRCode.png(text, module: 3)) == text)
  }

  @Test("nothing, too much, and a module of no size are refused")
  func refused() {
    #expect(throws: CVisionFailure.self) { _ = try QRCode.png("") }
    #expect(throws: CVisionFailure.self) { _ = try QRCode.png(String(repeating: "x", count: QRCode.bytesMax + 1)) }
    #expect(throws: CVisionFailure.self) { _ = try QRCode.png("x", module: 0) }
  }

  @Test("a file that is no picture is refused as such")
  func noPicture() {
    #expect(throws: ImageProblem.self) { _ = try QRCode.text(in: Data("no picture".utf8)) }
  }
}
