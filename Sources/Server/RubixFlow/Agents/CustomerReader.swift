// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import RubixWire
import Scheduling
import Screening
import Storage

/// What agents read of one customer (rubix-onboarding §6.14). Every look is an audit line, so looks are writes.
package struct CustomerReader: Sendable {
  static let timelinePage = 500
  /// Lines of history that one view shows.
  static let timelineMax = 2000
  static let appointmentsMax = 50

  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications

  /// Everything that is known of a customer; hits in lists only for those who decide on them, as on the console.
  package func view(_ id: Application.ID, by agent: Agent) async throws -> Customer360 {
    try agent.require(.readCustomers)
    return try await core.database.write(retrying: .outdated) { tx in
      let dossier = try admit(agent, to: id, what: ["what": "record"], in: tx)
      let (application, images) = (dossier.application, ImageStore(tx, vault: core.vault))
      let verdicts = try VerdictStore(tx, vault: core.vault).all(of: id)
      return Customer360(
        customer: application.record, lastStep: application.lastStep, completedSteps: application.completedSteps,
        nextSteps: dossier.nextSteps, consents: application.applicant.consents,
        session: dossier.session.map {
          SessionSummary(
            id: $0.id.rawValue, status: .active, selfies: dossier.selfies, selfieLooks: dossier.looks?.wire)
        },
        documents: dossier.images.map { $0.view(showingScore: true) },
        readings: try images.current(of: id).compactMap { image in
          try images.reading(of: image.id).map { ProcessedDocument(image, $0) }
        },
        verifications: try VerificationStore(tx, vault: core.vault).all(of: id).map { $0.view(revealsScores: true) },
        screening: try Screening(core).latest(for: id.rawValue, in: tx)?
          .staffView(showingHits: agent.member.permissions.contains(.decideAML)),
        compliance: try FormStore(tx, vault: core.vault).inForce(of: id).map(\.summary),
        appointments: try appointments(of: dossier, verdicts: verdicts, in: tx).map {
          $0.view(joinWindow: Dossier.joinWindow)
        },
        verdicts: verdicts.map(\.view), timeline: try timeline(of: id, in: tx),
        createdOn: application.createdAt.wire, updatedOn: application.updatedAt.wire)
    }
  }

  /// A stored image, or the portrait that was cut out of it, as JPEG.
  /// - Parameter why: a code for the audit; nil tells how the agent stands to the customer's case.
  /// - Throws: `Problem` not-found, also for what was erased.
  package func preview(
    _ image: CapturedImage.ID, of id: Application.ID, portrait: Bool, by agent: Agent, why: String? = nil
  ) async throws -> Data {
    let what = ["what": portrait ? "portrait" : "image", "document": image.rawValue, "why": why]
      .compactMapValues(\.self)
    try agent.require(.readCustomers)
    let key: String = try await core.database.write(retrying: .outdated) { tx in
      _ = try admit(agent, to: id, what: what, in: tx)
      let found = try ImageStore(tx, vault: core.vault).find(image, of: id)
      guard !portrait || found.hasPortrait else { throw Problem.notFound }
      return portrait ? found.portraitKey : found.blobKey
    }
    return try await core.openImage(key)
  }

  /// Who looks, at whom, at what: checked and written down before anything is shown.
  func admit(
    _ agent: Agent, to id: Application.ID, what: [String: String], in tx: any SQLTransaction
  ) throws -> Dossier {
    try agentSessions.requireLive(agent, in: tx)
    let dossier = try applications.load(id, tenant: agent.tenant, in: tx)
    try agent.requireOther(than: dossier.application)
    var facts = what
    if facts["why"] == nil { facts["why"] = try core.cases.lookFact(at: id.rawValue, by: agent.actor, in: tx) }
    try core.audit.append("customer.viewed", to: id.rawValue, by: agent.actor, facts: facts, in: tx)
    return dossier
  }

  /// The last appointment for each reason, those in whose place it came, and every one with a verdict; oldest first.
  private func appointments(
    of dossier: Dossier, verdicts: [CallVerdict], in tx: any SQLTransaction
  ) throws -> [Appointment] {
    let calendar = try applications.appointments(of: dossier.tenant)
    var found: [Appointment.ID: Appointment] = [:]
    for reason in Appointment.Reason.allCases {
      var next = try calendar.latest(for: dossier.application.id.rawValue, reason: reason, in: tx)
      while let appointment = next, found[appointment.id] == nil, found.count < Self.appointmentsMax {
        found[appointment.id] = appointment
        next = try appointment.replaces.flatMap { try calendar.find($0, in: tx) }
      }
    }
    for verdict in verdicts {
      let id = Appointment.ID(rawValue: verdict.appointment)
      if found[id] == nil, let appointment = try calendar.find(id, in: tx) { found[id] = appointment }
    }
    return found.values.sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
  }

  private func timeline(of id: Application.ID, in tx: any SQLTransaction) throws -> [TimelineEntry] {
    let store = AuditStore(tx)
    var lines: [AuditLine] = []
    while lines.count < Self.timelineMax {
      let page = try store.lines(of: id.rawValue, after: lines.last?.sequence ?? 0, limit: Self.timelinePage)
      lines += page
      if page.count < Self.timelinePage { break }
    }
    return lines.map { line in
      TimelineEntry(
        at: line.at.wire, event: line.action, actor: line.actor,
        step: line.facts["step"].map(OnboardingStep.init(rawValue:)))
    }
  }
}
