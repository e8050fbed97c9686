// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: access tokens of v2")
struct EncryptedAccessTokenTests {
  @Test(
    "is read by the device alone, whatever its letters",
    arguments: ["a", #"quoted " \ / é 🏦"#, String(repeating: "t", count: 220)])
  func roundTrip(token: String) throws {
    let text = try EncryptedAccessToken.encrypt(token, for: TestKeys.device().publicKey)
    #expect(try EncryptedAccessToken.decrypt(text, with: TestKeys.device()) == token)
    #expect(throws: SaltEdgeError.undecryptable) { try EncryptedAccessToken.decrypt(text, with: TestKeys.bank()) }
    let wrapped = stride(from: 0, to: text.count, by: 60).map { text.dropFirst($0).prefix(60) + "\n" }.joined()
    let url = text.replacing("+", with: "-").replacing("/", with: "_")
    for other in [wrapped, url, url.replacing("=", with: "")] {
      #expect(try EncryptedAccessToken.decrypt(other, with: TestKeys.device()) == token)
    }
  }

  @Test("one that does not fit is refused")
  func unfit() throws {
    let device = try TestKeys.device().publicKey
    #expect(throws: SaltEdgeError.tooLong(.accessToken)) {
      try EncryptedAccessToken.encrypt(String(repeating: "t", count: 240), for: device)
    }
    #expect(throws: SaltEdgeError.malformed(.accessToken)) { try EncryptedAccessToken.encrypt("", for: device) }
  }

  @Test(
    "anything else is refused alike",
    arguments: ["", "!", "AAAA", String(repeating: "A", count: 344), String(repeating: "A", count: 100_000)])
  func refused(text: String) throws {
    #expect(throws: SaltEdgeError.undecryptable) { try EncryptedAccessToken.decrypt(text, with: TestKeys.device()) }
  }
}
