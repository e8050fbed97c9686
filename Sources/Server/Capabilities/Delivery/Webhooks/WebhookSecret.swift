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
