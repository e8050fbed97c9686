import Evidence
import Foundation
import PowerAuthCore

/// The port to whoever checks that the person is there. Our own value is `evidence`.
package struct PresenceProvider: Sendable {
  /// What the app's library is told, beside the session's own attributes.
  package var start: @Sendable (_ session: PresenceSession) async throws -> [String: JSONValue]
  /// Takes a picture of the session in.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`.
  package var take: @Sendable (_ image: Data, _ widthMin: Int) async throws -> Data
  package var judge: @Sendable (_ evidence: PresenceEvidence) async throws -> EvidenceVerdict

  package init(
    start: @escaping @Sendable (PresenceSession) async throws -> [String: JSONValue],
    take: @escaping @Sendable (Data, Int) async throws -> Data,
    judge: @escaping @Sendable (PresenceEvidence) async throws -> EvidenceVerdict
  ) {
    self.start = start
    self.take = take
    self.judge = judge
  }
}

/// A presence check that is about to begin.
package struct PresenceSession: Sendable {
  package let verification: String
  /// Opens the session's own call. A secret of the app.
  package let token: String
  package let lifetime: Duration
}

/// What a presence check left to judge.
package struct PresenceEvidence: Sendable {
  /// Pictures of the session, in order.
  package let captures: [Data]
  /// Cut out of the documents.
  package let portraits: [Data]

  package init(captures: [Data], portraits: [Data]) {
    self.captures = captures
    self.portraits = portraits
  }
}
