import Kit
import Storage

/// Screenings of customers and their hits. Each flow deletes those of its customers.
package struct ScreeningModule: StoredModule {
  package init() {}

  package static let migrations = [Screening.migration, Screening.replacementMigration]
  package static let sealedColumns = [SealedColumn("screening", "findings", of: "subject_id")]
}
