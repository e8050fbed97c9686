import Activations
import Kit
import Storage

/// The onboardings with their verifications, for staff who look one up: by the ids of process and activation, or by the
/// user, of whom a keyed digest is kept.
package struct ProcessRepository: RecordRepository {
  package let kind = "verifications"
  package let states = ProcessStatus.allCases.map(\.rawValue)
  let core: CoreDependencies
  let activations: Activations

  package init(_ core: CoreDependencies, activations: Activations) {
    (self.core, self.activations) = (core, activations)
  }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: ["kind": kind], in: tx)
    }
    // Without a lock: a search may look at many rows.
    return try await core.database.read { [core, activations] tx in
      let store = ProcessStore(tx, vault: core.vault)
      if let name = question.name {
        guard RecordQuestion.isName(name) else { return RecordPage([]) }
        return RecordPage(
          try store.named(
            name, tenants: activations.tenants(in: tx), before: question.after, in: reader.scope,
            limit: RecordQuestion.pageMax + 1
          ).map(Self.row))
      }
      let statuses = question.state.flatMap(ProcessStatus.init(rawValue:)).map { [$0] } ?? ProcessStatus.allCases
      return RecordPage(
        try store.page(statuses, before: question.after, in: reader.scope, limit: RecordQuestion.pageMax + 1)
          .map(Self.row))
    }
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
      guard let process = try ProcessStore(tx, vault: core.vault).find(.init(rawValue: id)),
        reader.scope.contains(process.tenant)
      else { throw Problem.notFound }
      try reader.requireOther(than: process.person.user)
      try core.audit.append("wultra.process.seen", to: process.id.rawValue, by: reader.actor, in: tx)
      let verifications = IdentityVerificationStore(tx)
      let tries = try verifications.ids(of: process.id).suffix(10).compactMap { try verifications.find($0) }
      let reviews = try tries.flatMap { try ReviewStore(tx).records(of: $0.id) }
      let decisions = try reviews.compactMap { record -> (code: String, value: String?)? in
        guard let reason = try record.reason(by: core.vault, in: tx) else { return nil }
        return ("decision", "\(record.closedAt?.rfc3339 ?? "") \(record.verdict?.rawValue ?? ""): \(reason)")
      }
      return RecordFile(
        Self.row(process),
        facts: [
          ("user", process.person.user), ("activation", process.activation), ("failure", process.failure?.rawValue),
          ("ends", process.deadline.rfc3339),
        ]
          + tries.map { item in
            let failure = item.failure.map { ", \($0.rawValue)" } ?? ""
            return ("verification", "\(item.createdAt.rfc3339) \(item.state.rawValue)\(failure)")
          } + decisions, subjects: reviews.map(\.review.id.rawValue), chain: process.id.rawValue)
    }
  }

  private static func row(_ process: OnboardingProcess) -> RecordRow {
    RecordRow(
      id: process.id.rawValue, name: process.id.rawValue, tenant: process.tenant, state: process.status.rawValue,
      at: process.createdAt)
  }
}
