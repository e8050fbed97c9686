// SPDX-License-Identifier: Apache-2.0

import Foundation
import Paper

extension ReceiptPage {
  /// The receipt as a document to be filed: what the page shows, in the reader's language. The signed file stays the
  /// original.
  var paper: Paper {
    let language = PageTexts.current
    func word(_ key: String) -> String { PageTexts.text(key, in: language) }
    func fact(_ key: String, _ piece: Paper.Piece) -> Paper.Block { .fact(word(key), piece) }
    var blocks: [Paper.Block] = [
      .heading(level: 1, word("receipt")), .heading(level: 2, word("case_decision")),
      fact("receipt_outcome", .text(outcome)),
      fact("receipt_by", .text([name, decidedBy].compactMap(\.self).joined(separator: " "))),
      fact("receipt_at", .number(decidedAt)), fact("receipt_number", .number(id)),
      .heading(level: 2, kind.text), fact("case_subject", .number(subject)), fact("receipt_case", .number(item)),
      fact("case_opened", .number(openedAt)), fact("case_due", .number(dueAt)),
      fact("case_risk", .text("\(risk) \(reasons)")), .heading(level: 2, word("receipt_shown")),
      .table(
        .init(
          [
            .init(word("receipt_at"), share: 25), .init(word("receipt_step"), share: 35),
            .init(word("receipt_facts"), share: 40),
          ], shown.map { [.number($0.at), .text($0.action.text), .number($0.facts)] })),
    ]
    if let agreedBy { blocks.insert(fact("approval_checker", .text(agreedBy)), at: 4) }
    if let more { blocks.append(fact("receipt_more", .number("\(more)"))) }
    if hasEvidence {
      blocks += [
        .heading(level: 2, word("receipt_evidence")),
        .table(
          .init(
            [
              .init(word("receipt_what"), share: 20), .init(word("receipt_number"), share: 35),
              .init(word("receipt_digest"), share: 45),
            ], evidence.map { [.text($0.kind.text), .number($0.id), .number($0.digest)] })),
      ]
    }
    blocks.append(.heading(level: 2, word("receipt_versions")))
    blocks += versions.map { .fact($0.name, .number($0.version)) }
    blocks += [
      .heading(level: 2, word("receipt_signature")),
      fact("receipt_verify", .number("gatehouse receipt verify FILE")), .fact("Ed25519", .number(signature)),
      fact("receipt_key", .number("\(publicKey) (\(keyVersion))")),
      fact("receipt_audit", .number("\(auditSequence): \(auditDigest)")),
    ]
    return Paper(
      title: word("receipt"), author: "Gatehouse", language: language.rawValue, createdAt: decidedAt,
      footer: "\(word("receipt")) \(id)", blocks: blocks)
  }
}
