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
    if let progress {
      progress.begin("chains", of: try tx.first("SELECT COUNT(*) AS n FROM audit_head")?.get("n"))
    }
    var after = ""
    let hasSeal = try isSealed()
    let isSealed = hasSeal || isKnownSealed
    if !hasSeal, isKnownSealed { report.faults.append("\(Audit.ownChain): the seal of the log is gone") }
    while true {
      let heads = try tx.query(
        """
        SELECT head.chain, head.sequence, head.digest, head.anchored, (
          SELECT line.sequence FROM audit_line AS line
          WHERE line.chain = head.chain AND line.action = 'subject.erased' ORDER BY line.sequence DESC LIMIT 1
        ) AS erased
        FROM audit_head AS head WHERE head.chain > \(after) ORDER BY head.chain LIMIT \(Self.headsAtOnce)
        """)
      for head in heads {
        after = try head.get("chain")
        try verify(head, by: vault, isSealed: isSealed, into: &report)
        progress?.advance()
      }
      if heads.count < Self.headsAtOnce { break }
    }
    // A head that was removed leaves its lines behind.
    for row in try tx.query(
      """
      SELECT DISTINCT chain FROM audit_line
      WHERE NOT EXISTS (SELECT 1 FROM audit_head WHERE audit_head.chain = audit_line.chain) LIMIT 100
      """)
    {
      report.faults.append("\(try row.get("chain", as: String.self)): lines without a head")
    }
    return report
  }

  /// Heads of one query. A query for each is most of the time where the database is another machine.
  private static let headsAtOnce = 200

  /// Walks one chain.
  /// - Parameter head: with the line of the last erasure, if there was one.
  private func verify(_ head: SQLRow, by vault: Vault?, isSealed: Bool, into report: inout AuditReport) throws {
    let (chain, erased): (String, Int?) = (try head.get("chain"), try head.get("erased"))
    report.chains += 1
    var check = ChainCheck(vault: vault, cutThrough: erased.map { $0 - 1 } ?? 0)
    do {
      try forEachLine(of: chain) { try check.add($0) }
      try check.end(at: head.get("sequence"), digest: head.get("digest"), isSealed: isSealed)
    } catch let fault as ChainCheck.Fault { report.faults.append("\(chain): \(fault.text)") }
    let (sequence, anchored): (Int, Int) = (try head.get("sequence"), try head.get("anchored"))
    if anchored > sequence {
      report.faults.append("\(chain): head says that line \(anchored) is anchored, and there are \(sequence)")
    }
    report.lines += check.lines
    report.cut += check.cut
    if !isSealed, check.seal.firstOpen != nil { report.unsealed += 1 }
  }

  /// Whether a chain is as the server wrote it, up to its head.
  /// - Parameter contradicts: whether a line speaks against what the caller is about to do; then it is false as well.
  func isAuthentic(_ chain: String, by vault: Vault, unless contradicts: (AuditLine) -> Bool) throws -> Bool {
    guard let head = try head(of: chain) else { return false }
    var check = ChainCheck(vault: vault, cutThrough: try cutThrough(chain))
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
    var check = ChainCheck(vault: vault, cutThrough: try cutThrough(chain))
    do {
      try forEachLine(of: chain) { try check.add($0) }
      try check.end(at: head.sequence, digest: head.digest, isSealed: vault.isAuditSealed || isSealed())
    } catch let fault as ChainCheck.Fault { return fault.text }
    return nil
  }

  /// The last line whose subject the chain says was cut out; 0 when none was. That line is checked like any other.
  private func cutThrough(_ chain: String) throws -> Int {
    let erasure = try tx.first(
      """
      SELECT sequence FROM audit_line WHERE chain = \(chain) AND action = 'subject.erased'
      ORDER BY sequence DESC LIMIT 1
      """)
    return try erasure.map { try $0.get("sequence", as: Int.self) - 1 } ?? 0
  }
}

/// The check of one chain, line by line.
private struct ChainCheck {
  struct Fault: Error { let text: String }

  let vault: Vault?
  let cutThrough: Int
  var (lines, cut) = (0, 0)
  var seal = AuditSeal()
  private var expected = 1
  private var previous = AuditLine.genesis

  init(vault: Vault?, cutThrough: Int) { (self.vault, self.cutThrough) = (vault, cutThrough) }

  mutating func add(_ stored: StoredAuditLine) throws {
    lines += 1
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
