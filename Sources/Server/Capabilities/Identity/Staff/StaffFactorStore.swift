import Foundation
import Kit
import Storage

/// Rows of `staff_authenticator` and `staff_recovery_code`.
struct StaffFactorStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Authenticator: Sendable {
    let sealedSecret: Data
    let isConfirmed: Bool
    /// Of the last code that was taken.
    let lastStep: Int64?
  }

  func authenticator(of id: StaffMember.ID) throws -> Authenticator? {
    try tx.first(
      "SELECT sealed_secret, confirmed_at, last_step FROM staff_authenticator WHERE staff_id = \(id)"
    ).map {
      Authenticator(
        sealedSecret: try $0.get("sealed_secret"),
        isConfirmed: try $0.get("confirmed_at", as: Instant?.self) != nil, lastStep: try $0.get("last_step"))
    }
  }

  /// Does nothing when there is one already.
  func begin(_ id: StaffMember.ID, sealed: Data, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO staff_authenticator (staff_id, sealed_secret, created_at) VALUES (\(id), \(sealed), \(now))
      ON CONFLICT (staff_id) DO NOTHING
      """)
  }

  /// - Returns: false when it was confirmed meanwhile.
  func confirm(_ id: StaffMember.ID, step: Int64, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE staff_authenticator SET confirmed_at = \(now), last_step = \(step)
      WHERE staff_id = \(id) AND confirmed_at IS NULL
      """) == 1
  }

  /// - Returns: false when this code or a later one was taken meanwhile.
  func spend(_ step: Int64, of id: StaffMember.ID) throws -> Bool {
    try tx.execute(
      """
      UPDATE staff_authenticator SET last_step = \(step)
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
    try tx.execute("DELETE FROM staff_authenticator WHERE staff_id = \(id)")
  }
}
