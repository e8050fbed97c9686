import Kit
import Storage

/// Lists, and screenings of customers with their hits. Each flow deletes those of its customers.
package struct ScreeningModule: StoredModule {
  package init() {}

  package static let migrations = [
    Screening.migration, Screening.replacementMigration, ScreeningLists.migration, Screening.caseMigration,
    Screening.originMigration,
  ]

  /// The entries of every version of a list that was searched.
  package static var blobReferences: BlobReferences? {
    BlobReferences(
      page: { try ScreeningListStore.kept(after: $0, limit: $1, in: $2) },
      referenced: { try ScreeningListStore.referenced($0, in: $1) })
  }

  package static let sealedColumns = [
    SealedColumn("screening", "findings", of: "subject_id"),
    SealedColumn("screening_case", "particulars", of: "subject_id"),
  ]
}
