import Foundation
import Kit

extension FinapticExporter: SubjectExporter {
  package func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    let found = try await export(subject.id, tenant: tenantNumber(subject.tenant), by: subject.actor)
    try add("customer.json", ExportText.json(found))
    // The statements of accounts that others own are the others'.
    for account in found.accounts where found.customer.map(account.account.owners.contains) == true {
      let id = BankAccount.ID(rawValue: account.account.id)
      for one in try await core.database.read({ try MonthlyStatementStore($0).all(of: id) }) {
        for format in MonthlyStatement.Format.allCases {
          let bytes = try await statements.document(one, format)
          try add("statements/\(id)/\(one.month.text)-\(one.revision).\(format.suffix)", bytes)
        }
      }
    }
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
