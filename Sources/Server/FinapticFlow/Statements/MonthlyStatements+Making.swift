// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Paper
import Storage

/// How statements are made: those of several accounts by one look at the books and in one transaction, with several
/// documents on their way to the store of objects at a time (decision 198).
extension MonthlyStatements {
  /// Accounts whose statements are made together.
  static let accountsMax = 50
  /// Entries of accounts whose statements are made together, which are in memory; more of one account go by themselves.
  static let entriesMax: Int64 = 20_000
  /// Statements whose documents are put at a time, which is waiting for the disk. They are drawn one after the other: a
  /// long one takes seconds of the processor, and callers need the other threads.
  static let putMax = 8
  private static let maker = "statements"

  // MARK: The accounts of a month

  /// - Parameter failures: gets the accounts whose statements could not be made.
  /// - Returns: how many were made.
  func makeEach(
    _ ids: [BankAccount.ID], _ month: DayEnd.Month, of tenant: FinapticTenant, failures: inout [PartialFailure.Part]
  ) async throws -> Int {
    var (made, rest) = (0, ids[...])
    while !rest.isEmpty {
      made += try await makeTogether(rest.prefix(Self.accountsMax), month, of: tenant, failures: &failures)
      rest = rest.dropFirst(Self.accountsMax)
    }
    return made
  }

  /// One account that cannot do it keeps no other one back: what fails is made again in two halves.
  private func makeTogether(
    _ ids: ArraySlice<BankAccount.ID>, _ month: DayEnd.Month, of tenant: FinapticTenant,
    failures: inout [PartialFailure.Part]
  ) async throws -> Int {
    try Task.checkCancellation()
    do { return try await make(ids, month, of: tenant) } catch {
      if error is CancellationError { throw error }
      // A store that does not answer fails for all of them, and each attempt waits for it.
      if case SQLError.unreachable = error { throw error }
      guard ids.count > 1 else {
        failures += ids.map { PartialFailure.Part(["tenant": "\(tenant.id)", "account": "\($0)"], error: error) }
        return 0
      }
      let half = ids.count / 2
      return try await makeTogether(ids.prefix(half), month, of: tenant, failures: &failures)
        + makeTogether(ids.dropFirst(half), month, of: tenant, failures: &failures)
    }
  }

  private func make(
    _ ids: ArraySlice<BankAccount.ID>, _ month: DayEnd.Month, of tenant: FinapticTenant
  ) async throws -> Int {
    let due = try await ledger.statements(
      of: Array(ids), tenant: BankAccount.ledgerTenant(tenant.id), from: month.from, to: month.to
    ).filter { statement in
      LedgerTime(statement.account.openedAt) < month.to && statement.account.state == .active
        // A closed account has a last statement, of the month in which it was closed.
        && (statement.account.stop != .closed || !statement.numbers.isEmpty || statement.opening != 0)
    }
    var made = 0
    for some in Self.parts(due) {
      made += try await make(some, month, of: tenant, correcting: nil, reason: nil, by: Self.maker).count
    }
    return made
  }

  /// In parts that have so few entries that they may be in memory.
  private static func parts(_ due: [LedgerStatement]) -> [[LedgerStatement]] {
    var (parts, entries) = ([[LedgerStatement]](), Int64(0))
    for statement in due {
      let count = statement.numbers.upperBound - statement.numbers.lowerBound
      if parts.isEmpty || entries + count > entriesMax {
        parts.append([])
        entries = 0
      }
      parts[parts.count - 1].append(statement)
      entries += count
    }
    return parts
  }

  // MARK: Making

