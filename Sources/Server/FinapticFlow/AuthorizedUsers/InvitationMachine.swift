// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How an invitation moves: its row, its entry in the audit log, the message to the other side, and the event for the
/// tenant's server.
struct InvitationMachine: StateMachine {
  typealias Move = TransitionTable<InvitationStatus, InvitationEvent, InvitationEffect>.Row

  let commands: InvitationCommands

  let flow = "finaptic.invitation"
  var table: TransitionTable<InvitationStatus, InvitationEvent, InvitationEffect> { invitationFlow }
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
