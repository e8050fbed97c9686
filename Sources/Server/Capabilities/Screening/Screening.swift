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

  /// Years until a subject found clean is screened again.
  private static let reviewYears = 1

  private let vault: Vault
  private let world: World

  package init(vault: Vault, world: World) {
    self.vault = vault
    self.world = world
  }

  /// Keeps how a search came out. The same pending reference again gives the record that is there.
  /// - Throws: `Problem` `provider-error` when a provider gives one reference to two subjects.
  package func record(
    _ outcome: Outcome, of subject: Subject, for subjectID: String, in tx: any SQLTransaction
  ) throws -> Record {
    let id = Record.ID(world)
    let now = world.now()
    var record = Record(
      id: id, subjectID: subjectID, referenceNo: id.rawValue, status: .error, subject: subject, lists: [],
      threshold: nil, hits: [], failure: nil, screenedAt: now, nextReviewOn: nil, createdAt: now, version: 1)
    switch outcome {
    case .screened(let report):
      record.lists = report.lists
      record.threshold = report.threshold
      record.matcher = report.matcher
      record.hits = report.hits
      record.status = report.hits.isEmpty ? .clean : .potentialMatch
      record.nextReviewOn = report.hits.isEmpty ? reviewDate(after: now) : nil
    case .pending(let referenceNo):
      record.referenceNo = referenceNo
      record.status = .pending
      record.screenedAt = nil
    case .failed(let reason): record.failure = reason
    }
    let store = ScreeningStore(tx, vault)
    if try store.insert(record) {
      try store.replaceOthers(of: subjectID, by: id, at: now)
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
      settled.status = .potentialMatch
      if hits.isEmpty { settled.hits = [Hit(alertOf: provider, referenceNo: referenceNo)] }
    }
    guard let saved = try store.replace(settled) else {
      guard let other = try store.find(referenceNo: referenceNo) else { throw Problem.notFound }
      return .repeated(other)
    }
    return .settled(saved)
  }

  /// Writes an officer's verdicts down: one true match makes the result a true match, hits that are all false
  /// positives make it clean, and anything else leaves it open.
  ///
  /// The same verdicts again change nothing.
  /// - Throws: `Problem` `not-found`; `validation-failed` for an unknown hit or verdict;
  ///   `step-already-completed` when it was decided otherwise; `step-in-progress` when another officer is faster.
  package func dispose(
    _ verdicts: [Verdict], of id: Record.ID, by officer: String, in tx: any SQLTransaction
  ) throws -> Record {
    let store = ScreeningStore(tx, vault)
    guard var record = try store.find(id) else { throw Problem.notFound }
    var hits = record.hits
    for (number, verdict) in verdicts.enumerated() {
      guard let index = hits.firstIndex(where: { $0.list == verdict.list && $0.entityID == verdict.entityID }) else {
        throw Problem.validation([.init("/hits/\(number)", "unknown-hit", "The screening has no such hit.")])
      }
      guard verdict.disposition != .open else {
        throw Problem.validation([.init("/hits/\(number)/disposition", "not-a-verdict", "Say false or true match.")])
      }
      guard hits[index].disposition != verdict.disposition else { continue }
      hits[index].disposition = verdict.disposition
      hits[index].disposedBy = officer
      hits[index].disposedAt = world.now()
    }
    guard hits != record.hits else { return record }
    guard record.status == .potentialMatch else {
      throw Problem(.conflict, "step-already-completed", "The screening was decided before.")
    }
    record.hits = hits
    if hits.contains(where: { $0.disposition == .trueMatch }) {
      record.status = .trueMatch
    } else if hits.allSatisfy({ $0.disposition == .falsePositive }) {
      record.status = .clean
      record.nextReviewOn = reviewDate(after: world.now())
    }
    guard let saved = try store.replace(record) else {
      throw Problem(.conflict, "step-in-progress", "The screening is being decided right now.")
    }
    return saved
  }

  /// The subject's last screening, whatever came of it.
  package func latest(for subjectID: String, in tx: any SQLTransaction) throws -> Record? {
    try ScreeningStore(tx, vault).latest(for: subjectID)
  }

  /// Every screening of a subject, oldest first.
  package func all(for subjectID: String, in tx: any SQLTransaction) throws -> [Record] {
    try ScreeningStore(tx, vault).all(for: subjectID)
  }

  /// Forgets a subject, for an erasure.
  package func forget(_ subjectID: String, in tx: any SQLTransaction) throws {
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

  private func reviewDate(after instant: Instant) -> CalendarDate? {
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
