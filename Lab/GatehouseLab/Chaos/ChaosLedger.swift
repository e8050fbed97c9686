// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What the store holds after a run, counted where a promise could have been broken.
struct ChaosLedger: Sendable, Codable {
  var applications = 0
  /// Applications by phase.
  var phases: [String: Int] = [:]
  /// Effects that are owed now or later.
  var owed = 0
  /// Effects that are due and not performed.
  var overdue = 0
  /// Effects that failed and wait for their next attempt.
  var failing = 0
  /// Effects whose lease outlived its worker.
  var leased = 0
  /// Effects that wait for an operator, by topic and reason.
  var deadLetters: [String: Int] = [:]
  /// Idempotency keys that are claimed and not answered, and not free yet: a dead process's claim lapses by itself.
  var claims = 0
  /// Codes and links that customers asked for, by the audit log.
  var codesAsked = 0

  var verifications = VerificationLedger()
  /// Finaptic's applications by status.
  var openings: [String: Int] = [:]

  static func read(_ database: any SQLDatabase, now: Instant) async throws -> ChaosLedger {
    try await database.read { tx in
      var ledger = ChaosLedger()
      func count(_ statement: SQL) throws -> Int { try tx.first(statement)?.get("n", as: Int.self) ?? 0 }
      for row in try tx.query("SELECT phase, COUNT(id) AS n FROM rubix_application GROUP BY phase") {
        ledger.phases[try row.get("phase")] = try row.get("n", as: Int.self)
      }
      ledger.applications = ledger.phases.values.reduce(0, +)
      ledger.owed = try count("SELECT COUNT(id) AS n FROM outbox WHERE parked_reason IS NULL")
      ledger.overdue = try count(
        "SELECT COUNT(id) AS n FROM outbox WHERE parked_reason IS NULL AND due_at <= \(now)")
      ledger.failing = try count(
        """
        SELECT COUNT(id) AS n FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND attempts > 0 AND due_at > \(now)
        """)
      ledger.leased = try count("SELECT COUNT(id) AS n FROM outbox WHERE lease_owner IS NOT NULL")
      for row in try tx.query(
        "SELECT topic, parked_reason, COUNT(id) AS n FROM outbox WHERE parked_reason IS NOT NULL GROUP BY topic, parked_reason"
      ) {
        let topic: String = try row.get("topic")
        let reason: String = try row.get("parked_reason")
        ledger.deadLetters["\(topic): \(reason)"] = try row.get("n", as: Int.self)
      }
      ledger.claims = try count(
        "SELECT COUNT(scope) AS n FROM idempotency WHERE answer IS NULL AND expires_at > \(now)")
      ledger.verifications = try .read(tx, now: now)
      for row in try tx.query("SELECT status, COUNT(id) AS n FROM finaptic_application GROUP BY status") {
        ledger.openings[try row.get("status")] = try row.get("n", as: Int.self)
      }
      // A person who signs up is mailed a link to confirm their address.
      ledger.codesAsked =
        try count(
          """
          SELECT COUNT(chain) AS n FROM audit_line
          WHERE action LIKE 'contact.%.code_requested' OR action = 'finaptic.user.signedUp'
          """) + ledger.verifications.codesAsked
      return ledger
    }
  }

  /// Nothing is in anybody's hands, or will be again by itself.
  var isQuiet: Bool { overdue == 0 && failing == 0 && leased == 0 && claims == 0 }
}
