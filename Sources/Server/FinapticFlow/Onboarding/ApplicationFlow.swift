// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Events of an application. Commands decide before whether a bundle needs a check of identity, whether it opens
/// products, and whether an attempt was the last one, and choose the event by it.
package enum ApplicationEvent: String, Sendable, CaseIterable {
  /// Personal details, contact details, addresses or residency: what a check of identity rests on.
  case identityUpdated
  /// Account details, employment, consents, disclosures or communication preferences.
  case detailsUpdated
  /// Documents or selfie were accepted.
  case evidencePassed
  /// They were refused, and may be sent again.
  case evidenceFailed
  /// They were refused for the last time, or for a reason that ends the application.
  case evidenceRefused
  case applicationPassed
  case applicationFailed
  case applicationRefused
  /// By the applicant, after the check of identity.
  case accepted
  /// By the applicant, of a bundle that needs no check.
  case acceptedUnverified
  /// Accepted, but against a rule of the tenant (§5.6).
  case policyRefused
  /// The customer exists; products are still to be opened.
  case customerCreated
  /// The customer exists, and no products are to be opened.
  case customerCompleted
  case productsOpened
  case cancelled
}

/// What an application's moves cause beyond its row.
package enum ApplicationEffect: String, Sendable, CaseIterable {
  /// The pictures go at once (§6.1).
  case forgetFiles
  /// Events for the tenant (§12).
  case tellKYCFailed
  case tellRejected
  case tellCanceled
  case tellCustomerOnboarded
  case tellDataConfirmed
  case tellProductOnboarded
}

/// The life of an application (finaptic §5.2): one row a legal move.
package let applicationFlow: TransitionTable<ApplicationStatus, ApplicationEvent, ApplicationEffect> = .init(
  ApplicationFlow.evidence + ApplicationFlow.validation + ApplicationFlow.policy + ApplicationFlow.acceptance
    + ApplicationFlow.cancellation)

/// The rows by topic. Types are written out because the type checker takes a second where it has to find them.
private enum ApplicationFlow {
  typealias Row = TransitionTable<ApplicationStatus, ApplicationEvent, ApplicationEffect>.Row

  static let evidence: [Row] = rows(in: [.newApplication, .dataCollection, .kycInProgress, .kycFailed]) { status in
    [
      .init(status, on: .identityUpdated, to: .dataCollection),
      .init(status, on: .detailsUpdated, to: .dataCollection),
      .init(status, on: .evidencePassed, to: .kycInProgress),
      .init(status, on: .evidenceFailed, to: .dataCollection, do: .tellKYCFailed),
      .init(status, on: .evidenceRefused, to: .kycRejected, do: .tellKYCFailed, .tellRejected, .forgetFiles),
    ]
  }

  static let validation: [Row] = rows(in: [.dataCollection, .kycInProgress, .kycFailed]) { status in
    [
      .init(status, on: .applicationPassed, to: .kycSuccess),
      .init(status, on: .applicationFailed, to: .kycFailed, do: .tellKYCFailed),
      .init(status, on: .applicationRefused, to: .kycRejected, do: .tellKYCFailed, .tellRejected, .forgetFiles),
    ]
  }

  static let policy: [Row] = rows(in: [.dataCollection, .kycInProgress]) { status in
    [
      .init(status, on: .acceptedUnverified, to: .applicationAccepted),
      .init(status, on: .policyRefused, to: .applicationRejected, do: .tellRejected, .forgetFiles),
    ]
  }

  static let acceptance: [Row] = [
    .init(.kycSuccess, on: .detailsUpdated, to: .kycSuccess),
    .init(.kycSuccess, on: .accepted, to: .applicationAccepted),
    .init(.kycSuccess, on: .policyRefused, to: .applicationRejected, do: .tellRejected, .forgetFiles),
    .init(
      .applicationAccepted, on: .customerCreated, to: .applicationAccepted, do: .tellCustomerOnboarded,
      .tellDataConfirmed),
    .init(
      .applicationAccepted, on: .customerCompleted, to: .applicationProcessed, do: .tellCustomerOnboarded,
      .tellDataConfirmed, .forgetFiles),
    .init(
      .applicationAccepted, on: .productsOpened, to: .applicationProcessed, do: .tellProductOnboarded, .forgetFiles),
  ]

  static let cancellation: [Row] = rows(in: ApplicationStatus.allCases.filter { !$0.isTerminal }) { status in
    [.init(status, on: .cancelled, to: .applicationCancelled, do: .tellCanceled, .forgetFiles)]
  }

  private static func rows(in states: [ApplicationStatus], _ row: (ApplicationStatus) -> [Row]) -> [Row] {
    states.flatMap(row)
  }
}

/// The status of an application, as the wire has it (finaptic §5.1).
package enum ApplicationStatus: String, Sendable, CaseIterable, SQLConvertible, CustomStringConvertible {
  case newApplication = "New Application"
  case dataCollection = "Data Collection"
  case kycInProgress = "KYC In Progress"
  case kycSuccess = "KYC Success"
  case kycFailed = "KYC Failed"
  case kycRejected = "KYC Rejected"
  case applicationAccepted = "Application Accepted"
  case applicationProcessed = "Application Processed"
  case applicationCancelled = "Application Cancelled"
  case applicationRejected = "Application Rejected"

  /// The case's own name: diagrams have no room for blanks.
  package var description: String {
    switch self {
    case .newApplication: "newApplication"
    case .dataCollection: "dataCollection"
    case .kycInProgress: "kycInProgress"
    case .kycSuccess: "kycSuccess"
    case .kycFailed: "kycFailed"
    case .kycRejected: "kycRejected"
    case .applicationAccepted: "applicationAccepted"
    case .applicationProcessed: "applicationProcessed"
    case .applicationCancelled: "applicationCancelled"
    case .applicationRejected: "applicationRejected"
    }
  }

  /// Whether the application has ended.
  package var isTerminal: Bool {
    switch self {
    case .kycRejected, .applicationProcessed, .applicationCancelled, .applicationRejected: true
    case .newApplication, .dataCollection, .kycInProgress, .kycSuccess, .kycFailed, .applicationAccepted: false
    }
  }

  /// Whether answers in this state tell why the applicant was refused (§5.7).
  var namesFailures: Bool { self == .kycFailed || self == .kycRejected || self == .applicationRejected }
}

/// How an application moves: its row, its entry in the audit log, and the events and deletions that follow.
struct ApplicationMachine: StateMachine {
  typealias State = ApplicationStatus
  typealias Event = ApplicationEvent
  typealias Effect = ApplicationEffect

  let core: CoreDependencies

  let flow = "finaptic.application"
  var table: TransitionTable<State, Event, Effect> { applicationFlow }
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
