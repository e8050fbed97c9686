// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage

extension Screening.Matcher {
  fileprivate var rules: String { "\(version) \(policyDigest)" }
}

extension Screening.Record {
  fileprivate var rules: String? { matcher?.rules }

  /// Whether a search found an entry that this one did not have.
  fileprivate func lacks(_ report: Screening.Report) -> Bool {
    let known = Set(hits.map(\.entryKey))
    return report.hits.contains { !known.contains($0.entryKey) }
  }
}

/// Searches for every customer who was screened, when a list changes and when their review is due. What it finds opens
/// cases; customers notice nothing of it.
///
/// After a change of the lists new and changed entries count, and hits that the last search did not have: how rare a
/// word is depends on all entries, so that an unchanged one may be a hit now. Who has neither is looked at and nothing
/// is kept of it but the count of the run; who has is searched for in all lists, and that answer is kept, so that it
/// names its lists and can be searched for again.
///
/// A run is for one set of versions. Nodes may search in different lists for a while; a run for what was searched in
/// before does not begin while a node searches by a newer one.
///
/// A run is a row with a place. Killed at any point it goes on from there, on whichever node looks next; a page that
/// was done twice opens no case twice.
package struct Rescreening: Sendable {
  /// Screenings that are looked at between two saves of the place. Bounds memory and what a kill repeats.
  static let pageMax = 200
  /// How long a node holds a run without saving its place.
  static let holdTime = Duration.seconds(60)
  /// How long a newer run keeps an older one from beginning after a node last searched by it.
  static let patience = Duration.minutes(10)
  /// How often a node tells that it searches by a run that is finished.
  static let confirmationTime = Duration.minutes(2)
  /// How long a search may have been on its way before it was kept: so far back screenings are looked at again.
  static let late = Duration.minutes(5)

  let core: CoreDependencies
  let source: ScreeningSource
  let lists: ScreeningLists
  let customers: [any ScreenedCustomers]

  package init(
    _ core: CoreDependencies, source: ScreeningSource, lists: ScreeningLists, customers: [any ScreenedCustomers]
  ) {
    (self.core, self.source, self.lists, self.customers) = (core, source, lists, customers)
  }

  private var screening: Screening { Screening(core) }

  // MARK: Changes of lists

  /// Looks whether the lists changed, and searches for all customers then; otherwise for those whose search was on its
  /// way when they changed. Run regularly.
  /// - Throws: when the lists cannot be searched, once there were any.
  package func run() async throws {
    let index: ScreeningIndex
    do { index = try await source.arranged() } catch let fault as ScreeningFolder.Fault {
      // An installation that has never had a list is told of that by its start, not by a job that fails.
      guard try await core.database.read({ try ScreeningRunStore($0).latest() }) != nil else { return }
      throw fault
    }
    let rules = try rules()
    guard var run = try await hold(index.versions, rules) else { return }
    if run.finishedAt != nil {
      try await lookAtLate(&run, index)
      return
    }
    let changed = try await changes(since: run.base, in: index.versions)
    run.changedEntries = changed.count
    if !changed.isEmpty {
      var place = run.place
      do {
        while let page = try await look(after: &place, in: &run, index, changed) {
          let now = core.world.now()
          (run.place, run.heldUntil, run.confirmedAt) = (place, now + Self.holdTime, now)
          run = try await save(run)
          if page < Self.pageMax { break }
          try Task.checkCancellation()
        }
      } catch is Superseded { return }
    }
    try await finish(run)
  }

  /// A newer run began: it looks at every customer, and this one would only write older answers over its own.
  private struct Superseded: Error {}

  /// Versions of the code and of its weights: with other ones, all entries may resemble other customers.
  private func rules() throws -> String {
    try Screening.Matcher(source.policy).rules
  }

  /// Takes the run for these lists, which is made when they changed.
  /// - Returns: nil while another node works on it, or searches in newer lists.
  private func hold(_ target: [WatchList.Version], _ rules: String) async throws -> ScreeningRun? {
    let now = core.world.now()
    return try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx -> ScreeningRun? in
      let store = ScreeningRunStore(tx)
      let latest = try store.latest()
      if var run = latest, run.target == target, run.rules == rules {
        guard run.heldUntil <= now else { return nil }
        if run.finishedAt == nil {
          run.heldUntil = now + Self.holdTime
        } else if now - run.confirmedAt < Self.confirmationTime {
          return run
        }
        run.confirmedAt = now
        return try store.update(run)
      }
      guard try Self.isDue(target, rules, after: latest, at: now, in: tx) else { return nil }
      let finished = try store.latestFinished()
      let run = ScreeningRun(
        id: .init(core.world), number: (latest?.number ?? 0) + 1,
        base: finished?.rules == rules ? finished?.target ?? [] : [], target: target, rules: rules, changedEntries: 0,
        customers: 0, found: 0, place: .start, startedAt: now, finishedAt: nil, heldUntil: now + Self.holdTime,
        confirmedAt: now, version: 1)
      try store.insert(run)
      try core.audit.append(
        "screening.run_started", to: ScreeningCaseService.chain, by: "system",
        facts: ["run": run.id.rawValue, "lists": Self.text(target), "base": Self.text(run.base)], in: tx)
      return run
    }
  }

  /// Whether a run for these lists may begin after the latest one.
  ///
  /// 1. Of lists in the store, the store knows which version is searched: a node whose index is behind waits for it.
  /// 2. What no run was ever for is newer.
  /// 3. What a run was for is older, unless the store took the older version of a list back, or no node has searched
  ///    by the latest run for a while: then a folder or a release was put back.
  private static func isDue(
    _ target: [WatchList.Version], _ rules: String, after latest: ScreeningRun?, at now: Instant,
    in tx: any SQLTransaction
  ) throws -> Bool {
    let lists = ScreeningListStore(tx)
    func isSearched(_ version: WatchList.Version) throws -> Bool? {
      try lists.find(version).flatMap { $0.isOfFolder ? nil : $0.replacedAt == nil }
    }
    guard try target.allSatisfy({ try isSearched($0) != false }) else { return false }
    guard let latest, try ScreeningRunStore(tx).knows(target, rules) else { return true }
    guard now - latest.confirmedAt < Self.patience else { return true }
    return try rules == latest.rules
      && target.allSatisfy { try latest.target.contains($0) || isSearched($0) == true }
      && latest.target.allSatisfy { try target.contains($0) || isSearched($0) == false }
  }

  private func finish(_ ended: ScreeningRun) async throws {
    try await core.database.write { [core] tx in
      var run = ended
      let now = core.world.now()
      (run.finishedAt, run.heldUntil, run.confirmedAt) = (now, now, now)
      run.place = ScreeningRun.Place(at: now - Self.late, id: "")
      run = try ScreeningRunStore(tx).update(run)
      try core.audit.append(
        "screening.run_finished", to: ScreeningCaseService.chain, by: "system",
        facts: [
          "run": run.id.rawValue, "entries": "\(run.changedEntries)", "customers": "\(run.customers)",
          "found": "\(run.found)",
        ], in: tx)
    }
  }

  private func save(_ run: ScreeningRun) async throws -> ScreeningRun {
    try await core.database.write { try ScreeningRunStore($0).update(run) }
  }

  /// Searches whose lists were older than the run, and that were kept after it had passed: all entries count for them.
  private func lookAtLate(_ run: inout ScreeningRun, _ index: ScreeningIndex) async throws {
    var place = run.place
    do {
      while let page = try await look(after: &place, in: &run, index, nil) {
        if page < Self.pageMax { break }
        try Task.checkCancellation()
      }
    } catch is Superseded { return }
    let seen = ScreeningRun.Place(at: min(place.at, core.world.now() - Self.late), id: "")
    guard seen.at > run.place.at else { return }
    run.place = seen
    _ = try await save(run)
  }

  private func changes(since base: [WatchList.Version], in current: [WatchList.Version]) async throws -> ListChanges {
    var changes = ListChanges()
    if !Set(base.map(\.code)).isSubset(of: current.map(\.code)) { changes.noteRemoval() }
    for version in current {
      let before = base.first { $0.code == version.code }
      if before == version { continue }
      // One list after the other, so that no two are in memory beside the index.
      // An older version that cannot be read any more is as one that is not kept: then every entry counts.
      changes.add(version.code, try await entries(of: version), before: (try? await entries(of: before)) ?? nil)
    }
    return changes
  }

  /// - Returns: nil for a list of a folder, and for one that is not kept any more.
  private func entries(of version: WatchList.Version?) async throws -> [WatchList.Entry]? {
    guard let version, let stored = try await lists.find(version) else { return nil }
    return try await lists.load(stored).entries
  }

  // MARK: Customers

  /// Looks at a page of last screenings.
  /// - Parameter changed: the entries that count beside hits that the last search did not have; nil is all.
  /// - Returns: how many there were; nil without any.
  private func look(
    after place: inout ScreeningRun.Place, in run: inout ScreeningRun, _ index: ScreeningIndex, _ changed: ListChanges?
  ) async throws -> Int? {
    let (after, vault) = (place, core.vault)
    let page = try await core.database.read {
      try ScreeningStore($0, vault).last(after: (after.at, after.id), limit: Self.pageMax)
    }
    guard let last = page.last else { return nil }
    for item in page {
      // Erased, or searched for in these lists by these rules already.
      guard let record = item.record, record.isOutdated(by: index.versions) || record.rules != run.rules else {
        continue
      }
      run.customers += 1
      // Whose name cannot be read was never found clean: the flow has an error of that.
      guard case .screened(let report) = index.screen(record.subject, policy: source.policy), !report.hits.isEmpty,
        changed.map({ $0.touch(report) || record.lacks(report) }) ?? true
      else { continue }
      let outcome = try index.outcome(for: record.subject, policy: source.policy)
      if try await keep(outcome, of: record, .listChange, in: run) {
        run.found += 1
      }
    }
    place = ScreeningRun.Place(at: last.at, id: last.id)
    return page.count
  }

  /// Keeps a search that no step asked for.
  /// - Parameter run: nil of a review.
  /// - Returns: false when the customer went away or was screened meanwhile.
  /// - Throws: `Superseded` when a newer run began.
  private func keep(
    _ outcome: Screening.Outcome, of record: Screening.Record, _ origin: Screening.Origin, in run: ScreeningRun? = nil
  ) async throws -> Bool {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self, run] tx in
      if let run, try !ScreeningRunStore(tx).isLatest(run) { throw Superseded() }
      let store = ScreeningStore(tx, core.vault)
      guard try store.isLast(record.id) else {
        try store.endReview(record.id)
        return false
      }
      let owner = try customers.owner(of: record.subjectID, in: tx)
      if let owner, !owner.customer.isScreened {
        try store.endReview(record.id)
        return false
      }
      let kept = try screening.record(
        outcome, of: record.subject, for: record.subjectID, origin: origin, queue: owner?.customer.queue, in: tx)
      if kept.status == .potentialMatch { try owner?.flow.found(kept, in: tx) }
      return true
    }
  }

  // MARK: Reviews

  /// Searches for the customers whose review is due. Run regularly.
  package func review() async throws {
    guard let today = CalendarDate(core.world.now().rfc3339.prefix(10)) else { return }
    let vault = core.vault
    try await core.database.forEachDue(paging: .behindLast) { place, tx in
      try ScreeningStore(tx, vault).dueReviews(
        on: today, after: place.last.map { ($0.on, $0.id) }, limit: place.limit)
    } do: { due in
      guard let record = due.record else {
        // Erased: the name cannot be read any more.
        try await core.database.write { try ScreeningStore($0, vault).endReview(.init(rawValue: due.id)) }
        return
      }
      let outcome = try await source.screen(record.subject)
      if case .failed(let reason) = outcome { throw ReviewFailure(reason: reason) }
      _ = try await keep(outcome, of: record, .review)
    }
  }

  /// Why a customer was not reviewed; the review stays due.
  struct ReviewFailure: Error {
    let reason: String
  }

  private static func text(_ versions: [WatchList.Version]) -> String {
    versions.map { "\($0.code)@\($0.version)" }.joined(separator: " ")
  }
}
