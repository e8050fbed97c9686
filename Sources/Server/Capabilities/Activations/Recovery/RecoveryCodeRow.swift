import Foundation
import Kit
import PowerAuthCore
import Storage

/// A recovery code as it is stored (powerauth.md §3.1, §8).
struct RecoveryCodeRow: Sendable {
  typealias ID = Identifier<RecoveryCodeRow>

  enum State: String, SQLConvertible {
    /// Not usable yet: its activation is not committed, or nobody confirmed the letter that it came in.
    case created
    case active
    /// Too many wrong PUKs.
    case blocked
    /// Used up, or its activation was removed with it.
    case revoked
  }

  let id: ID
  let application: PowerAuthApplication.ID
  /// Whose device it brings back; nil for a code on paper.
  let activation: Activation.ID?
  var state: State
  var version: Int
  let userDigest: String
  let sealedUser: Data
  let codeDigest: String
  /// Of the PUK that is asked for next, counted from 1.
  var pukIndex: Int
  var failedAttempts: Int
  let createdAt: Instant
}

/// A recovery code with its PUKs, in clear for the one time that they are shown.
package struct IssuedRecoveryCode: Sendable {
  package let code: RecoveryCode
  /// In the order in which they are asked for.
  package let puks: [RecoveryPUK]
}
