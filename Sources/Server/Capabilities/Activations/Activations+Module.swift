import Kit
import Storage

extension Activations: StoredModule {
  package static var migrations: [Migration] { [migration, policyMigration] }

  package var jobs: [ScheduledJob] { [ScheduledJob("lapsed-activations") { try await sweepLapsed() }] }

  package var retention: [ScheduledJob] { [ScheduledJob("spent-proofs") { try await sweep() }] }
}
