import Crypto
import Foundation
import Kit

/// The secret that both ends of a webhook share, as Standard Webhooks has it (1.0.0, symmetric): `whsec_` and the
/// Base64 of 24 to 64 bytes. Signatures are `v1,<Base64 of an HMAC-SHA-256>` over `id.timestamp.body`.
package struct WebhookKey: Sendable {
  package static let prefix = "whsec_"
  /// How far a sender's clock may be off, both ways.
  package static let tolerance = Duration.minutes(5)

  private let key: SymmetricKey

  /// - Returns: nil for a text that is no such secret.
  package init?(_ secret: String) {
    guard secret.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(secret.dropFirst(Self.prefix.count))),
      (24...64).contains(bytes.count)
    else { return nil }
    key = SymmetricKey(data: bytes)
  }

  package func signature(of body: Data, id: String, seconds: Int64) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Data("\(id).\(seconds).".utf8) + body, using: key)
    return "v1,\(Data(code).base64EncodedString())"
  }

  /// Whether a call is the other end's, and of now.
  /// - Parameters:
  ///   - timestamp: Unix seconds, as the field `webhook-timestamp` has them.
  ///   - signatures: as the field `webhook-signature` has them: one for each secret in use, parted by spaces.
  package func accepts(
    _ body: Data, id: String?, timestamp: String?, signatures: String?, at now: Instant
  ) -> Bool {
    guard let id, !id.isEmpty, let seconds = timestamp.flatMap({ Int64($0) }), let signatures,
      (Instant(milliseconds: 0).seconds...253_402_300_799).contains(seconds),
      abs(now.seconds - seconds) <= Int64(Self.tolerance.wholeSeconds)
    else { return false }
    let expected = Data(signature(of: body, id: id, seconds: seconds).utf8)
    return signatures.split(separator: " ", maxSplits: 8).contains {
      expected.isEqualInConstantTime(to: $0.utf8)
    }
  }
}
