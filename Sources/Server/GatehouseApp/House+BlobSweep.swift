import Kit

extension House {
  /// Deletes objects that no row names. A walk through a large bucket takes minutes, so it is made seldom.
  var blobSweep: ScheduledJob {
    let (database, references, logger) = (database, blobReferences, logger)
    let sweep = BlobSweep(
      core.blobs,
      isReferenced: { keys in
        try await database.read { tx in
          try references.reduce(into: []) { try $0.formUnion($1.referenced(keys, tx)) }
        }
      }, world: world)
    return ScheduledJob("blobs", every: .hours(6), retryAfter: .minutes(10)) {
      let counts = try await sweep.run()
      logger.info(
        "blobs swept",
        metadata: [
          "seen": "\(counts.seen)", "young": "\(counts.young)", "referenced": "\(counts.referenced)",
          "deleted": "\(counts.deleted)", "unfinished": "\(counts.unfinished)",
        ])
    }
  }
}
