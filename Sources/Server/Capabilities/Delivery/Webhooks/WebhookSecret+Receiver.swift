import Foundation
import Kit

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
