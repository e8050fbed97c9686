// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension MembershipExporter: SubjectExporter {
  package func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    var found = try await export(.init(rawValue: subject.id), tenant: subject.tenant, by: subject.actor)
    try await addPictures(to: &found) { file, bytes in try add(file.path, bytes) }
    try add("membership.json", ExportText.json(found))
  }
}

/// Forgets a membership that has ended. Opening it first checks its tenant and leaves a line in the audit.
struct MembershipEraser: SubjectEraser {
  let memberships: MembershipService
  let reviews: ReviewCommands
  let erasure: MembershipErasure

  func erase(_ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool) async throws -> [String] {
    let id = Membership.ID(rawValue: subject.id)
    let readability = try await erasure.core.database.read {
      try memberships.readability(id, tenant: subject.tenant, in: $0)
    }
    switch readability {
    case .erased: return ["Erased before."]
    case .unreadable: break
    case .readable: _ = try await reviews.open(id, tenant: subject.tenant, by: subject.actor)
    }
    try await erasure.erase(id, for: reason, by: subject.actor)
    return ["Erased."]
  }

  func tenants(in scope: TenantScope, in tx: any SQLTransaction) throws -> [String] {
    try Set(MembershipStore(tx, vault: erasure.core.vault).tenants().values).filter(scope.contains).sorted()
  }

  func person(_ name: String, of tenant: String, in tx: any SQLTransaction) throws -> NamedPerson? {
    let id = Membership.ID(rawValue: name.lowercased())
    do {
      guard try memberships.readability(id, tenant: tenant, in: tx) != .erased else { return nil }
    } catch let problem as Problem where problem == .notFound { return nil }
    return NamedPerson(id.rawValue, id: id.rawValue)
  }
}
