// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import RubixWire
import Scheduling
import Screening
import Storage

/// What follows for applications from searches of the lists and from decisions on hits, no matter who decides and
/// where.
package struct ScreenedApplications: ScreenedCustomers {
  let core: CoreDependencies
  let applications: Applications

  package func find(_ subjectID: String, in tx: any SQLTransaction) throws -> ScreenedCustomer? {
    guard let dossier = try applications.load(.init(rawValue: subjectID), in: tx) else { return nil }
    let (application, tenant) = (dossier.application, dossier.tenant)
    // An application that waits for the officer is a case itself.
    let isHeld =
      application.phase == .reviewingScreening
      || tenant.screeningHitHolds && applicationFlow.allows(.screenedHit, from: application.phase)
    return ScreenedCustomer(
      tenant: TenantID(RubixModule.name, tenant.id), needsTwo: tenant.screeningNeedsTwo,
      isScreened: application.phase.isOpen || application.phase == .completed,
      queue: isHeld ? nil : Screening.Queue(tenant: application.tenant, email: application.applicant.email))
  }

  package func found(_ record: Screening.Record, in tx: any SQLTransaction) throws {
    guard var dossier = try applications.load(.init(rawValue: record.subjectID), in: tx),
      dossier.tenant.screeningHitHolds, applicationFlow.allows(.screenedHit, from: dossier.application.phase)
    else { return }
    if try apply(record, to: &dossier, by: "system", in: tx) { try applications.save(&dossier, in: tx) }
  }

  package func decided(
    _ subjectID: String, _ status: Screening.CustomerStatus, by actor: String, in tx: any SQLTransaction
  ) throws {
    guard var dossier = try applications.load(.init(rawValue: subjectID), in: tx) else { return }
    try follow(status, of: &dossier, by: actor, facts: [:], in: tx)
  }

  /// Staff decide on their own institution's customers, and not on their own case (rubix-onboarding §6.14). Customers
  /// of other systems are anybody's.
  package struct Analyst: DecisionRule {
    let member: StaffMember
    let applications: Applications

    /// - Throws: `Problem` not-found or forbidden.
    package func require(decisionOn subjectID: String, in tx: any SQLTransaction) throws {
      guard let dossier = try applications.load(.init(rawValue: subjectID), in: tx) else { return }
      guard dossier.tenant.id == member.tenant else { throw Problem.notFound }
      try member.requireOther(than: dossier.application)
    }
  }

  package func analyst(_ member: StaffMember) -> Analyst { Analyst(member: member, applications: applications) }

  /// Lets an application follow a search.
  /// - Returns: false when the result decides nothing (yet).
  func apply(
    _ record: Screening.Record, to dossier: inout Dossier, by actor: String, in tx: any SQLTransaction
  ) throws -> Bool {
    let isClean = record.status == .clean
    guard isClean || record.status == .potentialMatch else { return false }
    let step: OnboardingStep = isClean ? .amlScreeningSuccessful : .amlScreeningFailed
    dossier.application.drop(.amlScreeningSuccessful, .amlScreeningFailed)
    dossier.application.record(step)
    dossier.application.screenedAt = record.screenedAt
    if !isClean { dossier.application.reviewReason = .screening }
    let lists = record.lists.map { "\($0.code)@\($0.version)" }.joined(separator: " ")
    try applications.move(
      &dossier, on: isClean ? .screenedClean : .screenedHit, by: actor,
      facts: ["screening": record.id.rawValue, "step": step.rawValue, "lists": lists], in: tx)
    return true
  }

  /// Lets an application follow a decision on its customer's hits: nothing moves while a hit waits, and a customer
  /// whose application is completed stays one, for ending that is the bank's.
  /// - Returns: whether it moved.
  @discardableResult
  func follow(
    _ status: Screening.CustomerStatus, of dossier: inout Dossier, by actor: String, facts: [String: String],
    in tx: any SQLTransaction
  ) throws -> Bool {
    var facts = facts
    let phase = dossier.application.phase
    switch status {
    case .clear where phase == .reviewingScreening:
      dossier.application.drop(.amlScreeningFailed)
      dossier.application.record(.amlScreeningSuccessful)
      dossier.application.reviewReason = nil
      facts["step"] = OnboardingStep.amlScreeningSuccessful.rawValue
      try applications.move(&dossier, on: .screeningCleared, by: actor, facts: facts, in: tx)
    case .matched where applicationFlow.allows(.screeningConfirmed, from: phase):
      // The agent must not call a customer who was just declined.
      if let call = dossier.appointment, call.status == .scheduled {
        let cancelled = try applications.appointments(of: dossier.tenant).cancelCurrent(
          for: dossier.application.id.rawValue, in: tx)
        try BrowserCalls.finish(cancelled, by: actor, core, in: tx)
        dossier.appointment = nil
      }
      try applications.move(&dossier, on: .screeningConfirmed, by: actor, facts: facts, in: tx)
    case .clear, .waiting, .matched:
      guard !facts.isEmpty else { return false }
      try core.audit.append(
        "screening.disposed", to: dossier.application.id.rawValue, by: actor, facts: facts, in: tx)
      return false
    }
    try applications.save(&dossier, in: tx)
    return true
  }
}

extension DecisionRule {
  /// Both persons count when the verdict takes effect: one who was suspended since, or may not decide on hits any more,
  /// is no first person.
  /// - Throws: `Problem` conflict `no-proposal`.
  package func require(proposalBy proposer: String, in tx: any SQLTransaction) throws {
    guard try StaffPermissions(tx).may(proposer, .decideAML, at: nil) else { throw Problem.proposalVoid }
  }
}

extension Problem {
  fileprivate static let proposalVoid = Problem(
    .conflict, "no-proposal",
    "Who proposed this may not decide on hits any more: give it back, so that another analyst judges the hit.")
}
