// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage

/// What members of staff do with cases. A case that the member may not see is answered as not found.
package struct CaseCommands: Sendable {
  let database: any SQLDatabase
  package let caseService: CaseService
  let staff: Staff

  package init(_ core: CoreDependencies, caseService: CaseService, staff: Staff) {
    (database, self.caseService, self.staff) = (core.database, caseService, staff)
  }

  /// Takes a case in hand. Of one that they hold already it is the same answer.
  /// - Throws: `Problem` not-found; conflict `case-held`, `case-closed`.
  package func claim(_ id: Case.ID, by worker: CaseWorker) async throws -> Case {
    try await database.write(retrying: .outdated) { [caseService] tx in
      var item = try find(id, for: worker, in: tx)
      guard item.holder != worker.actor else { return item }
      try caseService.move(&item, on: .claimed, by: worker.actor, in: tx) { $0.holder = worker.actor }
      return item
    }
  }

  /// Takes the first case in hand that has no holder: the worker's own call that begins, then the oldest and riskiest
  /// of what their permissions decide. A call that is booked with a colleague is kept for them.
  /// - Parameters:
  ///   - kinds: of which; empty is every kind that they may decide.
  ///   - ownCallFirst: the worker's own call is given whatever the kinds are.
  /// - Returns: nil when nothing waits.
  package func next(
    of kinds: [CaseKind] = [], ownCallFirst: Bool = false, by worker: CaseWorker
  ) async throws -> Case? {
    try await database.write(retrying: .outdated) { [caseService] tx in
      var question = question(kinds, of: worker)
      question.kinds = question.kinds.filter(worker.ownKinds.contains)
      let (soon, over) = (caseService.now + Case.bookedLead, caseService.now - Case.bookedTerm)
      (question.state, question.calls) = (.open, .init(agent: worker.actor, ownUntil: soon, othersUntil: over))
      var mine = question
      if ownCallFirst { mine.kinds = worker.ownKinds }
      let own = try CaseStore(tx).cases(CaseStore.booked(of: mine, limit: 1))
      guard var item = try own.first ?? Self.first(1, of: question, in: tx).first else { return nil }
      try caseService.move(&item, on: .claimed, by: worker.actor, in: tx) { $0.holder = worker.actor }
      return item
    }
  }

  /// Puts a case back into the queue.
  /// - Parameter why: a code.
  /// - Throws: `Problem` not-found; validation; conflict `case-not-held`, and `case-held` for a colleague's without
  ///   `manage:cases`.
  package func release(_ id: Case.ID, why: String, by worker: CaseWorker) async throws -> Case {
    try Self.check(why: why)
    return try await database.write(retrying: .outdated) { [caseService] tx in
      var item = try find(id, for: worker, in: tx)
      try Self.requireHolder(of: item, worker)
      try caseService.move(&item, on: .released, by: worker.actor, in: tx) { $0.code = why }
      return item
    }
  }

  /// Gives a case to a colleague.
  /// - Parameters:
  ///   - name: the colleague's id or e-mail address.
  ///   - why: a code.
  /// - Throws: `Problem` as `release`; forbidden when the colleague may not hold it.
  package func handOver(
    _ id: Case.ID, to name: String, why: String, by worker: CaseWorker
  ) async throws -> Case {
    try Self.check(why: why)
    guard (1...254).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw Problem.validation([.init("/to", "format", "The id or the e-mail address of a colleague.")]) }
    let colleague = try await staff.acting(name, of: [worker.desk]).id
    return try await database.write(retrying: .outdated) { [caseService, staff] tx in
      var item = try find(id, for: worker, in: tx)
      try Self.requireHolder(of: item, worker)
      // As of now, not of a moment ago.
      guard let member = try staff.find(colleague, in: tx), member.isActive, CaseWorker(member).may(item.kind),
        item.owner != caseService.owner(member.email)
      else { throw Problem(.forbidden, "forbidden", "This colleague may not hold this case.") }
      guard member.actor != item.holder else { return item }
      try caseService.move(&item, on: .handedOver, by: worker.actor, in: tx) {
        ($0.holder, $0.code) = (member.actor, why)
      }
      return item
    }
  }

  /// Writes something down for colleagues.
  /// - Throws: `Problem` not-found; validation.
  package func note(_ words: String, on id: Case.ID, by worker: CaseWorker) async throws -> CaseNote {
    let text = words.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= CaseNote.lengthMax else {
      throw Problem.validation([.init("/text", "length", "1 to \(CaseNote.lengthMax) bytes.")])
    }
    guard DisplayedText.isPlain(text, lines: true) else {
      throw Problem.validation([.init("/text", "format", "Characters that can be seen, in lines.")])
    }
    return try await database.write(retrying: .outdated) { [caseService] tx in
      let item = try find(id, for: worker, in: tx)
      let note = CaseNote(
        id: .init(caseService.world), author: worker.actor, words: text, writtenAt: caseService.world.now())
      try CaseNoteStore(tx, vault: caseService.vault).insert(note, on: item)
      try caseService.audit.append(
        "case.noted", to: item.chain, by: worker.actor, facts: ["note": note.id.rawValue], in: tx)
      return note
    }
  }

  // MARK: What they share

  /// - Throws: `Problem` not-found; forbidden for one's own case.
  func find(_ id: Case.ID, for worker: CaseWorker, in tx: any SQLTransaction) throws -> Case {
    guard let item = try CaseStore(tx).find(id), item.desk == worker.desk, worker.may(item.kind) else {
      throw Problem.notFound
    }
    guard item.owner == nil || item.owner != owner(worker) else { throw Problem.ownCase }
    return item
  }

  func owner(_ worker: CaseWorker) -> String { worker.member.map { caseService.owner($0.email) } ?? "" }

  func question(_ kinds: [CaseKind], of worker: CaseWorker) -> CaseQuestion {
    let visible = worker.kinds
    return CaseQuestion(
      desk: worker.desk, kinds: kinds.isEmpty ? visible : visible.filter(kinds.contains), owner: owner(worker))
  }

  /// The first cases of several kinds: each kind is a range of the index, and few of each are enough.
  static func first(_ limit: Int, of question: CaseQuestion, in tx: any SQLTransaction) throws -> [Case] {
    let store = CaseStore(tx)
    let items = try question.kinds.flatMap {
      try store.cases(CaseStore.waiting($0, of: question, limit: limit))
    }
    return Array(items.sorted { ($0.priority, $0.id.rawValue) < ($1.priority, $1.id.rawValue) }.prefix(limit))
  }

  private static func requireHolder(of item: Case, _ worker: CaseWorker) throws {
    if item.state.isClosed { throw Problem.caseClosed }
    guard let holder = item.holder else { throw Problem.caseNotHeld }
    guard holder == worker.actor || worker.isManager else { throw Problem.caseHeld }
  }

  /// A code for the audit: words of people belong into a note, which is sealed.
  private static func check(why: String) throws {
    guard why.wholeMatch(of: /[a-z][a-z0-9-]{0,63}/) != nil else {
      throw Problem.validation([.init("/why", "format", "A code such as end-of-shift.")])
    }
  }
}
