// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage

/// What a page of the queue is asked for.
package struct CaseQuery: Sendable {
  package static let pageMax = 100

  /// Empty is every kind that the person may hold.
  package var kinds: [CaseKind] = []
  /// As flows name it.
  package var tenant: String?
  /// Open or claimed; nil is both.
  package var state: CaseState?
  /// How audit lines name who has it in hand.
  package var holder: String?
  package var isOverdue = false
  /// The id of a case, or of what waits.
  package var id: String?
  package var after: CaseCursor?
  package var limit = 25

  package init() {}

  /// Whether a text may name something in a question: what comes from outside reaches no statement otherwise.
  package static func isName(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9._:\/-]{1,128}/) != nil
  }
}

/// A page of the queue, the oldest and riskiest first.
package struct CasePage: Sendable {
  package let cases: [Case]
  /// Where the next page begins; nil after the last.
  package let next: CaseCursor?
  /// When it was read.
  package let at: Instant
  /// The number of the last event of the desk that the page shows: later ones follow it.
  package let position: Int64
}

/// A case with everything that is kept of it.
package struct CaseFile: Sendable {
  package let item: Case
  package let notes: [CaseNote]
  /// Of its decisions, the latest last.
  package let receipts: [CaseReceipt]
  /// Its last moves and looks, in their order.
  package let history: [AuditLine]
}

extension CaseCommands {
  private static var historyMax: Int { 500 }

  /// A page of what waits. The look is audited.
  package func page(_ query: CaseQuery, for worker: CaseWorker) async throws -> CasePage {
    let limit = min(max(query.limit, 1), CaseQuery.pageMax)
    return try await database.write(retrying: .outdated) { [caseService] tx in
      try caseService.audit.append(
        "cases.listed", to: worker.chain, by: worker.actor, facts: RecordAccess.list.facts, in: tx)
      let now = caseService.world.now()
      let position = try caseService.events.position(of: CaseService.topic(of: worker.desk), in: tx)
      var question = question(query.kinds, of: worker)
      (question.state, question.tenant, question.after) = (query.state, query.tenant, query.after ?? .first)
      if query.isOverdue { question.before = now.milliseconds }
      let found =
        if let id = query.id { try named(id, question, worker, in: tx) } else if let holder = query.holder {
          try held(by: holder, question, limit: limit + 1, in: tx)
        } else { try Self.first(limit + 1, of: question, in: tx) }
      let cases = Array(found.prefix(limit))
      let next = found.count > limit ? cases.last.map { CaseCursor(priority: $0.priority, id: $0.id.rawValue) } : nil
      return CasePage(cases: cases, next: next, at: now, position: position)
    }
  }

  /// One case with its notes and its history. The look is audited, with why they may look.
  /// - Throws: `Problem` not-found; forbidden for one's own case.
  package func file(_ id: Case.ID, for worker: CaseWorker) async throws -> CaseFile {
    try await database.write(retrying: .outdated) { [caseService] tx in
      let item = try find(id, for: worker, in: tx)
      try caseService.audit.append(
        "case.seen", to: item.chain, by: worker.actor,
        facts: ["why": look(at: item, by: worker, in: tx).rawValue, "subject": item.subject], in: tx)
      return CaseFile(
        item: item, notes: try CaseNoteStore(tx, vault: caseService.vault).all(of: id),
        receipts: try ReceiptStore(tx).all(of: id),
        history: try AuditStore(tx).latest(Self.historyMax, of: item.chain))
    }
  }

  private func look(at item: Case, by worker: CaseWorker, in tx: any SQLTransaction) throws -> CaseAccess {
    let isAsked = try Approvals(caseService: caseService).waits(about: item, for: worker, in: tx)
    return CaseAccess(item, by: worker.actor, isAsked: isAsked)
  }

  /// A case alone, without an audit line: the caller that gives it out writes one.
  /// - Throws: `Problem` not-found; forbidden for one's own case.
  package func item(_ id: Case.ID, for worker: CaseWorker) async throws -> Case {
    try await database.read { try find(id, for: worker, in: $0) }
  }

  /// The same, with the reason why the reader may look. The caller that gives it out writes the audit line.
  /// - Throws: as `item`.
  package func look(at id: Case.ID, for worker: CaseWorker) async throws -> (item: Case, why: CaseAccess) {
    try await database.read { tx in
      let item = try find(id, for: worker, in: tx)
      return (item, try look(at: item, by: worker, in: tx))
    }
  }

  /// Everybody who works at the desk.
  package func colleagues(of worker: CaseWorker) async throws -> [StaffMember] {
    try await staff.list(tenant: worker.desk)
  }

  /// The receipt of a decision on a case, as a signed document. The look is audited.
  /// - Throws: `Problem` not-found; forbidden for one's own case.
  package func receipt(_ receipt: CaseReceipt.ID, of id: Case.ID, for worker: CaseWorker) async throws -> CaseReceipt {
    try await database.write(retrying: .outdated) { [caseService] tx in
      let item = try find(id, for: worker, in: tx)
      guard let found = try ReceiptStore(tx).all(of: id).first(where: { $0.id == receipt }) else {
        throw Problem.notFound
      }
      try caseService.audit.append(
        "case.receipt_given", to: item.chain, by: worker.actor,
        facts: ["receipt": receipt.rawValue, "why": look(at: item, by: worker, in: tx).rawValue], in: tx)
      return found
    }
  }

  /// The number of the last event of a desk.
  package func position(for worker: CaseWorker) async throws -> Int64 {
    try await database.read { [caseService] in
      try caseService.events.position(of: CaseService.topic(of: worker.desk), in: $0)
    }
  }

  /// What is new at a desk: ids of cases, as soon as there is something, and the position behind it.
  package func events(after position: Int64, atMost limit: Duration, for worker: CaseWorker) async throws -> LivePage {
    try await caseService.events.wait(CaseService.topic(of: worker.desk), after: position, atMost: limit)
  }

  private func named(
    _ id: String, _ question: CaseQuestion, _ worker: CaseWorker, in tx: any SQLTransaction
  ) throws -> [Case] {
    let store = CaseStore(tx)
    let found = try [store.find(.init(rawValue: id))].compactMap(\.self) + store.all(subject: id)
    return found.filter { item in
      item.desk == worker.desk && question.kinds.contains(item.kind)
        && (item.owner == nil || item.owner != question.owner)
    }
  }

  private func held(
    by holder: String, _ question: CaseQuestion, limit: Int, in tx: any SQLTransaction
  ) throws -> [Case] {
    guard !question.kinds.isEmpty, question.state != .open else { return [] }
    return try CaseStore(tx).cases(CaseStore.held(by: holder, of: question, limit: limit))
      .filter { $0.owner == nil || $0.owner != question.owner }
  }
}

extension CaseCursor {
  private static let version = "1"

  /// As clients are given it: `1.<priority>.<id>` in base64url.
  package var text: String { Data("\(Self.version).\(priority).\(id)".utf8).base64URL }

  /// Nil for anything that is not such a text.
  package init?(text: String) {
    guard text.utf8.count <= 128, let data = Data(base64URL: text), let plain = String(data: data, encoding: .utf8)
    else { return nil }
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.version, let priority = Int64(parts[1]), parts[2].utf8.count == 36,
      CaseQuery.isName(String(parts[2]))
    else {
      return nil
    }
    self.init(priority: priority, id: String(parts[2]))
  }
}
