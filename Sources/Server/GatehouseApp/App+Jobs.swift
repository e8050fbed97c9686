// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit

/// What servers do regularly by themselves.
extension App {
  /// Learns keys that another process made and how far a sandbox's clock is ahead, and goes forward with the epoch key.
  /// Every process needs it, also one that runs no other jobs.
  package var keyWatch: Scheduler {
    let (vault, database, signer, sandboxClock) = (vault, database, signer, sandboxClock)
    var jobs = [
      ScheduledJob("data-keys") { try await vault.refresh(from: database) },
      ScheduledJob("signing-keys") { try await signer.refresh() },
    ]
    if let sandboxClock {
      jobs.append(ScheduledJob(SandboxClock.job, every: .seconds(1)) { try await sandboxClock.refresh(from: database) })
    }
    if let epochs = SubjectKeyEpochs(database, vault: vault, world: world) {
      jobs.append(ScheduledJob("epoch-keys", every: .minutes(5)) { try await epochs.run() })
    }
    return scheduler(of: jobs)
  }

  /// Ends what time ends and deletes what is old.
  package var scheduler: Scheduler { scheduler(of: storedModules.flatMap { $0.jobs + $0.retention }) }

  private func scheduler(of jobs: [ScheduledJob]) -> Scheduler {
    Scheduler(jobs, world: world.machine, reports: telemetry.jobs.reports, logger: logger)
  }

  var kitModule: KitModule {
    KitModule(
      core, worker: { worker }, blobReferences: entries.compactMap { $0.type.blobReferences },
      sealedColumns: sealedColumns,
      auditCheckpoints: auditCheckpoints, figures: figures, logger: logger)
  }

  var identityModule: IdentityModule {
    IdentityModule(
      database: database, world: world, passcodes: rubix.passcodes, staff: staff, serviceClients: serviceClients)
  }
}
