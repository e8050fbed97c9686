// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

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
    return try await orBefore(subject) {
      let outcome = try await erase(
        subject.id, tenant: tenant, reason: reason, by: subject.actor, despiteDuty: despiteDuty)
      return "Erased, with \(outcome.applications.counted("application", "applications")); "
        + "\(outcome.accounts.counted("account stays", "accounts stay")) in the books, unnamed."
    }
  }

  /// One who was erased before is found by the proof of it only.
  private func orBefore(_ subject: DataSubject, _ erase: () async throws -> String) async throws -> [String] {
    do { return [try await erase()] } catch let problem as Problem where problem == .notFound {
      let (name, erasures) = (proofName(of: subject), erasures)
      guard try await core.database.read({ try erasures.proof(of: name, in: $0) }) != nil else { throw problem }
      return ["Erased before."]
    }
  }

  package func proofName(of subject: DataSubject) -> String {
    Self.proofName(subject.id, tenant: (try? tenantNumber(subject.tenant)) ?? 0)
  }

  package func requireNoDuty(_ subject: DataSubject, in tx: any SQLTransaction) throws {
    _ = try find(subject.id, tenant: tenantNumber(subject.tenant), despiteDuty: false, in: tx)
  }

  package func tenants(in scope: TenantScope, in tx: any SQLTransaction) throws -> [String] {
    try TenantStore(tx).list().map(\.session).filter(scope.contains)
  }

  package func person(_ name: String, of tenant: String, in tx: any SQLTransaction) throws -> NamedPerson? {
    try FinapticUserStore(tx, vault: core.vault).kept(name, tenant: tenantNumber(tenant)).map {
      NamedPerson($0.id.rawValue, id: $0.id.rawValue)
    }
  }
}

extension FinapticErasure: SubjectSettler {
  package var ways: [String] { ErasureMoney.allCases.map(\.rawValue) }
  package var settling: FourEyes { BankAct.rule }

  package func propose(
    _ way: String, of subject: DataSubject, despiteDuty: Bool, in tx: any SQLTransaction
  ) throws -> String? {
    let found = try find(subject.id, tenant: tenantNumber(subject.tenant), despiteDuty: despiteDuty, in: tx)
    return try settlement.settle(found, by: Self.way(way), approval: nil, actor: subject.actor, in: tx)?.id
  }

  package func erase(
    _ subject: DataSubject, settling way: String, approval: String, for reason: ErasureReason, despiteDuty: Bool
  ) async throws -> [String] {
    let (tenant, way) = (try tenantNumber(subject.tenant), try Self.way(way))
    return try await orBefore(subject) {
      let settled = try await erase(
        subject.id, tenant: tenant, settling: way, approval: approval, reason: reason, by: subject.actor,
        despiteDuty: despiteDuty)
      guard case .erased(let outcome) = settled else { throw Problem.approvalRequired }
      return outcome.words
    }
  }

  private static func way(_ code: String) throws -> ErasureMoney {
    guard let way = ErasureMoney(rawValue: code) else { throw Problem.notFound }
    return way
  }
}

/// The number in a tenant's name as operators write it, `finaptic-3` or `3`.
package func tenantNumber(_ name: String) throws -> Int {
  let prefix = "\(FinapticModule.name)-"
  guard let number = Int(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name) else {
    throw Problem.notFound
  }
  return number
}
