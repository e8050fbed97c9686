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
    let outcome = try await erase(
      subject.id, tenant: tenantNumber(subject.tenant), reason: reason.rawValue, by: subject.actor,
      despiteDuty: despiteDuty)
    return [
      "Erased, with \(outcome.applications) applications; \(outcome.accounts) accounts stay in the books, unnamed."
    ]
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
