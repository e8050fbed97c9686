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

/// How an invitation moves: its row, its entry in the audit log, the message to the other side, and the event for the
/// tenant's server.
struct InvitationMachine: StateMachine {
  typealias State = InvitationStatus
  typealias Event = InvitationEvent
  typealias Effect = InvitationEffect

  let commands: InvitationCommands

  let flow = "finaptic.invitation"
  var table: TransitionTable<State, Event, Effect> { invitationFlow }
  var state: WritableKeyPath<Invitation, InvitationStatus> { \.status }

  func refusal(of event: InvitationEvent, in state: InvitationStatus) -> any Error {
    InvitationCommands.outOfOrder(state)
  }

  func save(_ invitation: inout Invitation, in tx: any SQLTransaction) throws {
    try InvitationStore(tx, vault: commands.core.vault).save(invitation, at: commands.core.world.now())
    invitation.version += 1
  }

  func auditEntry(for move: Move, of invitation: Invitation) -> AuditEntry? {
    AuditEntry("finaptic.invitation.\(move.event.rawValue)", chain: "finaptic-\(invitation.id)")
  }

  func owedEffect(_ effect: InvitationEffect, for move: Move, of invitation: Invitation) -> OwedEffect? {
    switch effect {
    case .mailIssuer, .mailInvited:
      OwedEffect(InvitationMail.topic, subject: invitation.id.rawValue, payload: move.event.rawValue)
    }
  }

  func complete(_ move: Move, of invitation: inout Invitation, by actor: String, in tx: any SQLTransaction) throws {
    switch move.event {
    case .accepted, .declined: try commands.tell(.invitationAnswered, invitation, in: tx)
    case .confirmed: try commands.tell(.invitationConfirmed, invitation, in: tx)
    case .expired: break
    }
  }
}
