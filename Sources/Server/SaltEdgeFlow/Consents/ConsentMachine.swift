// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How a consent moves on one device.
struct ConsentMachine: StateMachine {
  typealias State = ConsentState
  typealias Event = ConsentEvent
  typealias Effect = ConsentEffect

  let core: CoreDependencies

  let flow = "saltedge.consent"
  var table: TransitionTable<State, Event, Effect> { consentFlow }
  var state: WritableKeyPath<SaltEdgeConsent, State> { \.state }

  func save(_ consent: inout SaltEdgeConsent, in tx: any SQLTransaction) throws {
    try ConsentStore(tx, vault: core.vault).save(consent)
    consent.version += 1
  }

  func auditEntry(for move: Move, of consent: SaltEdgeConsent) -> AuditEntry? {
    AuditEntry(
      "saltedge.consent.\(move.event.rawValue)", chain: core.chain(consent.connection),
      facts: ["consent": consent.id.rawValue])
  }

  /// Nil: a consent has a row for every device and all of them move together, but the bank is told once.
  /// `ConsentService.revoke` owes each effect of their moves once.
  func owedEffect(_ effect: Effect, for move: Move, of consent: SaltEdgeConsent) -> OwedEffect? { nil }
}
