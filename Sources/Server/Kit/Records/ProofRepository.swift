// SPDX-License-Identifier: Apache-2.0

import Storage

/// Confirmations by a second factor of which only the audit log tells, as records: each is a line of it. What a flow
/// keeps with evidence has a repository of its own.
package struct ProofRepository: RecordRepository {
  /// Actions of the log that tell of proofs, and whom they are of.
  package struct Source: Sendable {
    /// What was proved, and what was not.
    let verified, refused: String
    /// What chains are called before the id of whom they are about.
    let prefix: String
    /// Whether a line of these actions tells of a second factor.
    let isProof: @Sendable (AuditLine) -> Bool
    /// What was signed, in words, where that is kept.
    let shown: @Sendable (AuditLine, _ id: String, any SQLTransaction) throws -> String?
    /// Nil when nothing is known of the id any more.
    let owner: @Sendable (_ id: String, any SQLTransaction) throws -> Owner?

    package init(
      verified: String, refused: String, prefix: String, isProof: @escaping @Sendable (AuditLine) -> Bool,
      shown: @escaping @Sendable (AuditLine, _ id: String, any SQLTransaction) throws -> String? = { _, _, _ in nil },
      owner: @escaping @Sendable (_ id: String, any SQLTransaction) throws -> Owner?
    ) {
      (self.verified, self.refused, self.prefix) = (verified, refused, prefix)
      (self.isProof, self.shown, self.owner) = (isProof, shown, owner)
    }

    /// Codes of states and their actions.
    fileprivate var actions: [(state: String, action: String)] { [("verified", verified), ("refused", refused)] }
  }

  /// Who proved something.
  package struct Owner: Sendable {
    let tenant, user: String
    let email: String?

    /// - Parameter email: of the person; nil when it is not known here.
    package init(tenant: String, user: String, email: String? = nil) {
      (self.tenant, self.user, self.email) = (tenant, user, email)
    }
  }

  /// How often one action is searched for a page: where few lines are of the reader's desk, pages are shorter.
  private static let scansMax = 20

  package let kind = "factors"
  package let states = ["verified", "refused"]
  private let core: CoreDependencies
  private let sources: [Source]

  package init(_ core: CoreDependencies, _ sources: [Source]) { (self.core, self.sources) = (core, sources) }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: reader.listed(kind), in: tx)
    }
    return try await core.database.read { [self] tx in
      var found: [(row: RecordRow, place: AuditCursor)] = []
      // What is older than this was not looked at in every action.
      var horizon: AuditCursor?
      for source in sources {
        for (state, action) in source.actions where question.state ?? state == state {
          let (rows, reached) = try rows(source, state, action, question, reader.scope, in: tx)
          found += rows
          if let reached, horizon.map({ reached.isNewer(than: $0) }) ?? true { horizon = reached }
        }
      }
      found = found.filter { item in horizon.map { !$0.isNewer(than: item.place) } ?? true }
      found.sort { $0.place.isNewer(than: $1.place) }
      let rows = found.prefix(RecordQuestion.pageMax)
      let next = found.count > rows.count ? rows.last?.place : horizon
      return RecordPage(rows: rows.map(\.row), next: next.map(Self.text))
    }
  }

  /// - Returns: where the search has to go on; nil at the end of the log.
  private func rows(
    _ source: Source, _ state: String, _ action: String, _ question: RecordQuestion, _ scope: TenantScope,
    in tx: any SQLTransaction
  ) throws -> (rows: [(row: RecordRow, place: AuditCursor)], reached: AuditCursor?) {
    if let name = question.name, !RecordQuestion.isName(name) { return ([], nil) }
    let chain = question.name.map { source.prefix + $0 }
    var (query, rows) = (AuditQuery(), [(row: RecordRow, place: AuditCursor)]())
    (query.action, query.after) = (action, question.after.flatMap(Self.place))
    for _ in 0..<Self.scansMax {
      let found = try AuditSearchStore(tx, vault: core.vault).scan(
        query, in: chain, limit: RecordQuestion.pageMax + 1, examining: AuditSearch.scanMax)
      for line in found.lines.map(\.line) where source.isProof(line) {
        guard let owner = try owner(of: line.chain, by: source, in: tx), scope.contains(owner.tenant) else { continue }
        rows.append((Self.row(line, state, owner), AuditCursor(of: line)))
      }
      query.after = found.next
      if found.next == nil || rows.count > RecordQuestion.pageMax { break }
    }
    return (rows, query.after)
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    let parts = id.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let sequence = Int(parts[0]), sequence > 0 else { throw Problem.notFound }
    let chain = String(parts[1])
    return try await core.database.write(retrying: .outdated) { [self] tx in
      guard let line = try AuditStore(tx).lines(of: chain, after: sequence - 1, limit: 1).first,
        line.sequence == sequence,
        let source = sources.first(where: { chain.hasPrefix($0.prefix) && $0.isProof(line) }),
        let state = source.actions.first(where: { $0.action == line.action })?.state,
        let owner = try owner(of: chain, by: source, in: tx), reader.scope.contains(owner.tenant)
      else { throw Problem.notFound }
      try reader.requireOther(than: owner.email ?? owner.user)
      try core.audit.append(
        "proof.seen", to: chain, by: reader.actor, facts: reader.looked.merging(["line": "\(sequence)"]) { $1 }, in: tx)
      let facts = line.facts
      let shown = try source.shown(line, String(chain.dropFirst(source.prefix.count)), tx)
      return RecordFile(
        Self.row(line, state, owner),
        facts: [
          ("user", owner.user), ("decided", line.at.rfc3339), ("factor", facts["factor"] ?? facts["type"]),
          ("asked", facts["asked"] ?? facts["uri"]), ("scope", facts["scope"]), ("protocol", facts["protocol"]),
          ("client", facts["client"]), ("tries_left", facts["left"]),
        ], texts: [("signed_text", shown), ("signed_digest", facts["data"])], subjects: [], chain: chain)
    }
  }

  private func owner(of chain: String, by source: Source, in tx: any SQLTransaction) throws -> Owner? {
    try source.owner(String(chain.dropFirst(source.prefix.count)), tx)
  }

  private static func row(_ line: AuditLine, _ state: String, _ owner: Owner) -> RecordRow {
    RecordRow(
      id: "\(line.sequence).\(line.chain)", name: line.chain, tenant: owner.tenant, state: state, at: line.at)
  }

  private static func text(_ place: AuditCursor) -> String { place.text.replacing("~", with: ".") }

  private static func place(_ text: String) -> AuditCursor? {
    AuditCursor(text: text.split(separator: ".", maxSplits: 2).joined(separator: "~"))
  }
}

extension AuditCursor {
  fileprivate func isNewer(than other: AuditCursor) -> Bool {
    (at, chain, sequence) > (other.at, other.chain, other.sequence)
  }
}
