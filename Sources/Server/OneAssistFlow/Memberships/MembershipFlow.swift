// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import Storage

extension MembershipStatus: SQLConvertible {}

/// What moves a membership.
package enum MembershipEvent: String, Sendable, CaseIterable {
  /// IMEI, PIN code and address are all there.
  case detailsStored
  /// No mandatory photo is missing or refused.
  case documentsComplete
  /// The review refused a mandatory photo, and may.
  case photosAskedAgain
  /// Accepted, and the plan has begun.
  case accepted
  /// Accepted; the plan begins on a later day.
  case acceptedForLater
  case refused
  /// The phone was reported lost or stolen, which the server refuses by itself.
  case blacklisted
  /// The day on which the plan begins.
  case startReached
  case cancelled
  /// Photos were not in by their last day.
  case lapsed
}

package enum MembershipEffect: String, Sendable, CaseIterable {
  /// The partner learns of the new status.
  case tellPartner
}

/// The life of a membership (oneassist §3). `lapsed` leaves only what waits for the user: what waits for a review or for
/// its day has its photos.
package let membershipFlow: TransitionTable<MembershipStatus, MembershipEvent, MembershipEffect> = .init([
  .init(.detailsPending, on: .detailsStored, to: .detailsComplete, do: .tellPartner),
  .init(.detailsPending, on: .cancelled, to: .cancelled, do: .tellPartner),
  .init(.detailsPending, on: .lapsed, to: .cancelled, do: .tellPartner),
  .init(.detailsComplete, on: .documentsComplete, to: .pending, do: .tellPartner),
  .init(.detailsComplete, on: .cancelled, to: .cancelled, do: .tellPartner),
  .init(.detailsComplete, on: .lapsed, to: .cancelled, do: .tellPartner),
  .init(.reupload, on: .documentsComplete, to: .pending, do: .tellPartner),
  .init(.reupload, on: .cancelled, to: .cancelled, do: .tellPartner),
  .init(.reupload, on: .lapsed, to: .cancelled, do: .tellPartner),
  .init(.pending, on: .photosAskedAgain, to: .reupload, do: .tellPartner),
  .init(.pending, on: .accepted, to: .approved, do: .tellPartner),
  .init(.pending, on: .acceptedForLater, to: .queued, do: .tellPartner),
  .init(.pending, on: .refused, to: .rejected, do: .tellPartner),
  .init(.pending, on: .blacklisted, to: .rejected, do: .tellPartner),
  .init(.pending, on: .cancelled, to: .cancelled, do: .tellPartner),
  .init(.queued, on: .startReached, to: .approved, do: .tellPartner),
  .init(.queued, on: .cancelled, to: .cancelled, do: .tellPartner),
])

/// The same moves where two persons decide on a membership (four eyes). Asking for photos again decides nothing, and
/// takes one; so does what the server does by itself.
package let membershipFlowOfTwo: TransitionTable<MembershipStatus, MembershipEvent, MembershipEffect> = .init(
  membershipFlow.rows.map { row in
    switch row.event {
    case .accepted, .acceptedForLater, .refused: row.under(MembershipVerdict.rule)
    default: row
    }
  })

/// How a membership moves, and what ends with it.
struct MembershipMachine: StateMachine {
  typealias State = MembershipStatus
  typealias Event = MembershipEvent
  typealias Effect = MembershipEffect

  let memberships: MembershipService
  /// Whether two persons decide.
  var needsTwo = false
  /// What a reviewer says, for a move that is theirs.
  var verdict: MembershipVerdict?
  private var core: CoreDependencies { memberships.core }

  let flow = "oneassist.membership"
  var table: TransitionTable<State, Event, Effect> { needsTwo ? membershipFlowOfTwo : membershipFlow }
  var state: WritableKeyPath<Membership, State> { \.status }

  func tenant(of membership: Membership, in tx: any SQLTransaction) throws -> String? {
    try PartnerStore(tx, vault: core.vault).find(membership.partner)?.tenant
  }

  func prepare(_ membership: inout Membership, for move: Move) {
    if membership.hasEnded { membership.eraseAfter = core.world.now() + memberships.policy.retention }
    if move.to == .approved || move.to == .queued {
      membership.eraseAfter = membership.endsOn.endInPlans + memberships.policy.retention
    }
  }

  func save(_ membership: inout Membership, in tx: any SQLTransaction) throws {
    try memberships.save(&membership, in: tx)
  }

  func auditEntry(for move: Move, of membership: Membership) -> AuditEntry? {
    AuditEntry(
      "oneassist.status.changed", chain: membership.id.chain,
      facts: ["from": move.from.rawValue, "to": move.to.rawValue, "event": move.event.rawValue])
  }

  func boundAct(of event: Event, on membership: Membership) -> BoundAct? { verdict?.act(on: membership) }

  /// The payload is the change as it is now: several may be on their way at once. Its version tells them apart.
  func owedEffect(_ effect: Effect, for move: Move, of membership: Membership) -> OwedEffect? {
    OwedEffect(
      "oneassist.\(effect.rawValue)", subject: membership.id.rawValue,
      payload: "\(membership.version) \(move.from.rawValue) \(move.to.rawValue) \(core.world.now().milliseconds)")
  }

  /// Withdraws the links: none outlives what it is for.
  func complete(_ move: Move, of membership: inout Membership, by actor: String, in tx: any SQLTransaction) throws {
    if membership.hasEnded { try LinkStore(tx).withdraw(of: membership.id, at: core.world.now()) }
  }
}
