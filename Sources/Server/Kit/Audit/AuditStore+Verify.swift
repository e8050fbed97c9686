// SPDX-License-Identifier: Apache-2.0

import Crypto
import Storage

extension AuditStore {
  /// Walks every chain and checks order, links and digests against the recorded head.
  /// - Parameters:
  ///   - vault: nil checks all but the keyed digests, where the key ring is not at hand.
  ///   - isKnownSealed: it is known from elsewhere that the log was sealed.
  package func verify(
    by vault: Vault?, isKnownSealed: Bool = false, progress: WorkProgress? = nil
  ) throws -> AuditReport {
    var report = AuditReport()
    let count = try tx.first("SELECT COUNT(*) AS n FROM audit_head")?.get("n", as: Int.self) ?? 0
    progress?.begin("chains", of: count)
    var (after, places) = ("", Set<String>())
    let hasSeal = try isSealed()
    let isSealed = hasSeal || isKnownSealed
    if !hasSeal, isKnownSealed { report.faults.append("\(Audit.ownChain): the seal of the log is gone") }
    // A name that is no UTF-8 is read as another one, which must not lead the walk back again and again.
    while places.insert(after).inserted {
      let heads = try tx.query(
        """
        SELECT head.chain, head.sequence, head.digest, head.anchored, (
          SELECT line.sequence FROM audit_line AS line
          WHERE line.chain = head.chain AND line.action = 'subject.erased' ORDER BY line.sequence DESC LIMIT 1
        ) AS erased
        FROM audit_head AS head WHERE head.chain > \(after) ORDER BY head.chain LIMIT \(Self.headsAtOnce)
        """)
      for head in heads {
        // SQLite keeps bytes in a column of text, and sorts them behind every text.
        if let chain = try? head.get("chain", as: String.self) {
          after = Self.place(behind: chain)
          try verify(head, by: vault, isSealed: isSealed, into: &report)
        }
        progress?.advance()
      }
      if heads.count < Self.headsAtOnce { break }
    }
    try findLinesOutsideOfChains(heads: count, &report)
    return report
  }

  /// Where a walk over the chains goes on. A name with a NUL, which SQLite keeps, cannot be asked for: the names that
  /// begin as it does up to there are passed over, and the number of heads tells of them.
  static func place(behind chain: String) -> String {
    guard chain.holdsNUL else { return chain }
    return String(chain.unicodeScalars.prefix { $0 != "\0" }) + "\u{1}"
  }

  /// The name of a chain, for the terminal of who checks the log: one that an attacker wrote could hold what erases
  /// the lines before it.
  static func shown(_ chain: String) -> String {
    DisplayedText.isPlain(chain) ? chain : chain.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
  }

  /// What the walk over the heads does not come to. The server writes none of it.
  private func findLinesOutsideOfChains(heads: Int, _ report: inout AuditReport) throws {
    // A head that was removed leaves its lines behind.
    for row in try tx.query(
      """
      SELECT DISTINCT chain FROM audit_line
      WHERE NOT EXISTS (SELECT 1 FROM audit_head WHERE audit_head.chain = audit_line.chain) LIMIT 100
      """)
    {
      let chain = try? row.get("chain", as: String.self)
      report.faults.append("\(chain.map(Self.shown) ?? "a chain without a name"): lines without a head")
    }
    let lines = try tx.first("SELECT COUNT(*) AS n FROM audit_line")?.get("n", as: Int.self) ?? 0
    // No chain of the server's is without a name: the walk begins behind the empty one.
    if heads != report.chains {
      report.faults.append("\(heads.counted("head", "heads")), \(report.chains) of them with the name of a chain")
    }
    // The walk over a broken chain stops at its first fault.
    if report.faults.isEmpty, lines != report.lines {
      report.faults.append("\(lines.counted("line", "lines")), \(report.lines) of them in chains")
    }
  }

  /// Heads of one query. A query for each is most of the time where the database is another machine.
  private static let headsAtOnce = 200

  /// Walks one chain.
  /// - Parameter head: with the line of the last erasure, if there was one.
  private func verify(_ head: SQLRow, by vault: Vault?, isSealed: Bool, into report: inout AuditReport) throws {
    let chain: String = try head.get("chain")
    report.chains += 1
    guard !chain.holdsNUL else {
      report.faults.append("\(Self.shown(chain)): the name of the chain holds a NUL")
      return
    }
    let erased = try? head.get("erased", as: Int?.self)
    var check = ChainCheck(vault: vault, erased: erased)
    let sequence = try? head.get("sequence", as: Int.self)
    let anchored = try? head.get("anchored", as: Int.self)
    do {
      try check.addAll(of: chain, in: self)
      guard let sequence, anchored != nil else { throw ChainCheck.Fault(text: "its head cannot be read") }
      try check.end(at: sequence, digest: (try? head.get("digest")) ?? "", isSealed: isSealed)
    } catch let fault as ChainCheck.Fault { report.faults.append("\(Self.shown(chain)): \(fault.text)") }
    if let sequence, let anchored, anchored > sequence {
      report.faults.append(
        "\(Self.shown(chain)): head says that line \(anchored) is anchored, and there are \(sequence)")
    }
    report.lines += check.lines
    report.cut += check.cut
    if !isSealed, check.seal.firstOpen != nil { report.unsealed += 1 }
  }

