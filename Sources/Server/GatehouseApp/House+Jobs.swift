import Capabilities
import FinapticFlow
import Kit
import Logging
import OneAssistFlow
import RubixFlow
import ServiceLifecycle
import WultraFlow

/// What has to be done every half minute: time limits end, old counters go, new keys are learned.
package struct Caretaker: Service {
  static let interval = Duration.seconds(30)

  struct Job: Sendable {
    let name: String
    let run: @Sendable () async throws -> Void

    init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
      self.name = name
      self.run = run
    }
  }

  let jobs: [Job]
  let logger: Logger

  package func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        for job in jobs {
          do { try await job.run() } catch is CancellationError { break } catch {
            logger.error("caretaker job failed", metadata: ["job": "\(job.name)", "error": "\(type(of: error))"])
          }
        }
        try? await Task.sleep(for: Self.interval)
      }
    }
  }
}

extension House {
  /// Learns keys that another process made. A service of its own: a sweep that waits must not hold it up.
  package var keyWatch: Caretaker {
    let (vault, database, signer) = (vault, database, signer)
    let jobs: [Caretaker.Job] = [
      .init("data keys") { try await vault.refresh(from: database) },
      .init("signing keys") { try await signer.refresh() },
    ]
    return Caretaker(jobs: jobs, logger: logger)
  }

  package var caretaker: Caretaker {
    let (database, parts, effects, staff, world) = (database, parts, effects, staff, world)
    let (activations, clients, wultra) = (activations, serviceClients, wultra.effects)
    let (saltEdge, demoBank, oneAssist) = (saltEdgeEffects, demoBank, OneAssistEffects(oneAssist))
    let chores = FinapticEffects(finaptic).chores.map { Caretaker.Job($0.name, run: $0.run) }
    let forgetting = UserErasure(runner: self.wultra.runner)
    let missed = MissedCalls(runner: runner)
    let retention = RetentionSweep(erasure: customerErasure)
    let webhooks = webhooks
    let worker = worker
    let live = LiveEvents(database: database, world: world)
    let (ledger, dayEnd) = (self.finaptic.parts.ledger, DayEnd(self.finaptic))
    let jobs: [Caretaker.Job] = [
      .init("lapsed applications") { try await effects.sweepLapsed() },
      .init("missed calls") { try await missed.sweep() },
      .init("retention") { try await retention.run() },
      .init("lapsed wultra processes") { try await wultra.sweepLapsed() },
      .init("ended wultra processes") { try await forgetting.sweepEnded() },
      .init("lapsed activations") { try await activations.sweepLapsed() },
      .init("spent proofs") { try await activations.sweep() },
      .init("lapsed authorizations") { try await saltEdge.sweep() },
      .init("lapsed memberships") { try await oneAssist.sweep() },
      .init("overdue holds") { try await ledger.sweepHolds() },
      .init("ended days") { try await dayEnd.run() },
      .init("old webhooks") { try await webhooks.sweep() },
      .init("orphaned effects") { try await worker.parkOrphans() },
      .init("old events") { try await live.sweep() },
      .init("old rows") {
        let now = world.now()
        try await database.sweep { try IdempotencyStore($0).sweep(before: now, limit: $1) }
        try await database.sweep { try RateCounterStore($0).sweep(before: now, limit: $1) }
        try await database.sweep(batch: SessionStore.sweepBatch) {
          try SessionStore.sweep(before: now, limit: $1, in: $0)
        }
        try await database.sweep { try parts.passcodes.sweep(limit: $1, in: $0) }
        try await database.sweep { try staff.sweep(limit: $1, in: $0) }
        try await database.sweep { try clients.sweep(limit: $1, in: $0) }
        try await saltEdge.sweepMemory()
        try await demoBank?.sweep()
        try await oneAssist.sweepMemory()
      },
    ]
    return Caretaker(jobs: jobs + chores, logger: logger)
  }
}
