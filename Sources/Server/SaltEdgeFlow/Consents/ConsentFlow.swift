// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

package enum ConsentState: String, Sendable, CaseIterable, SQLConvertible {
  case open, revoked
}

package enum ConsentEvent: String, Sendable, CaseIterable {
  case revokedByDevice, revokedByProvider
}

package enum ConsentEffect: String, Sendable {
  /// The bank learns that its customer took the consent back.
  case tellConsentRevocation
}

/// The life of a consent (saltedge-authenticator §4.9, §5.9); that it expired, its instant says. Diagram:
/// docs/flows/saltedge-consent.mmd.
package let consentFlow: TransitionTable<ConsentState, ConsentEvent, ConsentEffect> = .init([
  .init(.open, on: .revokedByDevice, to: .revoked, do: .tellConsentRevocation),
  .init(.open, on: .revokedByProvider, to: .revoked),
])

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
