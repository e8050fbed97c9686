// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `staff_key`, `staff_challenge` and `staff_spent_challenge`.
struct StaffKeyStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-24 staff security keys",
    """
    CREATE TABLE staff_key (
      credential TEXT PRIMARY KEY,
      staff_id TEXT NOT NULL REFERENCES staff (id),
      public_key BLOB NOT NULL,
      sign_count BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      used_at BIGINT
    );
    CREATE INDEX staff_key_staff ON staff_key (staff_id);

    CREATE TABLE staff_challenge (
      session_id TEXT NOT NULL,
      ceremony TEXT NOT NULL CHECK (ceremony IN ('registration', 'assertion')),
      challenge BLOB NOT NULL,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (session_id, ceremony)
    );
    CREATE INDEX staff_challenge_expiry ON staff_challenge (expires_at);
    """)

  /// Challenges of sign-ins by a passkey alone that were answered, each while its answer could come again. Those that
  /// are open are with their browsers, so that a page that is only looked at writes nothing.
  static let passkeyMigration = Migration(
    "2026-12-09 staff passkey",
    """
    CREATE TABLE staff_spent_challenge (
      digest TEXT PRIMARY KEY,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX staff_spent_challenge_expiry ON staff_spent_challenge (expires_at);
    """)

  /// Which keys checked their person when they were added; of those that were added before it is not known.
  static let verifiedMigration = Migration(
    "2026-12-09 staff key verified",
    "ALTER TABLE staff_key ADD COLUMN is_verified BIGINT NOT NULL DEFAULT 0 CHECK (is_verified IN (0, 1));")

  private static let columns: SQLColumns = "credential, public_key, sign_count, is_verified"

  func insert(_ credential: WebAuthn.Credential, of id: StaffMember.ID, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO staff_key (credential, staff_id, public_key, sign_count, is_verified, created_at)
      VALUES (\(credential.id.base64URL), \(id), \(credential.publicKey), \(Int64(credential.signCount)),
        \(credential.isVerified), \(now))
      """)
  }

  func all(of id: StaffMember.ID) throws -> [StaffFactors.Key] {
    try tx.query(
      """
      SELECT \(Self.columns), created_at FROM staff_key
      WHERE staff_id = \(id) ORDER BY created_at, credential
      """
    ).map { StaffFactors.Key(credential: try credential($0), createdAt: try $0.get("created_at")) }
  }

  /// A key by the id that its authenticator made up, and whose it is.
  func find(_ id: Data) throws -> (member: StaffMember.ID, credential: WebAuthn.Credential)? {
    try tx.first(
      "SELECT \(Self.columns), staff_id FROM staff_key WHERE credential = \(id.base64URL)"
    ).map { (try $0.get("staff_id"), try credential($0)) }
  }

  private func credential(_ row: SQLRow) throws -> WebAuthn.Credential {
    WebAuthn.Credential(
      id: Data(base64URL: try row.get("credential")) ?? Data(), publicKey: try row.get("public_key"),
      signCount: UInt32(clamping: try row.get("sign_count", as: Int64.self)), isVerified: try row.get("is_verified"))
  }

  /// - Returns: false when the counter moved meanwhile.
  func advance(_ credential: WebAuthn.Credential, to count: UInt32, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE staff_key SET sign_count = \(Int64(count)), used_at = \(now)
      WHERE credential = \(credential.id.base64URL) AND sign_count = \(Int64(credential.signCount))
      """) == 1
  }

  func set(
    _ challenge: Data, for ceremony: StaffFactors.Ceremony, in session: SessionFamily.ID, until end: Instant
  ) throws {
    try tx.execute(
      """
      INSERT INTO staff_challenge (session_id, ceremony, challenge, expires_at)
      VALUES (\(session), \(ceremony), \(challenge), \(end))
      ON CONFLICT (session_id, ceremony) DO UPDATE
      SET challenge = excluded.challenge, expires_at = excluded.expires_at
      """)
  }

  func takeChallenge(
    _ ceremony: StaffFactors.Ceremony, in session: SessionFamily.ID, at now: Instant
  ) throws -> Data? {
    let row = try tx.first(
      """
      DELETE FROM staff_challenge WHERE session_id = \(session) AND ceremony = \(ceremony)
      RETURNING challenge, expires_at
      """)
    guard let row, try row.get("expires_at", as: Instant.self) > now else { return nil }
    return try row.get("challenge")
  }

  /// - Returns: false for a challenge that was answered before.
  func spend(_ digest: String, until end: Instant) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO staff_spent_challenge (digest, expires_at) VALUES (\(digest), \(end))
      ON CONFLICT (digest) DO NOTHING
      """) == 1
  }

  /// - Returns: false when the member has no such key.
  func delete(_ credential: Data, of id: StaffMember.ID) throws -> Bool {
    try tx.execute("DELETE FROM staff_key WHERE credential = \(credential.base64URL) AND staff_id = \(id)") == 1
  }

  func deleteAll(of id: StaffMember.ID) throws { try tx.execute("DELETE FROM staff_key WHERE staff_id = \(id)") }

  /// Deletes up to `limit` challenges of each kind that no answer can come to any more.
  func sweep(before now: Instant, limit: Int) throws -> Int {
    let open = try tx.execute(
      """
      DELETE FROM staff_challenge WHERE (session_id, ceremony) IN
        (SELECT session_id, ceremony FROM staff_challenge WHERE expires_at <= \(now) LIMIT \(limit))
      """)
    return try open
      + tx.execute(
        """
        DELETE FROM staff_spent_challenge WHERE digest IN
          (SELECT digest FROM staff_spent_challenge WHERE expires_at <= \(now) LIMIT \(limit))
        """)
  }
}
