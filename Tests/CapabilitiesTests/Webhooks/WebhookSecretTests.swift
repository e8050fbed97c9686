// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Testing
import TestSupport

@Suite("Webhooks: what a receiver takes", .storeless)
struct WebhookSecretTests {
  private static let secret = "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString()
  private let now = Instant(milliseconds: 1_795_240_800_000)
  private let body = Data(#"{"a":1}"#.utf8)

  private func accepts(
    _ body: Data? = nil, id: String? = "msg_1", timestamp: String? = "1795240800", change: (String) -> String? = { $0 }
  ) throws -> Bool {
    let key = try #require(WebhookSecret(Self.secret))
    let signature = try #require(key.fields(id: "msg_1", seconds: 1_795_240_800, body: self.body)["webhook-signature"])
    return key.accepts(body ?? self.body, id: id, timestamp: timestamp, signatures: change(signature), at: now)
  }

  @Test("a call with the right signature of now is taken, also beside the signature of another secret")
  func taken() throws {
    #expect(try accepts())
    #expect(try accepts { "v1,AAAA \($0)" })
  }

  @Test("any changed byte of body, id, time or signature is refused, and so is a missing one")
  func refused() throws {
    for place in body.indices {
      var changed = body
      changed[place] ^= 1
      #expect(try !accepts(changed))
    }
    #expect(try !accepts(id: "msg_2"))
    #expect(try !accepts(id: nil) && !accepts(id: ""))
    #expect(try !accepts(timestamp: "1795240801"))
    for time in [nil, "", "x", "1795240800.0", "-9223372036854775808", "9223372036854775807", "0"] as [String?] {
      #expect(try !accepts(timestamp: time))
    }
    #expect(try !accepts { _ in nil } && !accepts { _ in "" })
    #expect(try !accepts { String($0.dropLast()) } && !accepts { $0.replacing("v1,", with: "v2,") })
  }

  @Test("a call of more than five minutes ago, or of a clock as far ahead, is refused")
  func stale() throws {
    let key = try #require(WebhookSecret(Self.secret))
    for (seconds, isTaken) in [(-301, false), (-300, true), (300, true), (301, false)] {
      let then = now.seconds + Int64(seconds)
      let signature = key.fields(id: "m", seconds: then, body: body)["webhook-signature"]
      #expect(key.accepts(body, id: "m", timestamp: "\(then)", signatures: signature, at: now) == isTaken)
    }
  }

  @Test(
    "an invalid secret is refused",
    arguments: ["", "whsec_", "whsec_AAAA", "AAAA", "whsec_!", "whsec_" + Data(count: 65).base64EncodedString()])
  func malformed(text: String) { #expect(WebhookSecret(text) == nil) }
}
