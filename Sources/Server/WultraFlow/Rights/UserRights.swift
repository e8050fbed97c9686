// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Kit
import Storage

extension UserExporter: SubjectExporter {
  package func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    var found = try await export(subject.id, tenant: subject.tenant, by: .init(subject.actor))
    try await addPictures(to: &found) { file, bytes in try add(file.path, bytes) }
    try add("user.json", ExportText.json(found))
  }
}

extension UserErasure: PagedEraser {
  package func erase(
    _ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool
  ) async throws -> [String] {
    try await erase(subject, for: reason, despiteDuty: despiteDuty, progress: WorkProgress())
  }

  package func erase(
    _ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool, progress: WorkProgress
  ) async throws -> [String] {
    let outcome = try await erase(
      subject.id, tenant: subject.tenant, for: reason, by: .init(subject.actor), progress: progress)
    return [
      "Forgotten: \(outcome.processes.counted("process", "processes")), whose pictures are deleted by the worker, and "
        + "\(outcome.activations.counted("activation", "activations"))."
    ]
  }

  package func proofName(of subject: DataSubject) -> String { subject.proofName(in: WultraModule.name) }

  package func tenants(in scope: TenantScope, in tx: any SQLTransaction) throws -> [String] {
    try dossiers.activations.tenants(in: tx).filter(scope.contains)
  }

  package func person(_ name: String, of tenant: String, in tx: any SQLTransaction) throws -> NamedPerson? {
    let key = dossiers.activations.keySubject(of: name, tenant: tenant)
    guard
      try !ProcessStore(tx, vault: core.vault).ids(ofUser: name, tenant: tenant, limit: 1).isEmpty
        || dossiers.activations.knows(user: name, tenant: tenant, in: tx)
        || core.vault.hasSubjectKey(of: key.id, in: tx)
    else { return nil }
    return NamedPerson(name, of: key)
  }
}
