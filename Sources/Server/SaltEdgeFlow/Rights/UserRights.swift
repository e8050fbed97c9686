// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension UserExporter: SubjectExporter {
  package func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    try add("user.json", ExportText.json(try await export(subject.id, ofBank: subject.tenant, by: subject.actor)))
  }
}

extension UserErasure: SubjectEraser {
  package func erase(
    _ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool
  ) async throws -> [String] {
    let erased = try await forget(subject.id, ofBank: subject.tenant, for: reason, by: subject.actor)
    guard let erased else { throw Problem.notFound }
    let devices = erased.connections.counted("device", "devices")
    return ["Erased: \(devices), \(erased.operations.counted("authorization", "authorizations"))."]
  }

  package func proofName(of subject: DataSubject) -> String { subject.proofName(in: SaltEdgeModule.name) }

  package func tenants(in scope: TenantScope, in tx: any SQLTransaction) throws -> [String] {
    try ProviderStore(tx, vault: core.vault).codes(in: scope)
  }

  package func person(_ name: String, of tenant: String, in tx: any SQLTransaction) throws -> NamedPerson? {
    guard let bank = try ProviderStore(tx, vault: core.vault).find(code: tenant) else { return nil }
    let digest = core.digest(user: name, of: bank.id)
    guard
      try !ConnectionStore(tx, vault: core.vault).ids(user: digest, limit: 1).isEmpty
        || !OperationStore(tx, vault: core.vault).all(user: digest, limit: 1).isEmpty
        || !AuthorizationStore(tx, vault: core.vault).actions(user: digest, limit: 1).isEmpty
        || LinkStore(tx, vault: core.vault).has(user: digest) || core.vault.hasSubjectKey(of: digest, in: tx)
    else { return nil }
    return NamedPerson(name, of: KeySubject(digest, of: KeySubject.tenant(of: bank.id)))
  }
}
