import Identity
import Kit
import RubixWire
import Storage

/// How one contact of an application moves. The contact is a part of the application's row and is saved with it, under
/// the version of the whole.
struct ContactMachine: StateMachine {
  typealias Subject = Application
  typealias State = ContactState
  typealias Event = ContactEvent
  typealias Effect = ContactEffect

  let parts: RubixDependencies
  let tenant: Tenant
  let channel: OTPChannel
  /// The code that the customer was promised; nil for other events.
  var passcode: Passcode.ID?

  var flow: String { "contact" }
  var table: TransitionTable<ContactState, ContactEvent, ContactEffect> { contactFlow }
  var state: WritableKeyPath<Application, ContactState> { channel == .sms ? \.sms : \.email }

  func prepare(_ application: inout Application, for move: Move) {
    application.renewTime(at: parts.world.now())
  }

  func save(_ application: inout Application, in tx: any SQLTransaction) throws {
    application = try ApplicationStore(tx, vault: parts.vault).update(application, at: parts.world.now())
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
