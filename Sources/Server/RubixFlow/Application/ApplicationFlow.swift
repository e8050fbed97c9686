// SPDX-License-Identifier: Apache-2.0

import Kit
import Scheduling
import Storage

/// Where an application stands. Diagram: docs/flows/rubix-application.mmd.
package enum ApplicationPhase: String, Sendable, CaseIterable, SQLConvertible {
  /// Registered; the biometric session is not open yet.
  case registered
  case capturingSelfies
  case awaitingLiveness
  /// No whole document path of the tenant's policy is read yet.
  case collectingDocuments
  case awaitingVerification
  /// The evidence did not match; the customer takes what the answer named again.
  case recapturing
  /// In review: only a person can decide on the documents, in a call that is still to be booked.
  case awaitingReviewAppointment
  case awaitingReviewCall
  /// Matched; a contact is not confirmed yet.
  case confirmingContacts
  case awaitingScreening
  /// In review: a compliance officer decides on a hit.
  case reviewingScreening
  case submittingForms
  case awaitingAppointment
  case awaitingCall
  case completed
  case rejected
  /// Superseded by a newer application of the same person.
  case abandoned
  /// Idle for too long.
  case expired
}

/// What happened to an application.
package enum ApplicationEvent: String, Sendable, CaseIterable {
  case sessionOpened, sessionRestarted, selfiesCompleted, selfieRetaken, livenessAccepted
  case documentTaken, documentsCompleted, evidenceRetaken
  case matched, mismatched, mismatchedFinally, undecidable
  case contactsConfirmed
  case screenedClean, screenedHit, screeningCleared, screeningConfirmed
  case formSubmitted, formsCompleted, formsCompletedWithoutCall
  case appointmentBooked, appointmentCancelled
  case agentAccepted, agentRefused, agentRefusedOnce
  /// The reviewer asks for other pictures instead of the call.
  case retakeRequested
  case superseded, lapsed
}

/// What an application's move causes outside of it.
package enum ApplicationEffect: String, Sendable, CaseIterable {
  case notifyCompleted, notifyRejected
  /// A decision of people is due, or was made without ending the application.
  case notifyInReview, notifyContinued, notifyCallAgain, notifyRetake
  /// Images of an application that came to nothing are deleted after the tenant's retention.
  case scheduleErasure
}

