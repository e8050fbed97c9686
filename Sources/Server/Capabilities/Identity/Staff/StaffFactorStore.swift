// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `staff_authenticator`, `staff_recovery_code`, `staff_enrolment` and `staff_enrolment_code`.
struct StaffFactorStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Authenticator: Sendable {
    let sealedSecret: Data
    /// Of the last code that was taken.
    let lastStep: Int64?
    /// Since the last right one.
    let wrongCodes: Int

    var isLocked: Bool { wrongCodes >= StaffFactors.wrongCodesMax }
  }

  func authenticator(of id: StaffMember.ID) throws -> Authenticator? {
    try tx.first(
      """
      SELECT sealed_secret, last_step, wrong_codes FROM staff_authenticator
      WHERE staff_id = \(id) AND confirmed_at IS NOT NULL
      """
    ).map {
      Authenticator(
        sealedSecret: try $0.get("sealed_secret"), lastStep: try $0.get("last_step"),
        wrongCodes: try $0.get("wrong_codes"))
    }
  }

  func countWrongCode(of id: StaffMember.ID) throws {
    try tx.execute("UPDATE staff_authenticator SET wrong_codes = wrong_codes + 1 WHERE staff_id = \(id)")
  }

  func forgiveWrongCodes(of id: StaffMember.ID) throws {
    try tx.execute("UPDATE staff_authenticator SET wrong_codes = 0 WHERE staff_id = \(id) AND wrong_codes > 0")
  }

  /// Takes the place of a row without confirmation, which nodes of the release before leave.
  /// - Returns: false when the member has an authenticator.
  func confirm(_ id: StaffMember.ID, sealed: Data, step: Int64, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO staff_authenticator (staff_id, sealed_secret, created_at, confirmed_at, last_step)
      VALUES (\(id), \(sealed), \(now), \(now), \(step))
      ON CONFLICT (staff_id) DO UPDATE
      SET sealed_secret = excluded.sealed_secret, confirmed_at = excluded.confirmed_at, last_step = excluded.last_step
      WHERE staff_authenticator.confirmed_at IS NULL
      """) == 1
  }

  /// The sealed secret that was shown in a session and has not expired.
  func enrolment(of id: StaffMember.ID, in session: SessionFamily.ID, at now: Instant) throws -> Data? {
    try tx.first(
      """
      SELECT sealed_secret FROM staff_enrolment
      WHERE session_id = \(session) AND staff_id = \(id) AND expires_at > \(now)
      """)?.get("sealed_secret")
  }

  /// Takes the place of the session's former secret.
  func begin(_ id: StaffMember.ID, in session: SessionFamily.ID, sealed: Data, until end: Instant) throws {
    try tx.execute(
      """
      INSERT INTO staff_enrolment (session_id, staff_id, sealed_secret, expires_at)
      VALUES (\(session), \(id), \(sealed), \(end))
      ON CONFLICT (session_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, expires_at = excluded.expires_at
      """)
  }

  func deleteEnrolments(of id: StaffMember.ID) throws {
    try tx.execute("DELETE FROM staff_enrolment WHERE staff_id = \(id)")
  }

  /// Takes the place of the member's former code.
  func setEnrolmentCode(_ digest: String, of id: StaffMember.ID, until end: Instant) throws {
    try tx.execute(
      """
      INSERT INTO staff_enrolment_code (staff_id, digest, expires_at) VALUES (\(id), \(digest), \(end))
      ON CONFLICT (staff_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at
      """)
  }

  /// - Returns: false for a code that is unknown, was used or has expired.
  func spendEnrolmentCode(_ digest: String, of id: StaffMember.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      "DELETE FROM staff_enrolment_code WHERE staff_id = \(id) AND digest = \(digest) AND expires_at > \(now)") == 1
  }

  /// - Returns: false when this code or a later one was taken meanwhile.
  func spend(_ step: Int64, of id: StaffMember.ID) throws -> Bool {
    try tx.execute(
      """
      UPDATE staff_authenticator SET last_step = \(step), wrong_codes = 0
      WHERE staff_id = \(id) AND (last_step IS NULL OR last_step < \(step))
      """) == 1
  }

  func insertRecoveryCode(_ digest: String, of id: StaffMember.ID) throws {
    try tx.execute("INSERT INTO staff_recovery_code (digest, staff_id) VALUES (\(digest), \(id))")
  }

  /// - Returns: false for a code that is unknown or was used.
  func spendRecoveryCode(_ digest: String, of id: StaffMember.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE staff_recovery_code SET used_at = \(now)
      WHERE digest = \(digest) AND staff_id = \(id) AND used_at IS NULL
      """) == 1
  }

  func recoveryCodesLeft(of id: StaffMember.ID) throws -> Int {
    try tx.first("SELECT COUNT(*) AS n FROM staff_recovery_code WHERE staff_id = \(id) AND used_at IS NULL")?.get("n")
      ?? 0
  }

  func deleteRecoveryCodes(of id: StaffMember.ID) throws {
    try tx.execute("DELETE FROM staff_recovery_code WHERE staff_id = \(id)")
  }

  func deleteAll(of id: StaffMember.ID) throws {
    try deleteRecoveryCodes(of: id)
    try deleteEnrolments(of: id)
    try tx.execute("DELETE FROM staff_enrolment_code WHERE staff_id = \(id)")
    try tx.execute("DELETE FROM staff_authenticator WHERE staff_id = \(id)")
  }

  /// Deletes up to `limit` rows of each kind that expired.
  func sweep(before now: Instant, limit: Int) throws -> Int {
    let secrets = try tx.execute(
      """
      DELETE FROM staff_enrolment WHERE session_id IN
        (SELECT session_id FROM staff_enrolment WHERE expires_at <= \(now) LIMIT \(limit))
      """)
    let codes = try tx.execute(
      """
      DELETE FROM staff_enrolment_code WHERE staff_id IN
        (SELECT staff_id FROM staff_enrolment_code WHERE expires_at <= \(now) LIMIT \(limit))
      """)
    return secrets + codes
  }
}
