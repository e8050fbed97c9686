// SPDX-License-Identifier: Apache-2.0

import Storage

/// What is looked for in the audit log, the newest line first.
package struct AuditQuery: Sendable, Equatable {
  /// Names of chains that a typed id may stand for; the first that is there counts. Empty for every chain.
  package var chains: [String] = []
  package var actor: String?
  package var action: String?
  /// Inclusive.
  package var since: Instant?
  /// Exclusive.
  package var before: Instant?
  /// The line before which the answer begins; nil for the newest.
  package var after: AuditCursor?

  package init() {}

  func matches(_ line: AuditLine) -> Bool {
    actor.map { $0 == line.actor } ?? true && action.map { $0 == line.action } ?? true
      && since.map { $0 <= line.at } ?? true && before.map { line.at < $0 } ?? true
  }

  /// Why somebody looks, as far as what they ask for tells.
  private var why: RecordAccess {
    if !chains.isEmpty { return .search }
    return actor == nil && action == nil && since == nil && before == nil ? .overview : .list
  }

  /// What a person's own story tells of a look.
  var looked: [String: String] { why.facts }

  /// Whether a text is written as actors and actions are, such as `agent:01a2-b3` or `chat.read`. A full stop begins a
  /// part or stands in one: where an expression may take it for either, a text takes twice as long for each one more.
  private static func isCode(_ text: String) -> Bool {
    text.wholeMatch(of: /[a-z_]+(?:[:.][A-Za-z0-9._-]+(?::[A-Za-z0-9._-]+)*)?/) != nil
  }

  /// What the audit keeps of a look: codes and times, never what else was typed.
  var facts: [String: String] {
    var facts = ["chain": chains.isEmpty ? "any" : "one", "why": why.rawValue]
    for (name, text) in [("actor", actor), ("action", action)] {
      guard let text else { continue }
      facts[name] = Self.isCode(text) ? text : "unreadable"
    }
    facts["since"] = since?.rfc3339
    facts["before"] = before?.rfc3339
    return facts
  }
}

/// A line's place in the order of a search.
package struct AuditCursor: Sendable, Equatable {
  let at: Instant
  let sequence: Int
  let chain: String

  /// Before the newest line.
  static let top = AuditCursor(at: Instant(milliseconds: .max), sequence: .max, chain: "")

  init(at: Instant, sequence: Int, chain: String) { (self.at, self.sequence, self.chain) = (at, sequence, chain) }

  init(of line: AuditLine) { self.init(at: line.at, sequence: line.sequence, chain: line.chain) }

  /// - Returns: nil for what `text` did not make.
  package init?(text: String) {
    let parts = text.split(separator: "~", maxSplits: 2)
    guard parts.count == 3, text.utf8.count <= 300, text.utf8.allSatisfy({ $0 >= 0x20 }),
      let at = Int64(parts[0]), let sequence = Int(parts[1])
    else { return nil }
    self.init(at: Instant(milliseconds: at), sequence: sequence, chain: String(parts[2]))
  }

  /// As an address carries it.
  package var text: String { "\(at.milliseconds)~\(sequence)~\(chain)" }
}

/// A line that was found, and how far it can be relied on.
package struct AuditFinding: Sendable, Equatable {
  package enum Assurance: String, Sendable, CaseIterable {
    /// It has its digest, follows the line before it, and a checkpoint outside of the database holds it.
    case anchored
    /// The same, and no checkpoint holds it yet.
    case chained
    /// From before the log was keyed: only the seal of its chain vouches for it.
    case unkeyed
    /// It is not as it was written, or does not follow the line before it.
    case broken
  }

  package let line: AuditLine
  package let assurance: Assurance
  /// Whether its facts were cut out by an erasure.
  package let isCut: Bool
}

