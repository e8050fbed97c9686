// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import RubixWire
import Storage

/// Whether a phone number or an e-mail address is confirmed.
package enum ContactState: String, Sendable, CaseIterable, SQLConvertible {
  case unconfirmed, codeSent, confirmed
}

package enum ContactEvent: String, Sendable, CaseIterable { case codeRequested, codeAccepted, contactChanged }

package enum ContactEffect: String, Sendable, CaseIterable { case sendPasscode }

/// One contact of an application; both contacts run through the same table, beside the main one.
package let contactFlow: TransitionTable<ContactState, ContactEvent, ContactEffect> = .init([
  .init(.unconfirmed, on: .codeRequested, to: .codeSent, do: .sendPasscode),
  .init(.codeSent, on: .codeRequested, to: .codeSent, do: .sendPasscode),
  .init(.codeSent, on: .codeAccepted, to: .confirmed),
  .init(.unconfirmed, on: .contactChanged, to: .unconfirmed),
  .init(.codeSent, on: .contactChanged, to: .unconfirmed),
])

/// How one contact of an application moves. The contact is a part of the application's row and is saved with it, under
/// the version of the whole.
struct ContactMachine: StateMachine {
  typealias State = ContactState
  typealias Event = ContactEvent
  typealias Effect = ContactEffect

  let core: CoreDependencies
  let tenant: Tenant
  let channel: OTPChannel
  /// The code that the customer was promised; nil for other events.
  var passcode: Passcode.ID?

  var flow: String { "contact" }
  var table: TransitionTable<State, Event, Effect> { contactFlow }
  var state: WritableKeyPath<Application, ContactState> { channel == .sms ? \.sms : \.email }

  func prepare(_ application: inout Application, for move: Move) {
    application.renewTime(at: core.world.now())
  }

  func save(_ application: inout Application, in tx: any SQLTransaction) throws {
    application = try ApplicationStore(tx, vault: core.vault).update(application, at: core.world.now())
  }

  func auditEntry(for move: Move, of application: Application) -> AuditEntry? {
    switch move.event {
    case .codeRequested: AuditEntry("contact.\(channel.rawValue).code_requested", chain: application.id.rawValue)
    case .codeAccepted: AuditEntry("contact.\(channel.rawValue).confirmed", chain: application.id.rawValue)
    // It is a part of the correction, which has its own line.
    case .contactChanged: nil
    }
  }

  func owedEffect(_ effect: ContactEffect, for move: Move, of application: Application) throws -> OwedEffect? {
    guard let passcode else { return nil }
    return OwedEffect(
      "rubix.\(effect.rawValue)", subject: application.id.rawValue,
      payload: try SendPasscode(tenant: tenant.id, channel: channel, passcode: passcode.rawValue).text)
  }
}
