// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `staff_link`, `staff_setting` and `staff_first_run`.
struct StaffDeskStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-26 staff desk",
    """
    CREATE TABLE staff_link (
      id TEXT PRIMARY KEY,
      staff_id TEXT NOT NULL UNIQUE REFERENCES staff (id),
      kind TEXT NOT NULL CHECK (kind IN ('invitation', 'reset')),
      digest TEXT NOT NULL UNIQUE,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX staff_link_expiry ON staff_link (expires_at);

    CREATE TABLE staff_setting (
      staff_id TEXT PRIMARY KEY REFERENCES staff (id),
      language TEXT
    );

    CREATE TABLE staff_first_run (
      tenant TEXT PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      expires_at BIGINT NOT NULL
    );
    """)

  /// Takes the place of the member's former link.
  func set(_ link: StaffLink, digest: String) throws {
    try deleteLink(of: link.staff)
    try tx.execute(
      """
      INSERT INTO staff_link (id, staff_id, kind, digest, expires_at)
      VALUES (\(link.id), \(link.staff), \(link.kind), \(digest), \(link.expiresAt))
      """)
  }

  func link(_ id: StaffLink.ID) throws -> (link: StaffLink, digest: String)? {
    try tx.first("SELECT id, staff_id, kind, digest, expires_at FROM staff_link WHERE id = \(id)").map {
      (try link($0), try $0.get("digest"))
    }
  }

  func link(digest: String) throws -> StaffLink? {
    try tx.first("SELECT id, staff_id, kind, expires_at FROM staff_link WHERE digest = \(digest)").map(link)
  }

  /// - Returns: false when it was spent meanwhile.
  func spend(_ id: StaffLink.ID) throws -> Bool {
    try tx.execute("DELETE FROM staff_link WHERE id = \(id)") == 1
  }

  func deleteLink(of id: StaffMember.ID) throws {
    try tx.execute("DELETE FROM staff_link WHERE staff_id = \(id)")
  }

  /// Deletes up to `limit` links that are over.
  func sweep(before now: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM staff_link WHERE id IN (SELECT id FROM staff_link WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }

  /// Takes the place of the tenant's former one.
  func setFirstRun(_ digest: String, of tenant: String, until end: Instant) throws {
    try tx.execute(
      """
      INSERT INTO staff_first_run (tenant, digest, expires_at) VALUES (\(tenant), \(digest), \(end))
      ON CONFLICT (tenant) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at
      """)
  }

  /// - Returns: the tenant; nil for a link that is unknown, was used or is over.
  func spendFirstRun(_ digest: String, at now: Instant) throws -> String? {
    try tx.first(
      "DELETE FROM staff_first_run WHERE digest = \(digest) AND expires_at > \(now) RETURNING tenant")?.get("tenant")
  }

  /// Who has an authenticator app.
  func enrolled(tenant: String) throws -> Set<StaffMember.ID> {
    Set(
      try tx.query(
        """
        SELECT a.staff_id FROM staff_authenticator a JOIN staff s ON s.id = a.staff_id
        WHERE s.tenant = \(tenant) AND a.confirmed_at IS NOT NULL
        """
      ).map { try $0.get("staff_id") })
  }

  func language(of id: StaffMember.ID) throws -> String? {
    try tx.first("SELECT language FROM staff_setting WHERE staff_id = \(id)")?.get("language", as: String?.self)
  }

  func setLanguage(_ language: String?, of id: StaffMember.ID) throws {
    try tx.execute(
      """
      INSERT INTO staff_setting (staff_id, language) VALUES (\(id), \(language))
      ON CONFLICT (staff_id) DO UPDATE SET language = excluded.language
      """)
  }

  private func link(_ row: SQLRow) throws -> StaffLink {
    StaffLink(
      id: try row.get("id"), staff: try row.get("staff_id"), kind: try row.get("kind"),
      expiresAt: try row.get("expires_at"))
  }
}
