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
  /// The line in the log's own chain that explains why chains are gone: their first lines' digests, by which the
  /// checkpoints name them.
  static let droppedAction = "audit.dropped"

  /// Deletes whole chains that came to nothing: any caller could begin them, and no customer came of it.
  package func drop(_ chains: [String], in tx: any SQLTransaction) throws {
    var firsts: [String] = []
    for chain in chains {
      firsts += try tx.query("SELECT digest FROM audit_line WHERE chain = \(chain) AND sequence = 1").map {
        try $0.get("digest")
      }
      try tx.execute("DELETE FROM audit_line WHERE chain = \(chain)")
      try tx.execute("DELETE FROM audit_head WHERE chain = \(chain)")
    }
    guard !firsts.isEmpty else { return }
    try append(
      Self.droppedAction, to: Self.ownChain, by: "system", facts: ["chains": firsts.joined(separator: " ")], in: tx)
  }

  /// Deletes up to `limit` whole chains of subjects that were erased before then. The line of the erasure has to be
  /// authentic, because a forged one must not make the server delete a chain.
  /// - Returns: how many chains went.
  package func prune(erasedBefore horizon: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    let chains: [String] = try tx.query(
      """
      SELECT chain, sequence FROM audit_line WHERE action = 'subject.erased' AND at <= \(horizon)
      ORDER BY at, chain LIMIT \(limit)
      """
    ).compactMap { row in
      let (chain, sequence): (String, Int) = (try row.get("chain"), try row.get("sequence"))
      return try isOurs(sequence, of: chain, in: tx) ? chain : nil
    }
    try drop(chains, in: tx)
    return chains.count
  }

  private func isOurs(_ sequence: Int, of chain: String, in tx: any SQLTransaction) throws -> Bool {
    let store = AuditStore(tx)
    guard let stored = try store.storedLines(of: chain, after: sequence - 1, limit: 1).first else { return false }
    if let version = stored.line.keyVersion {
      guard let key = try? vault.auditKey(version).key else { return false }
      return stored.isWhole && stored.matches(key)
    }
    // From before the log was keyed: `audit verify` checks what its seal covers.
    return try !store.isSealed() || store.isSealed(chain, after: sequence)
  }
}
