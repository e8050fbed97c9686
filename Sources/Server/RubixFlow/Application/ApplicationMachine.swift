import Kit
import Storage

/// How an application moves: saved under its version, audited as `application.<event>`.
struct ApplicationMachine: StateMachine {
  typealias Subject = Application
  typealias State = ApplicationPhase
  typealias Event = ApplicationEvent
  typealias Effect = ApplicationEffect

  let parts: RubixDependencies
  let tenant: Tenant
  /// False where the customer did nothing, so that their time goes on running out.
  var renewsTime = true

  var flow: String { "application" }
  var table: TransitionTable<ApplicationPhase, ApplicationEvent, ApplicationEffect> { applicationFlow }
  var state: WritableKeyPath<Application, ApplicationPhase> { \.phase }

  func prepare(_ application: inout Application, for move: Move) {
    if renewsTime { application.renewTime(at: parts.world.now()) }
  }

  func save(_ application: inout Application, in tx: any SQLTransaction) throws {
    application = try ApplicationStore(tx, vault: parts.vault).update(application, at: parts.world.now())
  }

  func auditEntry(for move: Move, of application: Application) -> AuditEntry? {
    AuditEntry(
      "application.\(move.event.rawValue)", chain: application.id.rawValue,
      facts: ["from": move.from.rawValue, "to": move.to.rawValue])
  }

  func owedEffect(_ effect: ApplicationEffect, for move: Move, of application: Application) -> OwedEffect? {
    OwedEffect(
      "rubix.\(effect.rawValue)", subject: application.id.rawValue, payload: tenant.id,
      dueAt: effect == .scheduleErasure ? parts.world.now() + .days(tenant.retentionDays) : nil)
  }
}

extension Application {
  /// The customer was here: an open application gets its whole idle time again.
  mutating func renewTime(at now: Instant) {
    if phase.isOpen { expiresAt = now + StepRunner.idleLifetime }
  }
}
