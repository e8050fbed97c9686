// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Lists, and screenings of customers with their hits. Each flow deletes those of its customers.
package struct ScreeningModule: StoredModule {
  /// What operators decide about searches that go on by themselves.
  package struct Policy: Sendable {
    /// Versions of lists that were replaced are kept so long; those that a kept screening names are kept with it.
    package var listRetention = Duration.days(1826)
    /// The share of disguised entries that the nightly self-test has to find, of each kind.
    package var recallMin = 0.9

    package init() {}
  }

  let core: CoreDependencies
  let rescreening: Rescreening
  let lists: ScreeningLists
  let policy: Policy
  let alerts: ScreeningAlerts
  let waiting: WaitingCases
  package let selfTest: ScreeningSelfTest

  /// - Parameters:
  ///   - customers: of the flows that screen theirs.
  ///   - tell: tells an institution of a hit that waits; it may be told of one twice.
  ///   - alarm: is told of kinds of disguises of which the self-test finds too little.
  package init(
    _ core: CoreDependencies, source: ScreeningSource, lists: ScreeningLists, customers: [any ScreenedCustomers],
    policy: Policy = Policy(), tell: @escaping @Sendable (ScreeningAlert) async throws -> Void,
    alarm: @escaping @Sendable (ScreeningSelfTest.Finding) -> Void = { _ in }
  ) {
    (self.core, self.lists, self.policy) = (core, lists, policy)
    rescreening = Rescreening(core, source: source, lists: lists, customers: customers)
    waiting = WaitingCases(core: core, customers: customers)
    alerts = ScreeningAlerts(core: core, customers: customers, tell: tell)
    selfTest = ScreeningSelfTest(core, source: source, recallMin: policy.recallMin, alarm: alarm)
  }

  package static let migrations = [
    Screening.migration, Screening.replacementMigration, ScreeningLists.migration, Screening.caseMigration,
    Screening.originMigration, ScreeningRunStore.migration, ScreeningSelfTest.migration,
    ScreeningRunStore.confirmationMigration, ScreeningLists.skippedMigration, ScreeningLists.warningsMigration,
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

  package var effects: [String: OutboxWorker.Handler] { [CaseMachine.alertTopic: alerts.perform] }

  package var jobs: [ScheduledJob] {
    let (rescreening, selfTest, waiting) = (rescreening, selfTest, waiting)
    return [
      ScheduledJob("screening-cases", every: .hours(6)) { try await waiting.catchUp() },
      ScheduledJob("rescreening") { try await rescreening.run() },
      ScheduledJob("screening-reviews", every: .minutes(10)) { try await rescreening.review() },
      ScheduledJob("screening-self-test", every: .minutes(30)) { try await selfTest.runDaily() },
    ]
  }

  package var retention: [ScheduledJob] {
    let (core, lists, kept) = (core, lists, policy.listRetention)
    return [
      ScheduledJob("old-lists", every: .hours(1)) { try await lists.sweep(before: core.world.now() - kept) },
      ScheduledJob("old-screening-runs", every: .hours(1)) {
        let horizon = core.world.now() - .days(400)
        try await core.database.sweep { try ScreeningRunStore($0).sweep(before: horizon, limit: $1) }
      },
    ]
  }
}
