// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import Storage

/// What happens to an activation.
package enum ActivationEvent: String, CaseIterable, Hashable, Sendable {
  /// A device sent its key and got the server's.
  case keysExchanged
  /// The same, without a confirmation.
  case keysExchangedAndCommitted
  case committed
  case lapsed
  /// Too many wrong activation OTPs.
  case otpExhausted
  case blocked
  /// Too many wrong signatures.
  case attemptsExhausted
  case unblocked
  case removed
  /// Another device took its place with a recovery code.
  case replaced
}

/// What a row of the table leaves behind in the same transaction. Nothing outside of the server learns of it here: what
/// callers tell others is their own.
package enum ActivationEffect: String, Hashable, Sendable {
  /// Tokens and temporary keys go: nothing that an activation handed out outlives it.
  case deleteCredentials
}

/// The life of an activation (powerauth.md §3.4). Diagram: docs/flows/activation.mmd.
package let activationFlow: TransitionTable<ActivationState, ActivationEvent, ActivationEffect> = .init([
  .init(.created, on: .keysExchanged, to: .pendingCommit),
  .init(.created, on: .keysExchangedAndCommitted, to: .active),
  .init(.created, on: .lapsed, to: .removed),
  .init(.created, on: .otpExhausted, to: .removed),
  .init(.created, on: .removed, to: .removed),
  .init(.pendingCommit, on: .committed, to: .active),
  .init(.pendingCommit, on: .lapsed, to: .removed, do: .deleteCredentials),
  .init(.pendingCommit, on: .otpExhausted, to: .removed, do: .deleteCredentials),
  .init(.pendingCommit, on: .removed, to: .removed, do: .deleteCredentials),
  .init(.active, on: .blocked, to: .blocked),
  .init(.active, on: .attemptsExhausted, to: .blocked),
  .init(.active, on: .removed, to: .removed, do: .deleteCredentials),
  .init(.active, on: .replaced, to: .removed, do: .deleteCredentials),
  .init(.blocked, on: .unblocked, to: .active),
  .init(.blocked, on: .removed, to: .removed, do: .deleteCredentials),
  .init(.blocked, on: .replaced, to: .removed, do: .deleteCredentials),
])

/// The same where two persons let a blocked device in again. Blocking it takes one: a stop counts at once.
package let activationFlowOfTwo: TransitionTable<ActivationState, ActivationEvent, ActivationEffect> = .init(
  activationFlow.rows.map { $0.event == .unblocked ? $0.under(Activation.unblockRule) : $0 })

extension Activation {
  /// Who blocks devices asks, and a colleague agrees.
  package static let unblockRule = FourEyes(maker: "block:users", checker: "approve:verdicts")
  private static let unblockAction = "activation.unblocked"

  /// Letting a blocked device in again as the colleague agrees to it: for a reason, as the device is now.
  package func unblocking(because reason: String) -> BoundAct { Self.unblocking(id, version, because: reason) }

  static func unblocking(_ id: ID, _ version: Int, because reason: String) -> BoundAct {
    BoundAct(unblockAction, subject: id.rawValue, version: Int64(version), content: reason)
  }

  /// Of a device that is blocked; nil of others: there is nothing to let in again.
  package static func version(ofBlocked id: ID, in tx: any SQLTransaction) throws -> Int64? {
    try ActivationStore(tx).find(id).flatMap { $0.state == .blocked ? Int64($0.version) : nil }
  }

  /// Whether an act lets a blocked device in again; its content is why.
  package static func isUnblocking(_ act: BoundAct) -> Bool { act.action == unblockAction }
}
