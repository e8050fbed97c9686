// SPDX-License-Identifier: Apache-2.0
import Kit
import RubixWire
import Scheduling
import Storage

/// The applications of Rubix with their steps, documents, verdicts, forms and calls, for staff who look one up: by its
/// id, or by the number of a phone or the id of a device, of which keyed digests are kept.
package struct ApplicationRepository: RecordRepository {
  package let kind = "applications"
  package let states = OnboardingStatus.known.map(Self.state)
  let core: CoreDependencies
  let applications: Applications

  package init(_ core: CoreDependencies, applications: Applications) {
    (self.core, self.applications) = (core, applications)
  }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: reader.listed(kind), in: tx)
    }
    // Without a lock: a search may look at many rows.
    return try await core.database.read { [core, applications] tx in
      let (store, limit) = (ApplicationStore(tx, vault: core.vault), RecordQuestion.pageMax + 1)
      let tenants = applications.tenants.all.map(\.id).filter(reader.scope.contains)
      if let name = question.name {
        guard RecordQuestion.isName(name) else { return RecordPage([]) }
        return RecordPage(
          try store.named(name, of: tenants, before: question.after, limit: limit).map(Self.row))
      }
      let phases = ApplicationPhase.allCases.filter {
        question.state == nil || Self.state($0.status) == question.state
      }
      return RecordPage(
        try store.page(phases, of: tenants, before: question.after, limit: limit).map(Self.row))
    }
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdated) { [core, applications] tx in
      let (id, store) = (Application.ID(rawValue: id), ApplicationStore(tx, vault: core.vault))
      guard let name = try store.tenant(of: id), reader.scope.contains(name),
        let tenant = applications.tenants.all.first(where: { $0.id == name })
      else { throw Problem.notFound }
      let application = try store.find(id, tenant: name)
      let applicant = application.applicant
      try reader.requireOther(than: applicant.email)
      try core.audit.append(
        "customer.viewed", to: id.rawValue, by: reader.actor,
        facts: reader.looked.merging(["what": "record"]) { $1 }, in: tx)
      let calendar = try applications.appointments(of: tenant)
      let calls = try Appointment.Reason.allCases.compactMap {
        try calendar.latest(for: id.rawValue, reason: $0, in: tx)
      }
      let facts: [(code: String, value: String?)] = [
        ("name", application.fullName), ("phone", applicant.contactNo), ("email", applicant.email),
        ("device", applicant.deviceID), ("platform", applicant.platform), ("phase", application.phase.rawValue),
        ("steps", application.completedSteps.map(\.rawValue).joined(separator: ", ")),
        ("reason", application.reviewReason?.rawValue), ("ends", application.expiresAt.rfc3339),
      ]
      let documents = try ImageStore(tx, vault: core.vault).current(of: id).map {
        ("document", "\($0.type.rawValue) \($0.state.rawValue)")
      }
      let verifications = try VerificationStore(tx, vault: core.vault).all(of: id).map {
        ("verification", "\($0.createdAt.rfc3339) \($0.outcome.status.rawValue)")
      }
      let forms = try FormStore(tx, vault: core.vault).inForce(of: id).map {
        ("form", "\($0.form.rawValue.uppercased()) \($0.submittedAt.rfc3339)")
      }
      let booked = calls.map { ("call", "\($0.callTime.rfc3339) \($0.status.rawValue)") }
      let verdicts = try VerdictStore(tx, vault: core.vault).all(of: id).map {
        ("decision", "\($0.decidedAt.rfc3339) \($0.outcome.rawValue)")
      }
      let all: [(code: String, value: String?)] = documents + verifications + forms + booked + verdicts
      return RecordFile(
        Self.row(.init(id: id, tenant: name, phase: application.phase, createdAt: application.createdAt)),
        facts: facts + all, subjects: [id.rawValue], chain: id.rawValue)
    }
  }

  private static func row(_ application: ApplicationStore.Outline) -> RecordRow {
    RecordRow(
      id: application.id.rawValue, name: application.id.rawValue, tenant: application.tenant,
      state: state(application.phase.status), at: application.createdAt)
  }

  /// In words of this repository: what is pending goes on.
  private static func state(_ status: OnboardingStatus) -> String {
    status == .pending ? "open" : status.rawValue
  }
}
