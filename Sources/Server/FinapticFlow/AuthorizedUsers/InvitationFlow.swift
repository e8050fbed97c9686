// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The status of an invitation, as the wire has it (finaptic §4.4).
package enum InvitationStatus: String, Sendable, CaseIterable, SQLConvertible {
  /// Waits for the invited.
  case pending = "PENDING"
  /// Waits for the issuer to confirm, however long that takes.
  case accepted = "ACCEPTED"
  case declined = "DECLINED"
  /// The invited became an authorized user.
  case completed = "COMPLETED"
  case expired = "EXPIRED"
}

package enum InvitationEvent: String, Sendable, CaseIterable {
  case accepted, declined, confirmed, expired
}

package enum InvitationEffect: String, Sendable, CaseIterable {
  /// Tells the issuer that the invited answered.
  case mailIssuer
  /// Tells the invited that the account is theirs to use.
  case mailInvited
}

/// The life of an invitation to use an account (finaptic §8.10). Diagram: docs/flows/finaptic-invitation.mmd.
package let invitationFlow: TransitionTable<InvitationStatus, InvitationEvent, InvitationEffect> = .init([
  .init(.pending, on: .accepted, to: .accepted, do: .mailIssuer),
  .init(.pending, on: .declined, to: .declined, do: .mailIssuer),
  .init(.pending, on: .expired, to: .expired),
  .init(.accepted, on: .confirmed, to: .completed, do: .mailInvited),
])