  /// The objects are durable before the rows name them. What a lost race leaves goes again; what an attempt that failed
  /// has put is deleted by the sweep of objects.
  /// - Returns: those that were made. Missing are those of which another node was faster, and which have no owner left.
  func make(
    _ statements: [LedgerStatement], _ month: DayEnd.Month, of tenant: FinapticTenant,
    correcting wrong: MonthlyStatement?, reason: String?, by actor: String
  ) async throws -> [MonthlyStatement] {
    // Only the keys are written. A month may have many entries: they are read without keeping writers out.
    let found = try await core.database.write(retrying: .outdated) { [core] tx in
      let keys = AccountKeyStore(tx, vault: core.vault)
      let owned = try statements.compactMap { statement -> (statement: LedgerStatement, account: BankAccount)? in
        guard let account = try AccountStore(tx).find(statement.account.id, tenant: tenant.id),
          try keys.owner(of: account.id) != nil
        else { return nil }
        return (statement, account)
      }
      let ids = owned.map { ($0.account.id, tenant.id) }
      return (owned: owned, keys: try keys.keys(of: Dictionary(ids) { first, _ in first }))
    }
    let now = core.world.now()
    let contents = try await core.database.read { [core] tx in
      try found.owned.map { statement, account in
        try StatementContent(
          MonthlyStatement.ID(core.world), correcting: wrong?.id, statement, of: account, month, tenant: tenant,
          at: now, vault: core.vault, in: tx)
      }
    }
    let drawn = try await draw(contents, found.keys, of: tenant, month, correcting: wrong)
    let made = try await insert(drawn, reason: reason, by: actor)
    let kept = Set(made.map(\.id))
    for document in drawn.filter({ !kept.contains($0.id) }).flatMap({ [$0.pdf, $0.message] }) {
      try await core.blobs.delete(document.blob)
    }
    return made
  }

  /// Puts the documents of some statements, `putMax` at a time, and returns the statements in the same order.
  private func draw(
    _ contents: [StatementContent], _ keys: [BankAccount.ID: SubjectKey], of tenant: FinapticTenant,
    _ month: DayEnd.Month, correcting wrong: MonthlyStatement?
  ) async throws -> [MonthlyStatement] {
    try await withThrowingTaskGroup(of: (Int, MonthlyStatement).self) { group in
      var drawn: [Int: MonthlyStatement] = [:]
      for (place, content) in contents.enumerated() {
        if place >= Self.putMax, let (at, statement) = try await group.next() { drawn[at] = statement }
        // Both forms are whole before an object is put.
        let (paper, xml) = (try content.paper.pdf(), try content.message())
        group.addTask { [self] in
          let key = keys[content.account.id]
          let pdf = try await put(paper, .pdf, of: content.id, under: key)
          let message = try await put(xml, .message, of: content.id, under: key)
          return (
            place,
            MonthlyStatement(
              id: content.id, tenant: tenant.id, account: content.account.id, month: month,
              revision: (wrong?.revision ?? 0) + 1, corrects: wrong?.id, language: content.language,
              createdAt: content.createdAt, pdf: pdf, message: message)
          )
        }
      }
      for try await (at, statement) in group { drawn[at] = statement }
      return contents.indices.compactMap { drawn[$0] }
    }
  }

  /// - Returns: those whose rows were written.
  private func insert(
    _ drawn: [MonthlyStatement], reason: String?, by actor: String
  ) async throws -> [MonthlyStatement] {
    guard !drawn.isEmpty else { return [] }
    return try await core.database.write(retrying: .outdated) { [core] tx in
      let (keys, store) = (AccountKeyStore(tx, vault: core.vault), MonthlyStatementStore(tx))
      return try drawn.filter { new in
        // An erasure that ran meanwhile has destroyed the key; one that runs now meets this transaction.
        guard let owner = try keys.owner(of: new.account) else { return false }
        try core.vault.holdSubjectKey(of: KeySubject(owner), in: tx)
        guard try store.insert(new) else { return false }
        try core.note("statement.made", "account-\(new.account)", by: actor, Self.facts(new, reason), in: tx)
        return true
      }
    }
  }

  private static func facts(_ new: MonthlyStatement, _ reason: String?) -> [String: String] {
    var facts = [
      "statement": new.id.rawValue, "month": new.month.text, "pdf": new.pdf.digest, "message": new.message.digest,
    ]
    facts["corrects"] = new.corrects?.rawValue
    facts["reason"] = reason
    return facts
  }

  private func put(
    _ bytes: Data, _ format: MonthlyStatement.Format, of id: MonthlyStatement.ID, under key: SubjectKey?
  ) async throws -> MonthlyStatement.Document {
    let blob = core.world.uuid()
    let sealed = try core.vault.seal(bytes, context: MonthlyStatement.context(id, format), under: key)
    try await core.blobs.put(blob, sealed)
    return .init(blob: blob, digest: bytes.sha256Hex, size: bytes.count)
  }
}