  /// Whether a chain is as the server wrote it, up to its head.
  /// - Parameter contradicts: whether a line speaks against what the caller is about to do; then it is false as well.
  func isAuthentic(_ chain: String, by vault: Vault, unless contradicts: (AuditLine) -> Bool) throws -> Bool {
    guard let head = try head(of: chain) else { return false }
    var check = ChainCheck(vault: vault, erased: try erased(chain))
    var isContradicted = false
    do {
      try forEachLine(of: chain) {
        try check.add($0)
        isContradicted = isContradicted || contradicts($0.line)
      }
      try check.end(at: head.sequence, digest: head.digest, isSealed: vault.isAuditSealed || isSealed())
    } catch is ChainCheck.Fault { return false }
    return !isContradicted
  }

  /// What is wrong with a chain, from its first line up to its head; nil for nothing.
  func fault(of chain: String, by vault: Vault) throws -> String? {
    guard let head = try head(of: chain) else { return "lines without a head" }
    var check = ChainCheck(vault: vault, erased: try erased(chain))
    do {
      try check.addAll(of: chain, in: self)
      try check.end(at: head.sequence, digest: head.digest, isSealed: vault.isAuditSealed || isSealed())
    } catch let fault as ChainCheck.Fault { return fault.text }
    return nil
  }

  /// The line of the last erasure; nil when there was no erasure. That line is checked like any other.
  private func erased(_ chain: String) throws -> Int? {
    try tx.first(
      """
      SELECT sequence FROM audit_line WHERE chain = \(chain) AND action = 'subject.erased'
      ORDER BY sequence DESC LIMIT 1
      """)?.get("sequence")
  }
}

/// The check of one chain, line by line.
private struct ChainCheck {
  struct Fault: Error { let text: String }

  let vault: Vault?
  /// The last line whose subject was cut out by what the chain tells; 0 without such a line.
  let cutThrough: Int
  var (lines, cut) = (0, 0)
  var seal = AuditSeal()
  private var expected = 1
  private var previous = AuditLine.genesis

  /// - Parameter erased: the line of the last erasure. A forged one may have any number, and the least has none before.
  init(vault: Vault?, erased: Int?) { (self.vault, cutThrough) = (vault, max(erased ?? 1, 1) - 1) }

  /// - Throws: `Fault`, also for a line whose columns hold something of another kind, as SQLite lets who writes it do:
  ///   it must not keep the other chains from being checked.
  mutating func addAll(of chain: String, in store: AuditStore) throws {
    do { try store.forEachLine(of: chain) { try add($0) } } catch SQLError.unreadable {
      throw Fault(text: "line \(expected) cannot be read")
    } catch SQLError.constraint {
      throw Fault(text: "its name cannot be looked up")
    }
  }

  mutating func add(_ stored: StoredAuditLine) throws {
    lines += 1
    guard stored.line.sequence >= expected else {
      throw Fault(text: "line \(stored.line.sequence) stands before line \(expected)")
    }
    guard stored.line.sequence == expected else { throw Fault(text: "line \(expected) is missing") }
    guard stored.line.previous == previous else {
      throw Fault(text: "line \(expected) does not follow the one before it")
    }
    guard try stored.isWhole && hasItsDigest(stored) else { throw Fault(text: "line \(expected) was changed") }
    // Only an erasure, itself a line, explains that facts are gone: cutting is no way to hide a deed.
    guard !stored.isCut || expected <= cutThrough else {
      throw Fault(text: "line \(expected) was cut without an erasure")
    }
    if stored.line.keyVersion == nil { seal.add(stored) }
    if stored.isSeal, !seal.closes(with: stored) {
      throw Fault(text: "line \(expected) seals other lines than those without a key before it")
    }
    if stored.isCut { cut += 1 }
    previous = stored.digest
    expected += 1
  }

  private func hasItsDigest(_ stored: StoredAuditLine) throws -> Bool {
    guard let version = stored.line.keyVersion else { return stored.matches(nil) }
    guard let vault else { return true }
    do { return stored.matches(try vault.auditKey(version).key) } catch VaultError.noKey {
      throw Fault(text: "line \(expected) has a key that this installation does not have: \(version)")
    }
  }

  func end(at sequence: Int, digest: String, isSealed: Bool) throws {
    guard expected - 1 == sequence, previous == digest else {
      throw Fault(text: "ends at line \(expected - 1), head says \(sequence)")
    }
    if isSealed, let line = seal.firstOpen { throw Fault(text: "line \(line) has no key, and no seal covers it") }
  }
}