/// The state of the one chain that was looked for.
package enum AuditChainState: Sendable, Equatable {
  /// Every line verifies, up to the head.
  case whole(lines: Int, anchored: Int)
  /// In the words of `gatehouse audit verify`.
  case broken(String)
  /// It is too long to be gone through for a page.
  case long(lines: Int, anchored: Int)
}

/// What a search found.
package struct AuditPage: Sendable {
  package let findings: [AuditFinding]
  /// Where the search goes on; nil at its end. A search of few lines among many ends before a page is full.
  package let next: AuditCursor?
  /// Of the chain that was looked for; nil when every chain was searched, or no chain has that name.
  package let chain: (name: String, state: AuditChainState)?
  /// The last checkpoint that an anchor has; nil when no anchor has one, or when its row was changed.
  package let checkpoint: (number: Int, at: Instant)?
}

/// Looks into the audit log for people. Each look is a line of the log itself, before it is answered.
package struct AuditSearch: Sendable {
  /// Lines of an answer.
  package static let pageMax = 50
  /// Lines of an export.
  package static let exportMax = 5000
  /// Lines that one answer, and one export, go through at most.
  static let scanMax = 2000
  static let exportScanMax = 50_000
  /// Lines of a chain that is verified as a whole for an answer.
  static let chainMax = 2000

  private let database: any SQLDatabase
  private let audit: Audit
  private var vault: Vault { audit.vault }

  package init(_ core: CoreDependencies) { (database, audit) = (core.database, core.audit) }

  /// - Parameters:
  ///   - actor: who looks, as audit lines name them.
  ///   - own: the chain of the member who looks.
  package func page(_ query: AuditQuery, by actor: String, chain own: String) async throws -> AuditPage {
    let chain = try await note("audit.searched", query, by: actor, chain: own)
    return try await database.read { [vault] tx in
      let store = AuditSearchStore(tx, vault: vault)
      let found = try store.scan(query, in: chain, limit: Self.pageMax, examining: Self.scanMax)
      let checkpoint = try AuditCheckpointStore(tx).lastAnchored().flatMap { row in
        row.isProved(by: vault) ? (number: row.number, at: row.at) : nil
      }
      return AuditPage(
        findings: try store.findings(found.lines), next: found.next,
        chain: try chain.map { (name: $0, state: try store.state(of: $0, linesMax: Self.chainMax)) },
        checkpoint: checkpoint)
    }
  }

  /// The same lines for another program, at most `exportMax`, from the newest on.
  /// - Returns: the lines, and whether there may be more.
  package func export(
    _ query: AuditQuery, by actor: String, chain own: String
  ) async throws -> (findings: [AuditFinding], isCut: Bool) {
    let chain = try await note("audit.exported", query, by: actor, chain: own)
    var (query, findings, examined) = (query, [AuditFinding](), 0)
    while findings.count < Self.exportMax, examined < Self.exportScanMax {
      let limit = min(500, Self.exportMax - findings.count)
      let (part, next) = try await database.read { [query, vault] tx in
        let store = AuditSearchStore(tx, vault: vault)
        let found = try store.scan(query, in: chain, limit: limit, examining: Self.scanMax)
        return (try store.findings(found.lines), found.next)
      }
      findings += part
      guard let next else { return (findings, false) }
      query.after = next
      examined += Self.scanMax
    }
    return (findings, true)
  }

  /// - Returns: the chain that the query is about; nil for every chain, and the first of the names when none is there.
  private func note(
    _ action: String, _ query: AuditQuery, by actor: String, chain own: String
  ) async throws -> String? {
    try await database.write(retrying: .outdated) { [audit] tx in
      let store = AuditStore(tx)
      let there = try query.chains.first { try store.length(of: $0) > 0 }
      try audit.append(action, to: own, by: actor, facts: query.facts, in: tx)
      // A person's own chain tells who looked at it, and goes with the person. One's own has the line above.
      if let there, there != own { try audit.append(action, to: there, by: actor, facts: query.looked, in: tx) }
      return there ?? query.chains.first
    }
  }
}