/// The onboarding of a new customer (rubix-onboarding §4.2), from registration to decision, stated once: the table of
/// legal moves, the order of calls (`StepOrder`) and the next steps of a customer (`Dossier`) follow from `graph`.
package enum ApplicationFlow {
  /// One phase of an open application.
  struct Node: Sendable {
    let phase: ApplicationPhase
    /// What the customer is to do, apart from the contacts.
    let asks: Asked
    let contacts: Contacts
    let moves: KeyValuePairs<ApplicationEvent, ApplicationPhase>

    init(
      _ phase: ApplicationPhase, asks: Asked = .nothing, contacts: Contacts = .closed,
      _ moves: KeyValuePairs<ApplicationEvent, ApplicationPhase>
    ) {
      (self.phase, self.asks, self.contacts, self.moves) = (phase, asks, contacts, moves)
    }
  }

  enum Asked: Sendable {
    case nothing
    case call(RubixCall)
    /// The sides that the tenant's policy misses.
    case documents
    /// What a mismatch named.
    case retakes
    /// The forms that are not submitted.
    case forms
  }

  /// Whether contacts can be confirmed in a phase, and how the next steps show them.
  enum Contacts: Sendable { case offered, required, accepted, closed }

  /// The open phases in the order in which an application passes them.
  static let graph: [Node] = [
    Node(.registered, asks: .call(.createSession), contacts: .offered, [.sessionOpened: .capturingSelfies]),
    Node(.capturingSelfies, asks: .call(.uploadSelfie), contacts: .offered, [.selfiesCompleted: .awaitingLiveness]),
    Node(
      .awaitingLiveness, asks: .call(.uploadLiveness), contacts: .offered, [.livenessAccepted: .collectingDocuments]),
    Node(
      .collectingDocuments, asks: .documents, contacts: .offered,
      [
        .livenessAccepted: .collectingDocuments, .documentTaken: .collectingDocuments,
        .documentsCompleted: .awaitingVerification,
      ]),
    Node(
      .awaitingVerification, asks: .call(.verifyDocuments), contacts: .offered,
      [
        .livenessAccepted: .awaitingVerification, .documentTaken: .collectingDocuments, .matched: .confirmingContacts,
        .mismatched: .recapturing, .mismatchedFinally: .awaitingReviewAppointment,
        .undecidable: .awaitingReviewAppointment,
      ]),
    Node(
      .recapturing, asks: .retakes, contacts: .offered,
      [
        .selfieRetaken: .recapturing, .livenessAccepted: .recapturing, .documentTaken: .recapturing,
        .evidenceRetaken: .awaitingVerification,
      ]),

    Node(.awaitingReviewAppointment, asks: .call(.bookAppointment), [.appointmentBooked: .awaitingReviewCall]),
    Node(
      .awaitingReviewCall,
      [
        .appointmentBooked: .awaitingReviewCall, .appointmentCancelled: .awaitingReviewAppointment,
        .agentAccepted: .confirmingContacts, .agentRefusedOnce: .awaitingReviewAppointment, .agentRefused: .rejected,
        .retakeRequested: .recapturing,
      ]),

    Node(.confirmingContacts, contacts: .required, [.contactsConfirmed: .awaitingScreening]),
    Node(
      .awaitingScreening, asks: .call(.screen), contacts: .accepted,
      [.screenedClean: .submittingForms, .screenedHit: .reviewingScreening]),
    Node(.reviewingScreening, [.screeningCleared: .submittingForms, .screeningConfirmed: .rejected]),

    Node(
      .submittingForms, asks: .forms,
      [
        .screenedClean: .submittingForms, .screenedHit: .reviewingScreening, .screeningConfirmed: .rejected,
        .formSubmitted: .submittingForms, .formsCompleted: .awaitingAppointment,
        .formsCompletedWithoutCall: .completed,
      ]),
    Node(
      .awaitingAppointment, asks: .call(.bookAppointment),
      [
        .screenedClean: .awaitingAppointment, .screenedHit: .reviewingScreening, .screeningConfirmed: .rejected,
        .formSubmitted: .awaitingAppointment, .appointmentBooked: .awaitingCall,
      ]),
    Node(
      .awaitingCall,
      [
        .screenedClean: .awaitingCall, .screenedHit: .reviewingScreening, .screeningConfirmed: .rejected,
        .appointmentBooked: .awaitingCall, .appointmentCancelled: .awaitingAppointment, .agentAccepted: .completed,
        .agentRefusedOnce: .awaitingAppointment, .agentRefused: .rejected,
      ]),
  ]

  /// - Returns: nil for a phase that has ended.
  static func node(_ phase: ApplicationPhase) -> Node? { graph.first { $0.phase == phase } }

  fileprivate static func row(
    _ from: ApplicationPhase, _ event: ApplicationEvent, _ to: ApplicationPhase
  ) -> ApplicationMachine.Move {
    switch to {
    case .completed: .init(from, on: event, to: to, do: .notifyCompleted)
    case .rejected: .init(from, on: event, to: to, do: .notifyRejected, .scheduleErasure)
    case .abandoned, .expired: .init(from, on: event, to: to, do: .scheduleErasure)
    default:
      switch event {
      case .mismatchedFinally, .undecidable, .screenedHit: .init(from, on: event, to: to, do: .notifyInReview)
      case .screeningCleared, .agentAccepted: .init(from, on: event, to: to, do: .notifyContinued)
      case .agentRefusedOnce: .init(from, on: event, to: to, do: .notifyCallAgain)
      case .retakeRequested: .init(from, on: event, to: to, do: .notifyRetake)
      default: .init(from, on: event, to: to)
      }
    }
  }
}

/// The legal moves: those of the graph, and those that many phases share.
package let applicationFlow: TransitionTable<ApplicationPhase, ApplicationEvent, ApplicationEffect> = .init(
  ApplicationFlow.graph.flatMap { node in node.moves.map { ApplicationFlow.row(node.phase, $0.key, $0.value) } }
    // A session may be begun anew until the documents matched.
    + [.capturingSelfies, .awaitingLiveness, .collectingDocuments, .awaitingVerification, .recapturing]
    .map { ApplicationFlow.row($0, .sessionRestarted, .capturingSelfies) }
    // A newer application that confirmed the same phone ends an open one.
    + ApplicationFlow.graph.map { ApplicationFlow.row($0.phase, .superseded, .abandoned) }
    // An application that waits for an officer does not lapse, because its customer has nothing to do.
    + ApplicationFlow.graph.filter { $0.phase != .reviewingScreening }
    .map { ApplicationFlow.row($0.phase, .lapsed, .expired) })

