// SPDX-License-Identifier: Apache-2.0

import Kit

/// Lines of the audit log as a table for other programs (RFC 4180), in English.
enum AuditCSV {
  static func text(_ findings: [AuditFinding]) -> String {
    let head = ["at", "action", "actor", "chain", "sequence", "standing", "facts"]
    let lines = findings.map { finding in
      let line = finding.line
      let facts = line.facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      return [line.at.rfc3339, line.action, line.actor, line.chain, "\(line.sequence)", finding.assurance.rawValue]
        + [finding.isCut ? "cut" : facts]
    }
    return ([head] + lines).map { $0.map(FiguresCSV.field).joined(separator: ",") + "\r\n" }.joined()
  }
}
