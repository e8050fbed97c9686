import Foundation
import Kit

extension FinapticExporter: SubjectExporter {
  package func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    let found = try await export(subject.id, tenant: tenantNumber(subject.tenant), by: subject.actor)
    try add("customer.json", ExportText.json(found))
  }
}

extension FinapticErasure: SubjectEraser {
  package func erase(
    _ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool
  ) async throws -> [String] {
    let tenant = try tenantNumber(subject.tenant)
    let outcome: Outcome
    do {
      outcome = try await erase(
        subject.id, tenant: tenant, reason: reason, by: subject.actor, despiteDuty: despiteDuty)
    } catch let problem as Problem where problem == .notFound {
      let (name, erasures) = (proofName(of: subject), erasures)
      guard try await core.database.read({ try erasures.proof(of: name, in: $0) }) != nil else { throw problem }
      return ["Erased before."]
    }
    return [
      "Erased, with \(outcome.applications) applications; \(outcome.accounts) accounts stay in the books, unnamed."
    ]
  }

  package func proofName(of subject: DataSubject) -> String {
    Self.proofName(subject.id, tenant: (try? tenantNumber(subject.tenant)) ?? 0)
  }
}

/// The number in a tenant's name as operators write it, `finaptic-3` or `3`.
private func tenantNumber(_ name: String) throws -> Int {
  let prefix = "\(FinapticModule.name)-"
  guard let number = Int(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name) else {
    throw Problem.notFound
  }
  return number
}
