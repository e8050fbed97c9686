// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import Identity
import Kit

/// The receipt of a decision on paper: the content of the signed document, its signature and how it is verified. What
/// counts is the file; the page shows what stands in it.
struct ReceiptPage: ConsolePage {
  static var template: [UInt8] { PackageResources.ReceiptPage_mustache }
  /// Lines of what was shown; the file has all of them.
  private static let looksMax = 200

  struct AuditedStep {
    let at: String
    let action: Phrase
    let facts: String
  }

  struct Evidence {
    let kind: Phrase
    let id: String
    let digest: String
  }

  struct Version {
    let name: String
    let version: String
  }

  let back: String
  let file: String
  let id: String
  let kind: Phrase
  let subject: String
  let item: String
  let outcome: String
  let decidedAt: String
  let decidedBy: String
  let name: String?
  /// Who agreed, where two persons decided.
  let agreedBy: String?
  let openedAt: String
  let dueAt: String
  let risk: Int
  let reasons: String
  let shown: [AuditedStep]
  let more: Int?
  let hasEvidence: Bool
  let evidence: [Evidence]
  let versions: [Version]
  let auditDigest: String
  let auditSequence: Int
  let signature: String
  let publicKey: String
  let keyVersion: String
  let foot: StaffFooter

  /// - Throws: `Problem` unprocessable for what is no receipt.
  init(_ kept: CaseReceipt, at path: String, names: [StaffMember], for visit: StaffVisit) throws {
    let document = try SignedDocument(document: kept.document)
    let receipt = try DecisionReceipt(document)
    (back, file, id) = (path, "\(path)/receipts/\(kept.id)", receipt.id)
    kind = Phrase("case_kind_" + receipt.item.kind.replacing("-", with: "_"), otherwise: receipt.item.kind)
    (subject, item, outcome) = (receipt.item.subject, receipt.item.id, receipt.outcome)
    (decidedAt, decidedBy) = (receipt.decidedAt, receipt.decidedBy)
    name = names.first { $0.actor == receipt.decidedBy }?.name
    agreedBy = receipt.agreedBy.map { actor in
      [names.first { $0.actor == actor }?.name, actor].compactMap(\.self).joined(separator: " ")
    }
    (openedAt, dueAt, risk) = (receipt.item.openedAt, receipt.item.dueAt, receipt.item.risk)
    reasons = receipt.item.reasons.joined(separator: ", ")
    shown = receipt.shown.prefix(Self.looksMax).map { look in
      AuditedStep(
        at: look.at,
        action: Phrase("step_" + look.action.replacing(".", with: "_"), otherwise: look.action),
        facts: look.facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
    }
    more = receipt.shown.count > Self.looksMax ? receipt.shown.count - Self.looksMax : nil
    evidence = receipt.evidence.map {
      Evidence(kind: Phrase("picture_\($0.kind.lowercased())", otherwise: $0.kind), id: $0.id, digest: $0.digest ?? "–")
    }
    hasEvidence = !evidence.isEmpty
    versions = receipt.versions.sorted { $0.key < $1.key }.map { Version(name: $0.key, version: $0.value) }
    (auditDigest, auditSequence) = (receipt.auditDigest, receipt.auditSequence)
    (signature, publicKey) = (document.signature.base64EncodedString(), document.publicKey.base64EncodedString())
    (keyVersion, foot) = (document.keyVersion, StaffFooter(visit))
  }
}