/// The same moves where two persons decide after a call (four eyes).
package let applicationFlowOfTwo: TransitionTable<ApplicationPhase, ApplicationEvent, ApplicationEffect> = .init(
  applicationFlow.rows.map { row in
    switch row.event {
    case .agentAccepted, .agentRefused, .agentRefusedOnce: row.under(ApplicationFlow.verdictRule)
    default: row
    }
  })

extension ApplicationFlow {
  /// An agent decides, and a colleague agrees.
  package static let verdictRule = FourEyes(maker: "attend:video", checker: "approve:verdicts")

  /// A verdict as the colleague agrees to it.
  /// - Parameter content: the agent's request as JSON.
  static func act(_ event: ApplicationEvent, on application: Application, _ content: String) -> BoundAct {
    BoundAct(
      "rubix.\(event.rawValue)", subject: application.id.rawValue, version: Int64(application.version),
      content: content)
  }
}

extension ApplicationPhase {
  /// Not decided and not given up.
  package var isOpen: Bool {
    switch self {
    case .completed, .rejected, .abandoned, .expired: false
    default: true
    }
  }

  /// Waits for a person of the institution (`in_review`).
  package var isInReview: Bool {
    switch self {
    case .awaitingReviewAppointment, .awaitingReviewCall, .reviewingScreening: true
    default: false
    }
  }
}

/// What the rows say about an application, reduced to what decides how it goes on by itself.
package struct ApplicationFacts: Sendable {
  /// Every document that the policy asks for is read, and none is still being read.
  package var documentsComplete = false
  /// Something was taken again since the last verification, and nothing is missing.
  package var evidenceRetaken = false
  package var contactsConfirmed = false
  package var formsComplete = false
  /// The policy or an undecided check asks for an agent who has not yet accepted.
  package var callNeeded = true
  package var appointmentActive = false

  package init() {}
}

extension ApplicationFlow {
  /// The event that follows by itself from the facts, if one does: applied until none does.
  package static func automaticEvent(in phase: ApplicationPhase, _ facts: ApplicationFacts) -> ApplicationEvent? {
    switch phase {
    case .collectingDocuments where facts.documentsComplete: .documentsCompleted
    case .recapturing where facts.documentsComplete && facts.evidenceRetaken: .evidenceRetaken
    case .confirmingContacts where facts.contactsConfirmed: .contactsConfirmed
    case .submittingForms where facts.formsComplete: facts.callNeeded ? .formsCompleted : .formsCompletedWithoutCall
    case .awaitingAppointment where facts.appointmentActive: .appointmentBooked
    default: nil
    }
  }
}

/// How an application moves: saved under its version, audited as `application.<event>`.
struct ApplicationMachine: StateMachine {
  typealias State = ApplicationPhase
  typealias Event = ApplicationEvent
  typealias Effect = ApplicationEffect

  let core: CoreDependencies
  let tenant: Tenant
  /// False where the customer did nothing, so that their time goes on running out.
  var renewsTime = true
  /// The one that the application waits for.
  var call: Appointment?
  /// An agent's request as JSON, for a move that is one's verdict.
  var verdict: String?

  var flow: String { "application" }
  var table: TransitionTable<State, Event, Effect> {
    tenant.verdictsNeedTwo ? applicationFlowOfTwo : applicationFlow
  }
  var state: WritableKeyPath<Application, ApplicationPhase> { \.phase }

  func tenant(of application: Application, in tx: any SQLTransaction) -> String? { application.tenant }

  func prepare(_ application: inout Application, for move: Move) {
    if renewsTime { application.renewTime(at: core.world.now()) }
  }

  func save(_ application: inout Application, in tx: any SQLTransaction) throws {
    application = try ApplicationStore(tx, vault: core.vault).update(application, at: core.world.now())
  }

  func auditEntry(for move: Move, of application: Application) -> AuditEntry? {
    AuditEntry(
      "application.\(move.event.rawValue)", chain: application.id.rawValue,
      facts: ["from": move.from.rawValue, "to": move.to.rawValue])
  }

  func boundAct(of event: ApplicationEvent, on application: Application) -> BoundAct? {
    verdict.map { ApplicationFlow.act(event, on: application, $0) }
  }

  func owedEffect(_ effect: ApplicationEffect, for move: Move, of application: Application) -> OwedEffect? {
    OwedEffect(
      "rubix.\(effect.rawValue)", subject: application.id.rawValue, payload: tenant.id,
      dueAt: effect == .scheduleErasure ? core.world.now() + .days(tenant.retentionDays) : nil)
  }
}

extension Application {
  /// The customer was here: an open application gets its whole idle time again.
  mutating func renewTime(at now: Instant) {
    if phase.isOpen { expiresAt = now + Applications.idleLifetime }
  }
}
