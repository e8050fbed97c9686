// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What waits for people: cases, notes about them, and approvals by a second person.
package struct CaseworkModule: StoredModule {
  let database: any SQLDatabase
  let caseService: CaseService

  package init(_ core: CoreDependencies, caseService: CaseService) {
    (database, self.caseService) = (core.database, caseService)
  }

  package static let migrations = [
    CaseStore.migration, ApprovalStore.migration, ReceiptStore.migration, RightsRequestStore.migration,
    RightsRequestStore.nameMigration, CaseStore.bookedMigration, ApprovalStore.makerMigration,
  ]
  package static let sealedColumns = [CaseNoteStore.sealedColumn, ApprovalStore.sealedColumn]
  package static var settings: (any ModuleSettings.Type)? { CaseworkSettings.self }

  package var retention: [ScheduledJob] {
    let (database, world, kept) = (database, caseService.world, caseService.policy.retention)
    return [
      ScheduledJob("old-cases") {
        let (before, over) = (world.now() - kept, world.now() - Approval.lifetime)
        try await database.sweep { try RightsRequestStore.forgetBegun(before: over, limit: $1, in: $0) }
        try await database.sweep { try CaseStore.sweep(before: before, limit: $1, in: $0) }
        try await database.sweep { try ApprovalStore.sweep(before: before, limit: $1, in: $0) }
        try await database.sweep { try RightsRequestStore.sweep(before: before, limit: $1, in: $0) }
      }
    ]
  }
}
