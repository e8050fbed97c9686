import Kit
import OneAssistCore
import Storage

/// How a membership moves, and what ends with it.
struct MembershipMachine: StateMachine {
  typealias State = MembershipStatus
  typealias Event = MembershipEvent
  typealias Effect = MembershipEffect

  let parts: OneAssistDependencies

  let flow = "oneassist.membership"
  var table: TransitionTable<State, Event, Effect> { membershipFlow }
  var state: WritableKeyPath<Membership, State> { \.status }

  func prepare(_ membership: inout Membership, for move: Move) {
    if membership.hasEnded { membership.eraseAfter = parts.world.now() + parts.policy.retention }
    if move.to == .approved || move.to == .queued {
      membership.eraseAfter = parts.dayAfter(membership.endsOn) + parts.policy.retention
    }
  }

  func save(_ membership: inout Membership, in tx: any SQLTransaction) throws {
    try MembershipService(parts: parts).save(&membership, in: tx)
  }

  func auditEntry(for move: Move, of membership: Membership) -> AuditEntry? {
    AuditEntry(
      "oneassist.status.changed", chain: parts.chain(membership.id),
      facts: ["from": move.from.rawValue, "to": move.to.rawValue, "event": move.event.rawValue])
  }

  /// The payload is the change as it is now: several may be on their way at once. Its version tells them apart.
  func owedEffect(_ effect: Effect, for move: Move, of membership: Membership) -> OwedEffect? {
    OwedEffect(
      "oneassist.\(effect.rawValue)", subject: membership.id.rawValue,
      payload: "\(membership.version) \(move.from.rawValue) \(move.to.rawValue) \(parts.world.now().milliseconds)")
  }

  /// Withdraws the links: none outlives what it is for.
  func complete(_ move: Move, of membership: inout Membership, by actor: String, in tx: any SQLTransaction) throws {
    if membership.hasEnded { try LinkStore(tx).withdraw(of: membership.id, at: parts.world.now()) }
  }
}
