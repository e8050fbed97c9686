// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What the store holds of Wultra's onboardings after a run.
struct VerificationLedger: Sendable, Codable {
  /// Processes by status.
  var processes: [String: Int] = [:]
  /// Verifications by phase and status.
  var states: [String: Int] = [:]
  /// Processes that go on and are no phone's: the answer that made it theirs was lost.
  var adrift = 0
  /// Processes that are not ended although their time is over.
  var stuck = 0
  /// Finished processes that lack something that had to be there.
  var incomplete = 0
  /// Codes that were promised at most, by the audit log.
  var codesAsked = 0

  /// How long after its deadline a process may still be open: the sweep comes twice a minute.
  static let grace = Duration.minutes(3)

  static func read(_ tx: any SQLTransaction, now: Instant) throws -> VerificationLedger {
    var ledger = VerificationLedger()
    func count(_ statement: SQL) throws -> Int { try tx.first(statement)?.get("n", as: Int.self) ?? 0 }
    for row in try tx.query("SELECT status, COUNT(id) AS n FROM wultra_process GROUP BY status") {
      ledger.processes[try row.get("status")] = try row.get("n", as: Int.self)
    }
    for row in try tx.query("SELECT state, COUNT(id) AS n FROM wultra_verification GROUP BY state") {
      ledger.states[try row.get("state")] = try row.get("n", as: Int.self)
    }
    let late = now - grace
    ledger.adrift = try count(
      "SELECT COUNT(id) AS n FROM wultra_process WHERE status IN ('activating', 'verifying') AND deadline_at > \(late)")
    ledger.stuck = try count(
      "SELECT COUNT(id) AS n FROM wultra_process WHERE status IN ('activating', 'verifying') AND deadline_at <= \(late)"
    )
    ledger.incomplete = try count(
      """
      SELECT COUNT(p.id) AS n FROM wultra_process p WHERE p.status = 'finished' AND NOT EXISTS (
        SELECT v.id FROM wultra_verification v JOIN wultra_consent c ON c.process_id = v.process_id
        WHERE v.process_id = p.id AND v.state = 'COMPLETED/ACCEPTED' AND v.presence = 'accepted'
          AND v.otp_verified = 1 AND c.approved = 1 AND c.decided_digest IS NOT NULL)
      """)
    ledger.codesAsked = try count(
      """
      SELECT COUNT(chain) AS n FROM audit_line WHERE action IN ('wultra.process.started', 'wultra.process.resumed',
        'wultra.process.codeResent', 'wultra.verification.otpRequired', 'wultra.verification.otpResent')
      """)
    return ledger
  }

  /// Broken promises.
  var faults: [String] {
    (stuck > 0 ? ["\(stuck) onboardings are open after their time"] : [])
      + (incomplete > 0 ? ["\(incomplete) onboardings are finished without all that they need"] : [])
  }

  /// What the store has of one activation's owner.
  struct Record: Sendable {
    let status: String
    let hasConsented: Bool
    /// Accepted sides of documents, and how many of them have a picture.
    let documents: Int
    let pictures: Int
    let captures: Int
    let isVerified: Bool

    static func read(_ tx: any SQLTransaction, activation: String) throws -> Record? {
      guard let process = try tx.first("SELECT id, status FROM wultra_process WHERE activation_id = \(activation)")
      else { return nil }
      let id: String = try process.get("id")
      func count(_ statement: SQL) throws -> Int { try tx.first(statement)?.get("n", as: Int.self) ?? 0 }
      return Record(
        status: try process.get("status"),
        hasConsented: try count(
          "SELECT COUNT(type) AS n FROM wultra_consent WHERE process_id = \(id) AND approved = 1") == 1,
        documents: try count(
          """
          SELECT COUNT(d.id) AS n FROM wultra_document d JOIN wultra_verification v ON v.id = d.verification_id
          WHERE v.process_id = \(id) AND d.status = 'ACCEPTED'
          """),
        pictures: try count(
          """
          SELECT COUNT(d.id) AS n FROM wultra_document d JOIN wultra_verification v ON v.id = d.verification_id
          WHERE v.process_id = \(id) AND d.status = 'ACCEPTED' AND d.has_image = 1
          """),
        captures: try count(
          """
          SELECT COUNT(c.id) AS n FROM wultra_capture c JOIN wultra_verification v ON v.id = c.verification_id
          WHERE v.process_id = \(id)
          """),
        isVerified: try count(
          "SELECT COUNT(id) AS n FROM wultra_verification WHERE process_id = \(id) AND state = 'COMPLETED/ACCEPTED'")
          == 1)
    }
  }
}
