// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `wultra_consent`: which text a person was shown, and what they said to it.
package struct ConsentStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 wultra 5 consent",
    """
    CREATE TABLE wultra_consent (
      process_id TEXT NOT NULL REFERENCES wultra_process (id),
      type TEXT NOT NULL,
      text_version TEXT,
      text_digest TEXT,
      language TEXT,
      shown_at BIGINT,
      approved BIGINT CHECK (approved IN (0, 1)),
      decided_at BIGINT,
      PRIMARY KEY (process_id, type),
      CHECK ((approved IS NULL) = (decided_at IS NULL))
    );
    """)

  /// What was said is about the text that was shown by then, whatever is shown later.
  package static let decisionMigration = Migration(
    "2026-11-22 wultra 7 consent decision",
    """
    ALTER TABLE wultra_consent ADD COLUMN decided_version TEXT;
    ALTER TABLE wultra_consent ADD COLUMN decided_digest TEXT;
    ALTER TABLE wultra_consent ADD COLUMN decided_language TEXT;
    UPDATE wultra_consent SET decided_version = text_version, decided_digest = text_digest, decided_language = language
      WHERE decided_at IS NOT NULL AND shown_at <= decided_at;
    """)

  /// A text, as it was shown: nil members when none was.
  struct Shown {
    let version: String?
    /// SHA-256 of its words as the institution gave them, in hexadecimal.
    let digest: String?
    let language: String?
  }

  /// Keeps which text was shown last; what was said to an earlier one stays with that one.
  func show(
    _ type: String, of process: OnboardingProcess.ID, version: String, digest: String, language: String,
    at now: Instant
  ) throws {
    try tx.execute(
      """
      INSERT INTO wultra_consent (process_id, type, text_version, text_digest, language, shown_at)
      VALUES (\(process), \(type), \(version), \(digest), \(language), \(now))
      ON CONFLICT (process_id, type) DO UPDATE SET text_version = excluded.text_version,
        text_digest = excluded.text_digest, language = excluded.language, shown_at = excluded.shown_at
      """)
  }

  /// Keeps what was said, and to which text.
  /// - Returns: which text it is about.
  func decide(_ type: String, of process: OnboardingProcess.ID, approved: Bool, at now: Instant) throws -> Shown {
    let row = try tx.first(
      """
      INSERT INTO wultra_consent (process_id, type, approved, decided_at)
      VALUES (\(process), \(type), \(approved), \(now))
      ON CONFLICT (process_id, type) DO UPDATE SET approved = excluded.approved, decided_at = excluded.decided_at,
        decided_version = wultra_consent.text_version, decided_digest = wultra_consent.text_digest,
        decided_language = wultra_consent.language
      RETURNING decided_version, decided_digest, decided_language
      """)
    return Shown(
      version: try row?.get("decided_version"), digest: try row?.get("decided_digest"),
      language: try row?.get("decided_language"))
  }

  /// What a person was shown and said, of one type of consent.
  struct Record: Sendable {
    let type: String
    let shownVersion: String?
    let shownLanguage: String?
    let shownAt: Instant?
    /// Nil while nothing was said.
    let approved: Bool?
    /// Of the text that was decided on.
    let decidedVersion: String?
    let decidedLanguage: String?
    let decidedAt: Instant?
  }

  func records(of process: OnboardingProcess.ID) throws -> [Record] {
    try tx.query(
      """
      SELECT type, text_version, language, shown_at, approved, decided_version, decided_language, decided_at
      FROM wultra_consent WHERE process_id = \(process) ORDER BY type
      """
    ).map {
      Record(
        type: try $0.get("type"), shownVersion: try $0.get("text_version"), shownLanguage: try $0.get("language"),
        shownAt: try $0.get("shown_at"), approved: try $0.get("approved"),
        decidedVersion: try $0.get("decided_version"), decidedLanguage: try $0.get("decided_language"),
        decidedAt: try $0.get("decided_at"))
    }
  }

  func isApproved(_ type: String, of process: OnboardingProcess.ID) throws -> Bool {
    try tx.first(
      "SELECT type FROM wultra_consent WHERE process_id = \(process) AND type = \(type) AND approved = 1") != nil
  }
}
