// SPDX-License-Identifier: Apache-2.0

import Storage

/// Reads `audit_line` for those who search, by its indexes only: what an answer costs does not grow with the log.
struct AuditSearchStore {
  private let tx: any SQLTransaction
  private let vault: Vault
  private var store: AuditStore { AuditStore(tx) }

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// Most lines are of customers and of the server itself. These are found by time, so that writing them costs an index
  /// less.
  static let migration = Migration(
    "2026-12-01 audit search",
    """
    CREATE INDEX audit_line_time ON audit_line (at, chain, sequence);
    CREATE INDEX audit_line_action ON audit_line (action, at, chain, sequence);
    CREATE INDEX audit_line_actor ON audit_line (actor, at, chain, sequence)
      WHERE actor <> 'customer' AND actor <> 'system';
    """)

  private static let batchMax = 500

  /// Goes back through the log from where the query begins.
  /// - Parameters:
  ///   - chain: nil for every chain.
  ///   - scanMax: lines to go through; the search ends there with fewer lines than it may have found.
  /// - Returns: the lines, and where to go on; nil at the end.
  func scan(
    _ query: AuditQuery, in chain: String?, limit: Int, examining scanMax: Int
  ) throws -> (lines: [StoredAuditLine], next: AuditCursor?) {
    var lines: [StoredAuditLine] = []
    var place = query.after ?? AuditCursor.top
    if query.after == nil, let before = query.before { place = AuditCursor(at: before, sequence: .max, chain: "") }
    var examined = 0
    while examined < scanMax {
      // Where the index tells everything, the first lines are the answer.
      let size = examined == 0 ? min(limit + 1, Self.batchMax) : Self.batchMax
      let batch = try tx.query(Self.statement(query, in: chain, after: place, limit: size))
        .map(AuditStore.storedLine)
      for stored in batch {
        // The place of the last line that was taken: one more would be lost.
        if lines.count == limit { return (lines, place) }
        place = AuditCursor(of: stored.line)
        if query.matches(stored.line) { lines.append(stored) }
      }
      guard batch.count == size else { return (lines, nil) }
      examined += batch.count
    }
    return (lines, place)
  }

  /// The lines of the narrowest index, newest first; what it does not tell is looked at line by line.
  static func statement(_ query: AuditQuery, in chain: String?, after place: AuditCursor, limit: Int) -> SQL {
    let since = query.since ?? Instant(milliseconds: .min)
    if let chain {
      return """
        SELECT \(AuditStore.columns) FROM audit_line WHERE chain = \(chain) AND sequence < \(place.sequence)
        ORDER BY sequence DESC LIMIT \(limit)
        """
    }
    if let actor = query.actor, actor != "customer", actor != "system" {
      return """
        SELECT \(AuditStore.columns) FROM audit_line
        WHERE actor = \(actor) AND actor <> 'customer' AND actor <> 'system' AND at >= \(since)
          AND (at, chain, sequence) < (\(place.at), \(place.chain), \(place.sequence))
        ORDER BY at DESC, chain DESC, sequence DESC LIMIT \(limit)
        """
    }
    if let action = query.action {
      return """
        SELECT \(AuditStore.columns) FROM audit_line
        WHERE action = \(action) AND at >= \(since)
          AND (at, chain, sequence) < (\(place.at), \(place.chain), \(place.sequence))
        ORDER BY at DESC, chain DESC, sequence DESC LIMIT \(limit)
        """
    }
    return """
      SELECT \(AuditStore.columns) FROM audit_line
      WHERE at >= \(since) AND (at, chain, sequence) < (\(place.at), \(place.chain), \(place.sequence))
      ORDER BY at DESC, chain DESC, sequence DESC LIMIT \(limit)
      """
  }

  // MARK: How far they can be relied on

  /// By one statement for all of them.
  func findings(_ lines: [StoredAuditLine]) throws -> [AuditFinding] {
    guard !lines.isEmpty else { return [] }
    var asked = SQLRows(.integer("place"), .text("chain"), .integer("sequence"))
    for (place, stored) in lines.enumerated() { asked.append(place, stored.line.chain, stored.line.sequence) }
    let surroundings = try tx.query(
      """
      SELECT asked.place AS place, head.anchored AS anchored, head.sequence AS head,
        COALESCE(former.digest, \(AuditLine.genesis)) AS digest_before
      FROM \(asked) AS asked JOIN audit_head AS head ON head.chain = asked.chain
      LEFT JOIN audit_line AS former ON former.chain = asked.chain AND former.sequence = asked.sequence - 1
      """
    ).reduce(into: [Int: SQLRow]()) { $0[try $1.get("place")] = $1 }
    return try lines.enumerated().map { place, stored in
      AuditFinding(
        line: stored.line, assurance: try assurance(of: stored, amid: surroundings[place]), isCut: stored.isCut)
    }
  }

  /// - Parameter row: the head of its chain, and the line before it; nil without a head.
  private func assurance(of stored: StoredAuditLine, amid row: SQLRow?) throws -> AuditFinding.Assurance {
    let line = stored.line
    guard let row, try line.sequence <= row.get("head", as: Int.self),
      try line.previous == row.get("digest_before", as: String.self), stored.isWhole
    else { return .broken }
    guard let version = line.keyVersion else { return stored.matches(nil) ? .unkeyed : .broken }
    guard let key = try? vault.auditKey(version).key, stored.matches(key) else { return .broken }
    return try line.sequence <= row.get("anchored", as: Int.self) ? .anchored : .chained
  }

  /// How a chain stands from its first line to its head.
  func state(of chain: String, linesMax: Int) throws -> AuditChainState {
    let row = try tx.first("SELECT sequence, anchored FROM audit_head WHERE chain = \(chain)")
    guard let row else { return .whole(lines: 0, anchored: 0) }
    let (lines, anchored): (Int, Int) = (try row.get("sequence"), try row.get("anchored"))
    guard lines <= linesMax else { return .long(lines: lines, anchored: anchored) }
    if let fault = try store.fault(of: chain, by: vault) { return .broken(fault) }
    return .whole(lines: lines, anchored: anchored)
  }
}
