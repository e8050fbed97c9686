// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

/// What a sender and a receiver of webhooks share (Standard Webhooks 1.0.0, symmetric): `whsec_` and Base64.
package struct WebhookSecret: Sendable {
  private static let prefix = "whsec_"

  /// As the receiver keeps it.
  package let text: String
  private let key: SymmetricKey

  /// Nil for a text that is not one of 24 to 64 bytes.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
      (24...64).contains(bytes.count)
    else { return nil }
    self.text = text
    key = SymmetricKey(data: bytes)
  }

  /// A new one, of 32 random bytes.
  package init(_ world: World) {
    let bytes = Data(world.random(32))
    (text, key) = (Self.prefix + bytes.base64EncodedString(), SymmetricKey(data: bytes))
  }

  /// The fields that prove a message: its name, the same in every repetition, its time, and an HMAC-SHA-256 over
  /// `id.timestamp.body`.
  package func fields(id: String, seconds: Int64, body: Data) -> [String: String] {
    let code = HMAC<SHA256>.authenticationCode(for: Data("\(id).\(seconds).".utf8) + body, using: key)
    return [
      "webhook-id": id, "webhook-timestamp": "\(seconds)",
      "webhook-signature": "v1,\(Data(code).base64EncodedString())",
    ]
  }
}

/// The receiver's side: whether a call is the other end's, and of now.
extension WebhookSecret {
  /// How far a sender's clock may be off, both ways.
  package static let tolerance = Duration.minutes(5)
  private static let signaturesMax = 8

  /// - Parameters:
  ///   - timestamp: Unix seconds, as the field `webhook-timestamp` has them.
  ///   - signatures: as the field `webhook-signature` has them: one for each secret in use, parted by spaces.
  package func accepts(
    _ body: Data, id: String?, timestamp: String?, signatures: String?, at now: Instant
  ) -> Bool {
    guard let id, !id.isEmpty, let seconds = timestamp.flatMap({ Int64($0) }), let signatures,
      (0...253_402_300_799).contains(seconds), abs(now.seconds - seconds) <= Int64(Self.tolerance.wholeSeconds),
      let expected = fields(id: id, seconds: seconds, body: body)["webhook-signature"]
    else { return false }
    return signatures.split(separator: " ").prefix(Self.signaturesMax).contains {
      expected.utf8.isEqualInConstantTime(to: $0.utf8)
    }
  }
}
