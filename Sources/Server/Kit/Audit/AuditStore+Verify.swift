import Storage

extension AuditStore {
  private static let pageMax = 500

  /// Walks every chain and checks order, links and digests against the recorded head.
  package func verify() throws -> AuditReport {
    var report = AuditReport()
    var after = ""
    while let head = try tx.first(
      "SELECT chain, sequence, digest FROM audit_head WHERE chain > \(after) ORDER BY chain LIMIT 1")
    {
      let chain: String = try head.get("chain")
      after = chain
      report.chains += 1
      if let fault = try fault(in: chain, sequence: head.get("sequence"), digest: head.get("digest"), &report) {
        report.faults.append("\(chain): \(fault)")
      }
    }
    // A head that was removed leaves its lines behind.
    for row in try tx.query(
      "SELECT DISTINCT chain FROM audit_line WHERE chain NOT IN (SELECT chain FROM audit_head) LIMIT 100")
    {
      report.faults.append("\(try row.get("chain", as: String.self)): lines without a head")
    }
    return report
  }

  private func fault(in chain: String, sequence: Int, digest: String, _ report: inout AuditReport) throws -> String? {
    var expected = 1
    var previous = AuditLine.genesis
    let cutThrough = try cutThrough(chain)
    while true {
      let page = try storedLines(of: chain, after: expected - 1, limit: Self.pageMax)
      for stored in page {
        report.lines += 1
        guard stored.line.sequence == expected else { return "line \(expected) is missing" }
        guard stored.line.previous == previous else { return "line \(expected) does not follow the one before it" }
        guard stored.isUnchanged else { return "line \(expected) was changed" }
        // Only an erasure, itself a line, explains that facts are gone: cutting is no way to hide a deed.
        guard !stored.isCut || expected <= cutThrough else { return "line \(expected) was cut without an erasure" }
        if stored.isCut { report.cut += 1 }
        previous = stored.digest
        expected += 1
      }
      if page.count < Self.pageMax { break }
    }
    return expected - 1 == sequence && previous == digest ? nil : "ends at line \(expected - 1), head says \(sequence)"
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
