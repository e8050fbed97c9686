// SPDX-License-Identifier: Apache-2.0

import Logging
import Storage

/// What every other module builds on: the outbox, the audit, data keys, idempotency, limits, live events and blobs.
package struct KitModule: StoredModule {
  let core: CoreDependencies
  let worker: @Sendable () -> OutboxWorker
  let blobReferences: [BlobReferences]
  let reseal: SubjectReseal
  let auditCheckpoints: AuditCheckpoints?
  let figures: FlowFigures
  let logger: Logger

  /// - Parameters:
  ///   - worker: the application's worker, which knows the topics of all modules.
  ///   - blobReferences: of all modules.
  ///   - sealedColumns: of all modules.
  ///   - auditCheckpoints: nil makes none.
  package init(
    _ core: CoreDependencies, worker: @escaping @Sendable () -> OutboxWorker, blobReferences: [BlobReferences],
    sealedColumns: [SealedColumn], auditCheckpoints: AuditCheckpoints?, figures: FlowFigures, logger: Logger
  ) {
    (self.core, self.worker, self.blobReferences) = (core, worker, blobReferences)
    reseal = SubjectReseal(core, columns: sealedColumns, objects: blobReferences)
    (self.auditCheckpoints, self.figures, self.logger) = (auditCheckpoints, figures, logger)
  }

  package static let migrations = [
    OutboxStore.migration, OutboxStore.leaseMigration, OutboxStore.originMigration, OutboxStore.patienceMigration,
    OutboxStore.readyMigration, AuditStore.migration, AuditStore.contentMigration, DataKeyStore.migration,
    IdempotencyStore.migration, RateCounterStore.migration, LiveEventStore.migration,
    LiveEventStore.forgettingMigration, AuditStore.keyMigration, AuditStore.proofMigration,
    SubjectKeyStore.migration, ErasureProofStore.migration, SandboxClockStore.migration,
    SandboxClockStore.customersMigration, FlowFigureStore.migration, FlowFigureStore.tenantMigration,
    AuditSearchStore.migration, IdempotencyStore.caseMigration,
  ]

  package var jobs: [ScheduledJob] {
    let worker = worker()
    let figures = figures
    var jobs = [
      ScheduledJob("orphaned-effects") { try await worker.deadLetterOrphans() },
      ScheduledJob("flow-figures") { try await figures.addUp() },
    ]
    if core.vault.subjectKeys != nil {
      let (reseal, returned, logger) = (reseal, ReturnedKeys(core: core, logger: logger), logger)
      jobs.append(
        ScheduledJob("returned-keys", every: .hours(6), retryAfter: .minutes(10)) { try await returned.destroy() })
      jobs.append(
        ScheduledJob("reseal", every: .hours(6), retryAfter: .minutes(10)) {
          let report = try await reseal.run()
          guard report != .init() else { return }
          logger.info(
            "sealed under keys of persons",
            metadata: [
              "values": "\(report.values)", "objects": "\(report.objects)", "unreadable": "\(report.unreadable)",
            ])
        })
    }
    if let auditCheckpoints {
      // It looks more often than it makes one, so that a restart or a fault of the anchor costs minutes.
      jobs.append(ScheduledJob("audit-checkpoints", every: .minutes(5)) { try await auditCheckpoints.run() })
    }
    return jobs
  }

  package var retention: [ScheduledJob] {
    let (database, world) = (core.database, core.world)
    let (live, figures) = (LiveEvents(database: database, world: world), figures)
    return [
      ScheduledJob("old-events") { try await live.sweep() },
      ScheduledJob("old-rows") {
        let now = world.now()
        try await database.sweep { try IdempotencyStore($0).sweep(before: now, limit: $1) }
        try await database.sweep { try RateCounterStore($0).sweep(before: now, limit: $1) }
        try await database.sweep { try figures.sweep(limit: $1, in: $0) }
      },
      blobSweep,
    ]
  }

  /// Deletes objects that no row names. A walk through a large bucket takes minutes, so it is made seldom.
  private var blobSweep: ScheduledJob {
    let (database, references, logger) = (core.database, blobReferences, logger)
    let sweep = BlobSweep(
      core.blobs,
      isReferenced: { keys in
        try await database.read { tx in
          try references.reduce(into: []) { try $0.formUnion($1.referenced(keys, tx)) }
        }
      }, world: core.world.machine)
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
