import Identity
import Kit

/// What servers do regularly by themselves.
extension House {
  /// Learns keys that another process made. Every process needs it, also one that runs no other jobs.
  package var keyWatch: Scheduler {
    let (vault, database, signer) = (vault, database, signer)
    return scheduler(of: [
      ScheduledJob("data-keys") { try await vault.refresh(from: database) },
      ScheduledJob("signing-keys") { try await signer.refresh() },
    ])
  }

  /// Ends what time ends and deletes what is old.
  package var scheduler: Scheduler { scheduler(of: modules.flatMap(\.jobs) + sharedJobs) }

  private func scheduler(of jobs: [ScheduledJob]) -> Scheduler {
    Scheduler(jobs, world: world, reports: telemetry.jobs.reports, logger: logger)
  }

  private var sharedJobs: [ScheduledJob] {
    let (activations, webhooks, worker) = (activations, webhooks, worker)
    let live = LiveEvents(database: database, world: world)
    var jobs = [
      ScheduledJob("lapsed-activations") { try await activations.sweepLapsed() },
      ScheduledJob("spent-proofs") { try await activations.sweep() },
      ScheduledJob("old-webhooks") { try await webhooks.sweep() },
      ScheduledJob("orphaned-effects") { try await worker.deadLetterOrphans() },
      ScheduledJob("old-events") { try await live.sweep() },
      oldRows, blobSweep,
    ]
    if let demoBank { jobs.append(ScheduledJob("old-demo-bank-rows") { try await demoBank.sweep() }) }
    return jobs
  }

  private var oldRows: ScheduledJob {
    let (database, passcodes, staff, clients, world) = (database, rubix.passcodes, staff, serviceClients, world)
    return ScheduledJob("old-rows") {
      let now = world.now()
      try await database.sweep { try IdempotencyStore($0).sweep(before: now, limit: $1) }
      try await database.sweep { try RateCounterStore($0).sweep(before: now, limit: $1) }
      try await database.sweep(batch: SessionStore.sweepBatch) {
        try SessionStore.sweep(before: now, limit: $1, in: $0)
      }
      try await database.sweep { try passcodes.sweep(limit: $1, in: $0) }
      try await database.sweep { try staff.sweep(limit: $1, in: $0) }
      try await database.sweep { try clients.sweep(limit: $1, in: $0) }
    }
  }
}
