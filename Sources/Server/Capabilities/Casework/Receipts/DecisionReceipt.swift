// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What was decided in a case, by whom, and on what: signed by the installation, so that its holder can show that
/// it was not changed since. It names people by ids and evidence by digests.
package struct DecisionReceipt: Codable, Sendable, Equatable {
  package static let format = "gatehouse-decision-receipt/1"

  /// The case as it was decided.
  package struct Subject: Codable, Sendable, Equatable {
    package let id: String
    package let kind: String
    package let tenant: String
    /// What waited, by the id that its system knows.
    package let subject: String
    package let openedAt: String
    package let dueAt: String
    package let risk: Int
    package let reasons: [String]
    /// How often it was moved until then.
    package let version: Int64

    enum CodingKeys: String, CodingKey {
      case id, kind, tenant, subject, risk, reasons, version
      case openedAt = "opened_at"
      case dueAt = "due_at"
    }
  }

  /// A look or a step of who decided, as the audit has it.
  package struct AuditedStep: Codable, Sendable, Equatable {
    package let at: String
    package let action: String
    package let facts: [String: String]
  }

  package let format: String
  package let id: String
  /// RFC 3339, as all times.
  package let decidedAt: String
  /// As the audit names them.
  package let decidedBy: String
  /// Who agreed as the second person; left out where one person decided.
  package let agreedBy: String?
  /// The code of the decision.
  package let outcome: String
  package let item: Subject
  /// What the deciding person looked at and did since the case was opened, in the order of the audit: of each chain the
  /// last 500 lines.
  package let shown: [AuditedStep]
  package let evidence: [DecisionBasis.Evidence]
  /// Of lists, rules, templates and programs, by their names.
  package let versions: [String: String]
  /// Digest of the last line of the case's chain in the audit log, and its number.
  package let auditDigest: String
  package let auditSequence: Int

  enum CodingKeys: String, CodingKey {
    case format, id, outcome, shown, evidence, versions
    case decidedAt = "decided_at"
    case decidedBy = "decided_by"
    case agreedBy = "agreed_by"
    case item = "case"
    case auditDigest = "audit_digest"
    case auditSequence = "audit_sequence"
  }
}

extension DecisionReceipt {
  /// Reads the text of a signed document.
  /// - Throws: `Problem` unprocessable `no-receipt`.
  package init(_ document: SignedDocument) throws {
    guard let receipt = try? JSONDecoder().decode(Self.self, from: Data(document.signed.utf8)),
      receipt.format == Self.format
    else { throw Problem(.unprocessable, "no-receipt", "This is not the receipt of a decision.") }
    self = receipt
  }
}

extension DecisionReceipt.Subject {
  init(_ item: Case) {
    (id, kind, tenant, subject) = (item.id.rawValue, item.kind.rawValue, item.tenant, item.subject)
    (openedAt, dueAt) = (item.openedAt.rfc3339, item.dueAt.rfc3339)
    (risk, reasons, version) = (item.risk, item.reasons, item.version)
  }
}

extension CaseService {
  private static var looksMax: Int { 500 }

  /// Keeps the receipt of a decision, in the transaction that decides.
  func keepReceipt(
    of item: Case, outcome: String, basis: DecisionBasis, chain: String, by actor: String, in tx: any SQLTransaction
  ) throws {
    let (now, store) = (world.now(), AuditStore(tx))
    let shown = try Set([item.chain, chain]).sorted().flatMap {
      try store.latest(Self.looksMax, of: $0, by: actor, since: item.openedAt)
    }.sorted { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    guard let last = try store.tip(of: item.chain) else { throw SQLError.unreadable("a case without an audit line") }
    let id = CaseReceipt.ID(world)
    let receipt = DecisionReceipt(
      format: DecisionReceipt.format, id: id.rawValue, decidedAt: now.rfc3339, decidedBy: actor,
      agreedBy: basis.checker, outcome: outcome, item: .init(item),
      shown: shown.map { .init(at: $0.at.rfc3339, action: $0.action, facts: $0.facts) }, evidence: basis.evidence,
      versions: basis.versions.merging(["gatehouse": program]) { given, _ in given }, auditDigest: last.digest,
      auditSequence: last.sequence)
    let document = try SignedDocument(receipt, for: .decisionReceipt, by: vault)
    let kept = CaseReceipt(
      id: id, decidedAt: now, outcome: outcome, decidedBy: actor, document: try document.document)
    try ReceiptStore(tx).insert(kept, of: item)
  }
}
