import Storage

/// The tables of this room, in the order in which they refer to each other.
package enum WultraSchema {
  package static let migrations = [
    ProcessStore.migration, IdentityVerificationStore.migration, SubmittedDocumentStore.migration,
    CaptureStore.migration, ConsentStore.migration, ReviewStore.migration,
  ]
}
