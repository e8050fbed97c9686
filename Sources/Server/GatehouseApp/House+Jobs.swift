import Capabilities
import FinapticFlow
import Kit
import OneAssistFlow
import RubixFlow
import WultraFlow

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
  package var scheduler: Scheduler { scheduler(of: jobs) }

  private func scheduler(of jobs: [ScheduledJob]) -> Scheduler {
    Scheduler(jobs, world: world, reports: telemetry.jobs.reports, logger: logger)
  }

  private var jobs: [ScheduledJob] {
    let (database, effects, world) = (database, effects, world)
    let (activations, wultra, webhooks, worker) = (activations, wultra.effects, webhooks, worker)
    let (saltEdge, oneAssist) = (saltEdgeEffects, OneAssistEffects(oneAssist))
    let forgetting = UserErasure(runner: self.wultra.runner)
    let missed = MissedCalls(runner: runner)
    let retention = RetentionSweep(erasure: customerErasure)
    let live = LiveEvents(database: database, world: world)
    let (ledger, dayEnd) = (finaptic.parts.ledger, DayEnd(finaptic))
    return [
      ScheduledJob("lapsed-applications") { try await effects.sweepLapsed() },
      ScheduledJob("missed-calls") { try await missed.sweep() },
      ScheduledJob("retention") { try await retention.run() },
      ScheduledJob("lapsed-wultra-processes") { try await wultra.sweepLapsed() },
      ScheduledJob("ended-wultra-processes") { try await forgetting.sweepEnded() },
      ScheduledJob("lapsed-activations") { try await activations.sweepLapsed() },
      ScheduledJob("spent-proofs") { try await activations.sweep() },
      ScheduledJob("lapsed-authorizations") { try await saltEdge.sweep() },
      ScheduledJob("lapsed-memberships") { try await oneAssist.sweep() },
      ScheduledJob("overdue-holds") { try await ledger.sweepHolds() },
      ScheduledJob("ended-days") { try await dayEnd.run() },
      ScheduledJob("old-webhooks") { try await webhooks.sweep() },
      ScheduledJob("orphaned-effects") { try await worker.parkOrphans() },
      ScheduledJob("old-events") { try await live.sweep() },
      oldRows,
      ScheduledJob("old-saltedge-rows") { try await saltEdge.sweepMemory() },
      ScheduledJob("old-oneassist-rows") { try await oneAssist.sweepMemory() },
    ]
      + FinapticEffects(finaptic).chores.map { job in
        ScheduledJob(job.name.replacing(" ", with: "-"), run: job.run)
      }
      + (demoBank.map { bank in [ScheduledJob("old-demo-bank-rows") { try await bank.sweep() }] } ?? [])
      + [blobSweep]
  }

  private var oldRows: ScheduledJob {
    let (database, parts, staff, clients, world) = (database, parts, staff, serviceClients, world)
    return ScheduledJob("old-rows") {
      let now = world.now()
      try await database.sweep { try IdempotencyStore($0).sweep(before: now, limit: $1) }
      try await database.sweep { try RateCounterStore($0).sweep(before: now, limit: $1) }
      try await database.sweep(batch: SessionStore.sweepBatch) {
        try SessionStore.sweep(before: now, limit: $1, in: $0)
      }
      try await database.sweep { try parts.passcodes.sweep(limit: $1, in: $0) }
      try await database.sweep { try staff.sweep(limit: $1, in: $0) }
      try await database.sweep { try clients.sweep(limit: $1, in: $0) }
    }
  }
}
