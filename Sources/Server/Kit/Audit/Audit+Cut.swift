// SPDX-License-Identifier: Apache-2.0

import Storage

extension Audit {
  /// The line that explains why everything before it in its chain has no facts.
  package static let erasedAction = "subject.erased"

  /// Cuts the subject out of its chain, for an erasure (GDPR art. 17): the chain goes on under a name that is not
  /// known, its lines lose their facts, and a last line records the cut. What happened, when, and by whom stays
  /// and verifies.
  ///
  /// - Parameters:
  ///   - reason: a code.
  ///   - facts: of the last line; codes, no id of the subject.
  /// - Returns: the chain's new name. It is written down nowhere beside the chain itself.
  package func cutSubject(
    of chain: String, reason: String, by actor: String, facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws -> String {
    let name = world.uuid()
    try AuditStore(tx).cut(chain, renamed: name)
    try append(
      Self.erasedAction, to: name, by: actor, facts: facts.merging(["reason": reason]) { _, reason in reason }, in: tx)
    return name
  }
}

extension AuditStore {
  /// Facts and salts go; what is left of a line is what its digest covers.
  func cut(_ chain: String, renamed name: String) throws {
    try tx.execute(
      "UPDATE audit_line SET chain = \(name), facts = \(Self.cutFacts), salt = NULL WHERE chain = \(chain)")
    try tx.execute("UPDATE audit_head SET chain = \(name) WHERE chain = \(chain)")
  }
}

// MARK: Deletion of whole chains

extension Audit {
  /// The line in the log's own chain that explains why chains are gone: the digest of the first line of each, by which
  /// the checkpoints name it, how many lines it had, and the digest of the last.
  static let droppedAction = "audit.dropped"

  /// Deletes whole chains that came to nothing: any caller could begin them, and no customer came of it. A chain stays
  /// when its lines are not all authentic, or one of them speaks against it, for the rows that the caller went by may
  /// be forged.
  /// - Parameter contradicts: whether a line shows that something came of the chain.
  /// - Returns: how many chains went.
  @discardableResult
  package func drop(
    _ chains: [String], unless contradicts: (AuditLine) -> Bool = { _ in false }, in tx: any SQLTransaction
  ) throws -> Int {
    let store = AuditStore(tx)
    var dropped: [String] = []
    for chain in chains {
      guard let first = try store.storedLines(of: chain, after: 0, limit: 1).first,
        let head = try store.head(of: chain),
        try store.isAuthentic(chain, by: vault, unless: contradicts)
      else { continue }
      try tx.execute("DELETE FROM audit_line WHERE chain = \(chain)")
      try tx.execute("DELETE FROM audit_head WHERE chain = \(chain)")
      dropped.append("\(first.digest)/\(head.sequence)/\(head.digest)")
    }
    guard !dropped.isEmpty else { return 0 }
    try append(
      Self.droppedAction, to: Self.ownChain, by: "system", facts: ["chains": dropped.joined(separator: " ")], in: tx)
    return dropped.count
  }

  /// Deletes up to `limit` whole chains of subjects that were erased before then. A forged line of an erasure does not
  /// make the server delete a chain.
  /// - Returns: how many chains went.
  package func prune(erasedBefore horizon: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    let chains: [String] = try tx.query(
      """
      SELECT chain FROM audit_line WHERE action = 'subject.erased' AND at <= \(horizon)
      ORDER BY at, chain LIMIT \(limit)
      """
    ).map { try $0.get("chain") }
    return try drop(chains, in: tx)
  }

  /// When something last happened by the chain, whatever the rows say.
  /// - Parameter prefix: of the actions that count.
  /// - Returns: the time of the last such line that is authentic by itself; nil when the chain has no such line.
  package func last(_ prefix: String, of chain: String, in tx: any SQLTransaction) throws -> Instant? {
    var last: Instant?
    try AuditStore(tx).forEachLine(of: chain) { stored in
      guard stored.line.action.hasPrefix(prefix), stored.isWhole, let version = stored.line.keyVersion,
        let key = try? vault.auditKey(version).key, stored.matches(key)
      else { return }
      last = max(last ?? stored.line.at, stored.line.at)
    }
    return last
  }
}
