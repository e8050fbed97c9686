// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage

/// What is kept of searches in sanctions and PEP lists: results with the versions of the lists, and what officers made
/// of the hits (rubix-onboarding §6.11, §7.4).
///
/// The search itself is the port `ScreeningProvider`, asked outside any transaction; every method here runs inside the
/// caller's transaction.
package struct Screening: Sendable {
  /// An officer's word on one hit.
  package struct Verdict: Sendable, Hashable {
    /// Code of the hit's list.
    package let list: String
    /// The hit's entry.
    package let entityID: String
    /// False positive or true match.
    package let disposition: Disposition

    package init(list: String, entityID: String, disposition: Disposition) {
      self.list = list
      self.entityID = entityID
      self.disposition = disposition
    }
  }

  /// What a provider's late answer changed.
  package enum Settlement: Sendable, Hashable {
    case settled(Record)
    /// The reference was settled before; nothing changed.
    case repeated(Record)
  }

  /// The table of results.
  package static let migration = ScreeningStore.migration
  package static let replacementMigration = ScreeningStore.replacementMigration
  package static let originMigration = ScreeningStore.originMigration
  /// The table of cases.
  package static let caseMigration = ScreeningCaseStore.migration

  /// Years until a subject found clean is screened again.
  private static let reviewYears = 1

  let vault: Vault
  let world: World
  let audit: Audit
  let mover: Mover
  /// Where hits wait that no step of a flow waits for.
  let workQueue: any CaseRepository

  package init(_ core: CoreDependencies) {
    (vault, world, audit, mover) = (core.vault, core.world, core.audit, core.mover)
    workQueue = core.cases
  }

  /// Counts no moves; for tests.
  package init(vault: Vault, world: World) {
    (self.vault, self.world) = (vault, world)
    audit = Audit(world: world, vault: vault)
    mover = Mover(audit: audit, moves: .uncounted)
    workQueue = NoCases()
  }

  /// Keeps how a search came out, and opens a case for every hit that was not decided before. The same pending
  /// reference again gives the record that is there.
  /// - Parameters:
  ///   - former: another id of the same person, whose false positives count when entry and person say the same.
  ///   - queue: where hits wait for a person; nil where the flow's own case tells of them.
  ///   - actor: who is responsible, as in the audit log.
  /// - Throws: `Problem` `provider-error` when a provider gives one reference to two subjects.
  package func record(
    _ outcome: Outcome, of subject: Subject, for subjectID: String, origin: Origin = .step,
    formerly former: String? = nil, queue: Queue? = nil, by actor: String = "system", in tx: any SQLTransaction
  ) throws -> Record {
    let id = Record.ID(world)
    let now = world.now()
    var record = Record(
      id: id, subjectID: subjectID, referenceNo: id.rawValue, origin: origin, status: .error, subject: subject,
      lists: [], threshold: nil, hits: [], failure: nil, screenedAt: now, nextReviewOn: nil, createdAt: now, version: 1)
    switch outcome {
    case .screened(let report):
      record.lists = report.lists
      record.threshold = report.threshold
      record.matcher = report.matcher
      record.hits = try follow(report.hits, of: record, formerly: former, queue: queue, by: actor, in: tx)
      record.status = Self.status(of: record.hits)
      record.nextReviewOn = record.status == .clean ? reviewDate(after: now) : nil
    case .pending(let referenceNo):
      record.referenceNo = referenceNo
      record.status = .pending
      record.screenedAt = nil
    case .failed(let reason): record.failure = reason
    }
    let store = ScreeningStore(tx, vault)
    if try store.insert(record) {
      try store.replaceOthers(of: record, at: now)
      return record
    }
    guard let known = try store.find(referenceNo: record.referenceNo), known.subjectID == subjectID else {
      throw Problem(.providerFailed, "provider-error", "The screening provider answered inconsistently.")
    }
    return known
  }

  /// Takes a provider's answer to a pending search. Once only: late and repeated answers change nothing.
  ///
  /// A provider's match is a potential one until an officer has looked at it; without named hits it becomes one hit of
  /// its own, so that there is something to decide on.
  /// - Throws: `Problem` `not-found` for an unknown reference.
  package func settle(
    referenceNo: String, as status: Status, provider: String, hits: [Hit] = [], lists: [WatchList.Version] = [],
    in tx: any SQLTransaction
  ) throws -> Settlement {
    let store = ScreeningStore(tx, vault)
    guard let pending = try store.find(referenceNo: referenceNo) else { throw Problem.notFound }
    guard pending.status == .pending, status != .pending else { return .repeated(pending) }
    var settled = pending
    settled.screenedAt = world.now()
    settled.lists = lists
    settled.hits = hits
    switch status {
    case .clean where hits.isEmpty:
      settled.status = .clean
      settled.nextReviewOn = reviewDate(after: world.now())
    case .error: settled.status = .error
    case .clean, .potentialMatch, .trueMatch, .pending:
      let found = hits.isEmpty ? [Hit(alertOf: provider, referenceNo: referenceNo)] : hits
      settled.hits = try follow(found, of: settled, by: "system", in: tx)
      settled.status = Self.status(of: settled.hits)
      settled.nextReviewOn = settled.status == .clean ? reviewDate(after: world.now()) : nil
    }
    guard let saved = try store.replace(settled) else {
      guard let other = try store.find(referenceNo: referenceNo) else { throw Problem.notFound }
      return .repeated(other)
    }
    return .settled(saved)
  }

  /// Writes an officer's verdicts down: one true match makes the result a true match, hits that are all false
  /// positives make it clean, and anything else leaves it open. Where two persons decide, the verdicts are proposals,
  /// and the result stays open.
  ///
  /// A hit of an earlier search can be named too. The same verdicts again change nothing.
  /// - Parameters:
  ///   - needsTwo: whether two persons decide.
  ///   - text: the officer's reasons.
  /// - Throws: `Problem` `not-found`; `validation-failed` for an unknown hit or verdict;
  ///   `step-already-completed` when it was decided otherwise; `awaiting-approval` when it waits for a second person;
  ///   `SQLError.outdated` when another officer is faster.
  package func dispose(
    _ verdicts: [Verdict], of id: Record.ID, by officer: String, needsTwo: Bool = false, text: String = "",
    in tx: any SQLTransaction
  ) throws -> Record {
    let store = ScreeningStore(tx, vault)
    guard let record = try store.find(id) else { throw Problem.notFound }
    for (number, verdict) in verdicts.enumerated() {
      // More than one where a list gives several entries one reference.
      let hits = record.hits.filter { $0.list == verdict.list && $0.entityID == verdict.entityID }
      // Found by an earlier search: the list gave the entry another reference since, or took it off.
      let former = hits.isEmpty ? try cases(of: record.subjectID, on: verdict, in: tx) : []
      guard !hits.isEmpty || !former.isEmpty else {
        throw Problem.validation([.init("/hits/\(number)", "unknown-hit", "The screening has no such hit.")])
      }
      guard verdict.disposition != .open else {
        throw Problem.validation([.init("/hits/\(number)/disposition", "not-a-verdict", "Say false or true match.")])
      }
      for hit in hits where hit.disposition != verdict.disposition {
        guard record.status == .potentialMatch else {
          throw Problem(.conflict, "step-already-completed", "The screening was decided before.")
        }
        try judge(
          caseOf(hit, of: record, by: officer, in: tx), Judgement(verdict.disposition, text: text), needsTwo: needsTwo,
          by: officer, in: tx)
      }
      for item in former where item.state.disposition != verdict.disposition {
        try judge(
          item, Judgement(verdict.disposition, text: text), needsTwo: needsTwo, by: officer, in: tx)
      }
    }
    return try store.find(id) ?? record
  }

  /// The cases of the entry that a verdict names, whichever search found them.
  private func cases(of subjectID: String, on verdict: Verdict, in tx: any SQLTransaction) throws -> [Case] {
    try cases(of: subjectID, in: tx).filter { $0.hit.list == verdict.list && $0.hit.entityID == verdict.entityID }
  }

  /// The subject's last screening, whatever came of it.
  package func latest(for subjectID: String, in tx: any SQLTransaction) throws -> Record? {
    try ScreeningStore(tx, vault).latest(for: subjectID)
  }

  /// The last screening that a step of the subject asked for: what its subject may be shown. What was found since, when
  /// a list changed, must not be seen in it.
  package func latestStep(for subjectID: String, in tx: any SQLTransaction) throws -> Record? {
    try ScreeningStore(tx, vault).latestStep(for: subjectID)
  }

  /// Every screening of a subject, oldest first.
  package func all(for subjectID: String, in tx: any SQLTransaction) throws -> [Record] {
    try ScreeningStore(tx, vault).all(for: subjectID)
  }

  /// Forgets a subject, for an erasure.
  package func forget(_ subjectID: String, in tx: any SQLTransaction) throws {
    try ScreeningCaseStore(tx, vault).deleteAll(of: subjectID)
    try ScreeningStore(tx, vault).deleteAll(for: subjectID)
  }

  /// Deletes up to `limit` results that a newer one replaced before then.
  @discardableResult
  package func sweepReplaced(before horizon: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try ScreeningStore(tx, vault).sweepReplaced(before: horizon, limit: limit)
  }

  /// Nil without one.
  package func find(_ id: Record.ID, in tx: any SQLTransaction) throws -> Record? {
    try ScreeningStore(tx, vault).find(id)
  }

  /// Nil without one.
  package func find(referenceNo: String, in tx: any SQLTransaction) throws -> Record? {
    try ScreeningStore(tx, vault).find(referenceNo: referenceNo)
  }

  /// Clean results whose next review is due on the day, oldest first.
  package func due(on date: CalendarDate, limit: Int, in tx: any SQLTransaction) throws -> [Record] {
    try ScreeningStore(tx, vault).due(on: date, limit: limit)
  }

  func reviewDate(after instant: Instant) -> CalendarDate? {
    CalendarDate(instant.rfc3339.prefix(10))?.adding(years: Self.reviewYears)
  }
}

extension Screening.Hit {
  /// A provider's alert that names no entry. The score is the provider's word, not a measure.
  fileprivate init(alertOf provider: String, referenceNo: String) {
    self.init(
      list: provider, entityID: referenceNo, caption: "Alert of the provider", score: 1, topics: ["alert"],
      nameScore: 0, dateOfBirth: .none, nationality: false, documentNumber: false)
  }
}
