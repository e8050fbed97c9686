// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension Screening {
  /// What a person makes of a case.
  package struct Judgement: Sendable, Hashable {
    /// False positive or true match.
    package let disposition: Disposition
    /// Nil for a true match, and where the interface does not ask for one.
    package let reason: FalsePositiveReason?
    package let text: String

    package init(_ disposition: Disposition, reason: FalsePositiveReason? = nil, text: String) {
      (self.disposition, self.reason, self.text) = (disposition, reason, text)
    }
  }

  /// What all cases of a customer amount to.
  package enum CustomerStatus: String, Sendable, Hashable, CaseIterable {
    /// Every hit was another person, or there was no hit.
    case clear
    /// A person has to decide.
    case waiting
    /// A listed person.
    case matched
  }

  /// Characters of what a person says of a case.
  package static let textMax = 2000
  /// Words on one case: a ping-pong of proposals ends there.
  static let notesMax = 200
  private static let casesMax = 1000

  /// Nil without one.
  package func findCase(_ id: Case.ID, in tx: any SQLTransaction) throws -> Case? {
    try ScreeningCaseStore(tx, vault).find(id)
  }

  /// Every case of a customer, oldest first.
  package func cases(of subjectID: String, in tx: any SQLTransaction) throws -> [Case] {
    try ScreeningCaseStore(tx, vault).all(of: subjectID, limit: Self.casesMax)
  }

  package func status(of subjectID: String, in tx: any SQLTransaction) throws -> CustomerStatus {
    let states = try cases(of: subjectID, in: tx).map(\.state)
    if states.contains(.trueMatch) { return .matched }
    return states.contains(where: \.isWaiting) ? .waiting : .clear
  }

  /// Whether every hit that a customer ever had was decided to be another person; false without any.
  package func isCleared(_ subjectID: String, in tx: any SQLTransaction) throws -> Bool {
    let states = try cases(of: subjectID, in: tx).map(\.state)
    return !states.isEmpty && states.allSatisfy { $0 == .falsePositive }
  }

  /// Whether a hit of any of these customers waits for a person, or was decided to be the listed one. What is sealed is
  /// not opened, so that it is known of customers too whose keys are destroyed.
  package func hasUnclearedHit(_ subjectIDs: [String], in tx: any SQLTransaction) throws -> Bool {
    try ScreeningCaseStore(tx, vault).hasUncleared(subjectIDs)
  }

  // MARK: Hits become cases

  /// Opens a case for every hit that has none, and asks again where the entry or the customer is not what it was.
  /// - Parameters:
  ///   - former: another id of the same person, whose false positives count when entry and person say the same.
  ///   - queue: where the cases wait; nil leaves those where they are that wait already.
  /// - Returns: the hits with what was made of them before: a false positive that was decided does not return.
  func follow(
    _ hits: [Hit], of record: Record, formerly former: String? = nil, queue: Queue? = nil, by actor: String,
    in tx: any SQLTransaction
  ) throws -> [Hit] {
    guard !hits.isEmpty else { return [] }
    let subjectDigest = try digest(of: record.subject)
    return try hits.map { hit in
      var hit = hit
      let entryDigest = hit.entryDigest.map { vault.digest($0, for: "screening entry content") }
      guard var item = try ScreeningCaseStore(tx, vault).find(record.subjectID, hit) else {
        if let former, let known = try ScreeningCaseStore(tx, vault).find(former, hit), known.state == .falsePositive,
          known.entryDigest == entryDigest, known.subjectDigest == subjectDigest
        {
          hit.take(known)
          return hit
        }
        try open(hit, of: record, entryDigest, subjectDigest, queue: queue, by: actor, in: tx)
        return hit
      }
      if item.entryDigest != entryDigest || item.subjectDigest != subjectDigest {
        (item.hit, item.screeningID) = (hit, record.id)
        (item.entryDigest, item.subjectDigest) = (entryDigest, subjectDigest)
        item.queue = queue?.tenant ?? item.queue
        try mover.move(&item, on: .changed, of: machine(for: record, email: queue?.email), by: actor, in: tx)
      }
      hit.take(item)
      return hit
    }
  }

  @discardableResult
  private func open(
    _ hit: Hit, of record: Record, _ entryDigest: String?, _ subjectDigest: String, queue: Queue? = nil,
    by actor: String, in tx: any SQLTransaction
  ) throws -> Case {
    let now = world.now()
    let item = Case(
      id: Case.ID(world), subjectID: record.subjectID, state: .open, hit: hit, screeningID: record.id,
      entryDigest: entryDigest, subjectDigest: subjectDigest, proposal: nil, proposedBy: nil, decidedBy: nil,
      decidedAt: nil, notes: [], openedAt: now, waitsSince: now, version: 1, queue: queue?.tenant)
    try ScreeningCaseStore(tx, vault).insert(item)
    try audit.append(
      "screening.case_opened", to: item.auditChain, by: actor,
      facts: ["screening": record.id.rawValue], in: tx)
    if let work = item.awaitedWork(email: queue?.email) {
      try workQueue.open(work, formerly: nil, by: actor, in: tx)
    }
    if record.origin != .step {
      try Outbox(world: world).enqueue(
        CaseMachine.alertTopic, subject: item.id.rawValue, payload: "\(item.version)", in: tx)
    }
    return item
  }

  /// The case of a hit; hits that are older than cases get one now.
  func caseOf(_ hit: Hit, of record: Record, by actor: String, in tx: any SQLTransaction) throws -> Case {
    try ScreeningCaseStore(tx, vault).find(record.subjectID, hit)
      ?? open(
        hit, of: record, hit.entryDigest.map { vault.digest($0, for: "screening entry content") },
        digest(of: record.subject), by: actor, in: tx)
  }

  private func machine(for record: Record, email: String?) -> CaseMachine {
    CaseMachine(vault: vault, world: world, isAlerting: record.origin != .step, email: email)
  }

  /// Names what is known of a customer without telling it.
  private func digest(of subject: Subject) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return vault.digest(String(decoding: try encoder.encode(subject), as: UTF8.self), for: "screening subject")
  }

  // MARK: Persons decide

  /// Judges a case: decides it, or proposes that to a second person.
  /// - Parameter needsTwo: whether two persons decide.
  /// - Throws: `Problem` `validation-failed`; conflict `awaiting-approval` or `step-already-completed`.
  @discardableResult
  package func judge(
    _ item: Case, _ judgement: Judgement, needsTwo: Bool, by actor: String, in tx: any SQLTransaction
  ) throws -> Case {
    var item = item
    try Self.check(judgement)
    try note(judgement.disposition, judgement.reason, judgement.text, by: actor, on: &item)
    let machine = CaseMachine(vault: vault, world: world)
    let facts = ["disposition": judgement.disposition.rawValue, "reason": judgement.reason?.rawValue ?? "-"]
    if needsTwo {
      // Who may be first again is decided by the table, not by what stands in the row.
      if item.state == .open { (item.proposal, item.proposedBy) = (judgement.disposition, actor) }
      try mover.move(&item, on: .proposed, of: machine, by: actor, facts: facts, in: tx)
      return item
    }
    item.decidedBy = actor
    try mover.move(
      &item, on: judgement.disposition == .trueMatch ? .judgedTrueMatch : .judgedFalsePositive, of: machine, by: actor,
      facts: facts, in: tx)
    try conclude(item, in: tx)
    return item
  }

  /// Approves what another person proposed. The approval is of one action on one hit in one version: what was proposed
  /// anew, or found anew, is not approved by it.
  /// - Throws: `Problem` not-found; conflict `no-proposal`, `step-already-completed` or `case-changed`; forbidden
  ///   `same-person` for the analyst who proposed it.
  @discardableResult
  package func approve(
    _ disposition: Disposition, of id: Case.ID, version: Int, text: String, by actor: String,
    in tx: any SQLTransaction
  ) throws -> Case {
    var item = try proposal(of: id, version: version, in: tx)
    guard item.proposal == disposition else { throw Problem.caseChanged }
    guard item.proposedBy != actor else {
      throw Problem(.forbidden, "same-person", "Another person than the one who judged the hit has to approve it.")
    }
    try note(disposition, nil, text, by: actor, on: &item)
    item.decidedBy = actor
    try mover.move(
      &item, on: disposition == .trueMatch ? .approvedTrueMatch : .approvedFalsePositive,
      of: CaseMachine(vault: vault, world: world), by: actor,
      facts: ["disposition": disposition.rawValue, "proposed_by": item.proposedBy ?? "-"], in: tx)
    try conclude(item, in: tx)
    return item
  }

  /// Takes a proposal back, so that the case waits for an analyst again. The analyst who proposed it may do so too.
  @discardableResult
  package func giveBack(
    _ id: Case.ID, version: Int, text: String, by actor: String, in tx: any SQLTransaction
  ) throws -> Case {
    var item = try proposal(of: id, version: version, in: tx)
    try note(.open, nil, text, by: actor, on: &item)
    try mover.move(&item, on: .returned, of: CaseMachine(vault: vault, world: world), by: actor, in: tx)
    return item
  }

  private func proposal(of id: Case.ID, version: Int, in tx: any SQLTransaction) throws -> Case {
    guard let item = try findCase(id, in: tx) else { throw Problem.notFound }
    guard item.state == .awaitingApproval else {
      throw CaseMachine(vault: vault, world: world).refusal(of: .returned, in: item.state)
    }
    guard item.version == version else { throw Problem.caseChanged }
    return item
  }

  /// Writes a decision into the results that have the hit and stand.
  private func conclude(_ item: Case, in tx: any SQLTransaction) throws {
    let store = ScreeningStore(tx, vault)
    for record in try store.withHits(for: item.subjectID) {
      var decided = record
      for index in decided.hits.indices where decided.hits[index].entryKey == item.hit.entryKey {
        decided.hits[index].take(item)
      }
      guard decided.hits != record.hits else { continue }
      decided.status = Self.status(of: decided.hits)
      if decided.status == .clean, try store.isLast(decided.id) {
        decided.nextReviewOn = reviewDate(after: world.now())
      }
      guard try store.replace(decided) != nil else { throw SQLError.outdated }
    }
  }

  /// What the hits of a result amount to.
  static func status(of hits: [Hit]) -> Status {
    if hits.contains(where: { $0.disposition == .trueMatch }) { return .trueMatch }
    return hits.allSatisfy { $0.disposition == .falsePositive } ? .clean : .potentialMatch
  }

  private func note(
    _ disposition: Disposition, _ reason: FalsePositiveReason?, _ text: String, by actor: String, on item: inout Case
  ) throws {
    guard text.unicodeScalars.count <= Self.textMax else {
      throw Problem.validation([.init("/text", "too-long", "At most \(Self.textMax) characters.")])
    }
    guard DisplayedText.isPlain(text, lines: true) else {
      throw Problem.validation([.init("/text", "format", "Characters that can be seen, in lines.")])
    }
    guard item.notes.count < Self.notesMax else {
      throw Problem(.conflict, "too-many-notes", "Too much was said of this hit already.")
    }
    item.notes.append(
      CaseNote(by: actor, at: world.now(), disposition: disposition, reason: reason, text: text))
  }

  private static func check(_ judgement: Judgement) throws {
    guard judgement.disposition != .open else {
      throw Problem.validation([.init("/disposition", "not-a-verdict", "Say false or true match.")])
    }
    guard judgement.reason == nil || judgement.disposition == .falsePositive else {
      throw Problem.validation([.init("/reason", "contradicts-verdict", "Only a false positive has a reason.")])
    }
  }
}

extension Problem {
  /// A decision on a version of the case that has changed since it was shown.
  package static let caseChanged = Problem(
    .conflict, "case-changed", "The hit is not what was looked at: look at it again.")
}

extension Screening.Hit {
  /// Takes over what became of its case.
  fileprivate mutating func take(_ item: Screening.Case) {
    disposition = item.state.disposition
    (disposedBy, disposedAt) = disposition == .open ? (nil, nil) : (item.decidedBy, item.decidedAt)
  }
}
