// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How an application moves: its row, its entry in the audit log, and the events and deletions that follow.
struct ApplicationMachine: StateMachine {
  typealias Move = TransitionTable<ApplicationStatus, ApplicationEvent, ApplicationEffect>.Row

  let core: CoreDependencies

  let flow = "finaptic.application"
  var table: TransitionTable<ApplicationStatus, ApplicationEvent, ApplicationEffect> { applicationFlow }
  var state: WritableKeyPath<OnboardingApplication, ApplicationStatus> { \.status }

  func tenant(of application: OnboardingApplication, in tx: any SQLTransaction) -> String? {
    FinapticTenant.session(application.tenant)
  }

  func refusal(of event: ApplicationEvent, in state: ApplicationStatus) -> any Error {
    OnboardingService.outOfOrder(state)
  }

  func save(_ application: inout OnboardingApplication, in tx: any SQLTransaction) throws {
    try OnboardingStore(tx, vault: core.vault).save(application, at: core.world.now())
    application.version += 1
  }

  func auditEntry(for move: Move, of application: OnboardingApplication) -> AuditEntry? {
    AuditEntry(
      "finaptic.application.\(move.event.rawValue)", chain: "finaptic-\(application.id)",
      facts: ["from": move.from.rawValue, "to": move.to.rawValue])
  }

  func owedEffect(_ effect: ApplicationEffect, for move: Move, of application: OnboardingApplication) -> OwedEffect? {
    switch effect {
    case .forgetFiles: OwedEffect(FileCommands.forgetting, subject: application.id.rawValue)
    case .tellKYCFailed: event("KYCFailed", of: application)
    case .tellRejected: event("Rejected", of: application)
    case .tellCanceled: event("Canceled", of: application)
    case .tellCustomerOnboarded: event("CustomerOnboarded", of: application)
    case .tellDataConfirmed: event("DataConfirmed", of: application)
    case .tellProductOnboarded: event("ProductOnboarded", of: application)
    }
  }

  private func event(_ type: String, of application: OnboardingApplication) -> OwedEffect {
    OnboardingEvents.owed(type, application, world: core.world)
  }
}
