// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import RubixWire
import Storage

/// One evaluation of the evidence of an application.
struct Verification: Sendable {
  typealias ID = Identifier<Verification>
  /// Mismatches that a customer may answer with new pictures.
  static let attemptsMax = 3

  let id: ID
  let application: Application.ID
  /// Counted from 1 over evaluations that did not end undetermined.
  let attempt: Int
  let outcome: VerificationOutcome
  let createdAt: Instant

  /// - Parameter revealsScores: agents, and customers of tenants that say so.
  func view(revealsScores: Bool) -> DocumentVerification {
    DocumentVerification(
      id: id.rawValue, status: VerificationStatus(rawValue: outcome.status.rawValue), attempt: attempt,
      attemptsLeft: max(0, Self.attemptsMax - attempt),
      rules: outcome.rules.map {
        VerificationRule(
          code: $0.code.rawValue, result: CheckResult($0.result), score: revealsScores ? $0.score : nil,
          threshold: revealsScores ? $0.threshold : nil)
      },
      reupload: outcome.retake.map { DocumentType(rawValue: $0.rawValue) })
  }
}

/// Rows of `rubix_verification`.
package struct VerificationStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-21 rubix verification",
    """
    CREATE TABLE rubix_verification (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      attempt BIGINT NOT NULL,
      outcome BLOB NOT NULL,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX rubix_verification_application ON rubix_verification (application_id, created_at, id);
    """)

  func insert(_ verification: Verification) throws {
    try tx.execute(
      """
      INSERT INTO rubix_verification (id, application_id, attempt, outcome, created_at)
      VALUES (\(verification.id), \(verification.application), \(verification.attempt),
        \(try vault.seal(
          verification.outcome, as: Self.context(verification.id), of: verification.application.keySubject, in: tx)),
        \(verification.createdAt))
      """)
  }

  /// Oldest first.
  func all(of application: Application.ID) throws -> [Verification] {
    try tx.query(
      """
      SELECT id, attempt, outcome, created_at FROM rubix_verification
      WHERE application_id = \(application) ORDER BY created_at, id LIMIT 100
      """
    ).map { row in
      let id: Verification.ID = try row.get("id")
      return Verification(
        id: id, application: application, attempt: try row.get("attempt"),
        outcome: try vault.open(row.get("outcome"), as: VerificationOutcome.self, context: Self.context(id), in: tx),
        createdAt: try row.get("created_at"))
    }
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_verification WHERE application_id = \(application)")
  }

  private static func context(_ id: Verification.ID) -> String { "rubix_verification.outcome:\(id)" }
}
