// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Accounts, postings and holds. Entries are kept for good; the flow that owns a ledger ends its overdue holds.
package struct LedgerModule: StoredModule {
  package init() {}

  package static let migrations = [
    LedgerStore.migration, LedgerStore.deadLetterMigration, LedgerStore.sealMigration, LedgerStore.stopMigration,
    LedgerStore.valueDateMigration, LedgerStore.valueDateIndexMigration, LedgerStore.lateTermsMigration,
    LedgerStore.growthMigration,
  ]
}
