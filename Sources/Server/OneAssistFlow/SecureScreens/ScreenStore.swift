// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import Storage

/// Rows of `oneassist_screen` and `oneassist_screen_seen`: sessions of the secure screen, and the codes that were taken.
package struct ScreenStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  struct Screen: Sendable {
    typealias ID = Identifier<Screen>
    let id: ID
    let issuedAt: Instant
    let secrets: Secrets

    struct Secrets: Codable, Sendable {
      let key: Data
      let imei: String
    }

    func code(step: Duration) -> RollingCode? {
      IMEI(secrets.imei).flatMap {
        RollingCode(
          key: secrets.key, sessionID: id.rawValue, imei: $0, issuedAt: issuedAt.milliseconds,
          stepMilliseconds: step.milliseconds)
      }
    }
  }

  package static let migration = Migration(
    "2026-11-22 oneassist 6 screen",
    """
    CREATE TABLE oneassist_screen (
      id TEXT PRIMARY KEY,
      membership_id TEXT NOT NULL REFERENCES oneassist_membership (id),
      sealed BLOB NOT NULL,
      issued_at BIGINT NOT NULL
    );
    CREATE INDEX oneassist_screen_membership ON oneassist_screen (membership_id, issued_at);
    CREATE TABLE oneassist_screen_seen (
      screen_id TEXT NOT NULL REFERENCES oneassist_screen (id),
      counter BIGINT NOT NULL,
      PRIMARY KEY (screen_id, counter)
    );
    """)

  /// How many sessions are searched for a code: those that may have shown it in time, and earlier ones, whose code
  /// comes too late.
  private static let (nearMax, lateMax) = (64, 10)

  func insert(_ screen: Screen, of membership: Membership.ID) throws {
    let sealed = try vault.seal(
      screen.secrets, as: Self.context(screen.id), of: KeySubject(membership.rawValue), in: tx)
    try tx.execute(
      """
      INSERT INTO oneassist_screen (id, membership_id, sealed, issued_at)
      VALUES (\(screen.id), \(membership), \(sealed), \(screen.issuedAt))
      """)
  }

  /// Sessions that were issued up to `time`, the newest first: those since `since`, then a few earlier ones.
  func around(_ time: Instant, since: Instant, of membership: Membership.ID) throws -> [Screen] {
    let near = try tx.query(
      """
      SELECT id, sealed, issued_at FROM oneassist_screen
      WHERE membership_id = \(membership) AND issued_at >= \(since) AND issued_at <= \(time)
      ORDER BY issued_at DESC, id LIMIT \(Self.nearMax)
      """)
    let late = try tx.query(
      """
      SELECT id, sealed, issued_at FROM oneassist_screen WHERE membership_id = \(membership) AND issued_at < \(since)
      ORDER BY issued_at DESC, id LIMIT \(Self.lateMax)
      """)
    return try (near + late).map(screen)
  }

  /// When sessions were opened, the newest first.
  func times(of membership: Membership.ID, limit: Int) throws -> [Instant] {
    try tx.query(
      """
      SELECT issued_at FROM oneassist_screen WHERE membership_id = \(membership)
      ORDER BY issued_at DESC LIMIT \(limit)
      """
    ).map { try $0.get("issued_at") }
  }

  /// Takes a code, once.
  /// - Returns: false when it was taken before.
  func take(_ counter: UInt64, of screen: Screen.ID) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO oneassist_screen_seen (screen_id, counter) VALUES (\(screen), \(Int64(clamping: counter)))
      ON CONFLICT (screen_id, counter) DO NOTHING
      """) == 1
  }

  func deleteAll(of membership: Membership.ID) throws {
    try tx.execute(
      """
      DELETE FROM oneassist_screen_seen
      WHERE screen_id IN (SELECT id FROM oneassist_screen WHERE membership_id = \(membership))
      """)
    try tx.execute("DELETE FROM oneassist_screen WHERE membership_id = \(membership)")
  }

  private func screen(_ row: SQLRow) throws -> Screen {
    let id: Screen.ID = try row.get("id")
    return Screen(
      id: id, issuedAt: try row.get("issued_at"),
      secrets: try vault.open(row.get("sealed"), as: Screen.Secrets.self, context: Self.context(id), in: tx))
  }

  private static func context(_ id: Screen.ID) -> String { "oneassist_screen.sealed:\(id)" }
}
