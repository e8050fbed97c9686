// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `wultra_verification`.
package struct IdentityVerificationStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  private static let columns: SQLColumns = """
    id, process_id, state, failure, passcode_id, otp_failures, otp_verified, presence, presence_checks,
    session_digest, session_ends_at, evaluations, created_at, version
    """

  package static let migration = Migration(
    "2026-11-22 wultra 2 verification",
    """
    CREATE TABLE wultra_verification (
      id TEXT PRIMARY KEY,
      process_id TEXT NOT NULL REFERENCES wultra_process (id),
      state TEXT NOT NULL,
      is_open BIGINT NOT NULL CHECK (is_open IN (0, 1)),
      failure TEXT,
      passcode_id TEXT,
      otp_failures BIGINT NOT NULL CHECK (otp_failures >= 0),
      otp_verified BIGINT NOT NULL CHECK (otp_verified IN (0, 1)),
      presence TEXT,
      presence_checks BIGINT NOT NULL CHECK (presence_checks >= 0),
      session_digest TEXT,
      session_ends_at BIGINT,
      evaluations BIGINT NOT NULL CHECK (evaluations >= 0),
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      CHECK ((session_digest IS NULL) = (session_ends_at IS NULL))
    );
    CREATE UNIQUE INDEX wultra_verification_open ON wultra_verification (process_id) WHERE is_open = 1;
    CREATE INDEX wultra_verification_process ON wultra_verification (process_id, created_at, id);
    CREATE UNIQUE INDEX wultra_verification_session ON wultra_verification (session_digest)
      WHERE session_digest IS NOT NULL;
    """)

  func insert(_ verification: IdentityVerification) throws {
    try tx.execute(
      """
      INSERT INTO wultra_verification (
        id, process_id, state, is_open, otp_failures, otp_verified, presence_checks, evaluations, created_at,
        updated_at, version)
      VALUES (
        \(verification.id), \(verification.process), \(verification.state), 1, 0, 0, 0, 0, \(verification.createdAt),
        \(verification.createdAt), \(verification.version))
      """)
  }

  /// Compare-and-set on the version that the decision was made on.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  func update(_ verification: IdentityVerification, at now: Instant) throws -> IdentityVerification {
    var updated = verification
    updated.version += 1
    let changed = try tx.execute(
      """
      UPDATE wultra_verification SET
        state = \(verification.state), is_open = \(!verification.state.isClosed), failure = \(verification.failure),
        passcode_id = \(verification.passcode), otp_failures = \(verification.otpFailures),
        otp_verified = \(verification.isOTPVerified), presence = \(verification.presence),
        presence_checks = \(verification.presenceChecks), session_digest = \(verification.sessionDigest),
        session_ends_at = \(verification.sessionEndsAt), evaluations = \(verification.evaluations),
        updated_at = \(now), version = \(updated.version)
      WHERE id = \(verification.id) AND version = \(verification.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    return updated
  }

  /// Whose key seals what is kept of a verification: the process's. Nil when there is no such verification.
  func keySubject(of id: IdentityVerification.ID) throws -> KeySubject? {
    try tx.first("SELECT process_id FROM wultra_verification WHERE id = \(id)").map {
      KeySubject(try $0.get("process_id"))
    }
  }

  func find(_ id: IdentityVerification.ID) throws -> IdentityVerification? {
    try tx.first("SELECT \(Self.columns) FROM wultra_verification WHERE id = \(id)").map(Self.verification)
  }

  /// The newest one of a process.
  func current(of process: OnboardingProcess.ID) throws -> IdentityVerification? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM wultra_verification
      WHERE process_id = \(process) ORDER BY is_open DESC, created_at DESC, id DESC LIMIT 1
      """
    ).map(Self.verification)
  }

  /// All of a process.
  func ids(of process: OnboardingProcess.ID) throws -> [IdentityVerification.ID] {
    try tx.query("SELECT id FROM wultra_verification WHERE process_id = \(process) ORDER BY created_at, id LIMIT 1000")
      .map { try $0.get("id") }
  }

  /// The one whose presence session has this token.
  func find(sessionDigest: String) throws -> IdentityVerification? {
    try tx.first(
      "SELECT \(Self.columns) FROM wultra_verification WHERE session_digest = \(sessionDigest)"
    ).map(Self.verification)
  }

  func count(of process: OnboardingProcess.ID) throws -> Int {
    try tx.first("SELECT COUNT(id) AS n FROM wultra_verification WHERE process_id = \(process)")?.get("n") ?? 0
  }

  private static func verification(_ row: SQLRow) throws -> IdentityVerification {
    IdentityVerification(
      id: try row.get("id"), process: try row.get("process_id"), state: try row.get("state"),
      failure: try row.get("failure"), passcode: try row.get("passcode_id"), otpFailures: try row.get("otp_failures"),
      isOTPVerified: try row.get("otp_verified"), presence: try row.get("presence"),
      presenceChecks: try row.get("presence_checks"), sessionDigest: try row.get("session_digest"),
      sessionEndsAt: try row.get("session_ends_at"), evaluations: try row.get("evaluations"),
      createdAt: try row.get("created_at"), version: try row.get("version"))
  }
}
