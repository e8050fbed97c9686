// SPDX-License-Identifier: Apache-2.0

import Evidence
import Kit
import RubixWire
import Screening
import Storage

extension ApplicationMachine {
  /// Calls that agents hold, and hits on which an officer decides. What only the customer can go on with, such as the
  /// booking of a call, waits for no person of the institution.
  func awaitedWork(for application: Application, in tx: any SQLTransaction) -> AwaitedWork? {
    guard let kind = application.phase.workKind else { return nil }
    var work = AwaitedWork(
      kind, tenant: application.tenant, subject: application.id.rawValue, person: application.id.keySubject.id)
    work.email = application.applicant.email
    let reason = application.phase == .awaitingCall ? ReviewReason.agentCall : application.reviewReason
    work.reasons = [reason?.rawValue].compactMap(\.self)
    work.risk =
      switch reason {
      case .screening: 90
      case .documentsMismatched: 70
      case .inconclusive: 50
      default: 10
      }
    if application.phase != .reviewingScreening { (work.dueAt, work.bookedWith) = (call?.callTime, call?.agentID) }
    return work
  }
}

extension ApplicationMachine {
  /// The pictures in force and the last screening, with the lists that it searched and how, what the rules are set to,
  /// and of which version the templates of the forms were.
  func decisionBasis(for application: Application, in tx: any SQLTransaction) throws -> DecisionBasis {
    let images = try ImageStore(tx, vault: core.vault).current(of: application.id)
    var basis = DecisionBasis(
      evidence: images.map { .init($0.type.rawValue, $0.id.rawValue, digest: $0.sha256) })
    basis.versions = VerificationPolicy.versions(
      minimumAge: tenant.minimumAge, acceptsSpecimens: tenant.acceptsSpecimens)
    for form in try FormStore(tx, vault: core.vault).inForce(of: application.id) {
      basis.versions["template \(form.form.rawValue)"] = "\(form.templateVersion)"
    }
    let screening = Screening(vault: core.vault, world: core.world)
    guard let record = try screening.latest(for: application.id.rawValue, in: tx) else { return basis }
    basis.evidence.append(.init("screening", record.id.rawValue))
    for list in record.lists { basis.versions["list \(list.code)"] = list.version }
    if let threshold = record.threshold { basis.versions["screening threshold"] = "\(threshold)" }
    return basis
  }
}

extension ApplicationPhase {
  /// The kind of the case while an application is in this phase; nil where it waits for no person.
  var workKind: String? {
    switch self {
    case .awaitingReviewCall: "rubix-review"
    case .awaitingCall: "rubix-call"
    case .reviewingScreening: "rubix-screening"
    default: nil
    }
  }
}

/// Opens the cases of applications that began to wait before there were cases.
struct WaitingApplications: Sendable {
  let core: CoreDependencies
  let applications: Applications

  func catchUp() async throws {
    for tenant in applications.tenants.all {
      for phase in ApplicationPhase.allCases where phase.workKind != nil {
        try await core.database.writeEachDue(paging: .behindLast, retrying: .outdated) {
          [core] (page: DuePage<Application>, tx) in
          try ApplicationStore(tx, vault: core.vault).queue(
            phase, tenant: tenant.id, after: page.last.map { ($0.updatedAt, $0.id.rawValue) }, limit: page.limit)
        } do: { [core, applications] application, tx in
          let dossier = try applications.load(application.id, tenant: tenant, in: tx)
          let machine = ApplicationMachine(core: core, tenant: tenant, call: dossier.appointment)
          guard let work = machine.awaitedWork(for: dossier.application, in: tx) else { return }
          try core.cases.open(work, formerly: work, by: "system", in: tx)
        }
      }
    }
  }
}
