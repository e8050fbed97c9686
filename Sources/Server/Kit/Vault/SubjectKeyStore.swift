// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// The key of a person as it is stored: wrapped under the key of its tenant in an epoch, and sealed by the vault.
struct SubjectKeyRow: Sendable {
  let id: String
  /// Keyed digest of the person's id.
  let subject: String
  let tenant: String
  var epoch: Int
  var wrapped: Data
  let madeAt: Instant
}

/// Rows of `subject_key` and `subject_key_epoch`.
package struct SubjectKeyStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// Without a row of `subject_key_epoch` there are no subject keys yet.
  package static let migration = Migration(
    "2026-11-24 subject key",
    """
    CREATE TABLE subject_key_epoch (
      number BIGINT PRIMARY KEY,
      began_at BIGINT NOT NULL,
      fingerprint TEXT NOT NULL
    );
    CREATE TABLE subject_key (
      id TEXT PRIMARY KEY,
      subject TEXT NOT NULL UNIQUE,
      tenant TEXT NOT NULL,
      epoch BIGINT NOT NULL,
      wrapped BLOB NOT NULL,
      made_at BIGINT NOT NULL
    );
    CREATE INDEX subject_key_by_epoch ON subject_key (epoch, id);
    CREATE TABLE subject_reseal (walk TEXT PRIMARY KEY, position TEXT NOT NULL);
    """)

  private static let columns: SQLColumns = "id, subject, tenant, epoch, wrapped, made_at"

  // MARK: Epochs

  struct Epoch: Sendable {
    let number: Int
    let beganAt: Instant
    let fingerprint: String
  }

  /// The epoch in which keys are wrapped now; nil before the first.
  func currentEpoch() throws -> Epoch? {
    try tx.first("SELECT number, began_at, fingerprint FROM subject_key_epoch ORDER BY number DESC LIMIT 1").map(epoch)
  }

  func firstEpoch() throws -> Epoch? {
    try tx.first("SELECT number, began_at, fingerprint FROM subject_key_epoch ORDER BY number LIMIT 1").map(epoch)
  }

  func epochs() throws -> [Epoch] {
    try tx.query("SELECT number, began_at, fingerprint FROM subject_key_epoch ORDER BY number").map(epoch)
  }

  /// Whether keys of persons seal.
  package func haveBegun() throws -> Bool { try currentEpoch() != nil }

  /// The last epoch that had begun by then; nil before the first.
  func lastEpoch(begunBy instant: Instant) throws -> Epoch? {
    try tx.first(
      """
      SELECT number, began_at, fingerprint FROM subject_key_epoch WHERE began_at <= \(instant)
      ORDER BY number DESC LIMIT 1
      """
    ).map(epoch)
  }

  /// - Returns: false when another process began it.
  @discardableResult
  func begin(_ epoch: Epoch) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO subject_key_epoch (number, began_at, fingerprint)
      VALUES (\(epoch.number), \(epoch.beganAt), \(epoch.fingerprint)) ON CONFLICT (number) DO NOTHING
      """) == 1
  }

  private func epoch(_ row: SQLRow) throws -> Epoch {
    Epoch(number: try row.get("number"), beganAt: try row.get("began_at"), fingerprint: try row.get("fingerprint"))
  }

  // MARK: Keys

  func find(subject: String) throws -> SubjectKeyRow? {
    try tx.first("SELECT \(Self.columns) FROM subject_key WHERE subject = \(subject)").map(Self.row)
  }

  /// The keys of several subjects that are there.
  func find(subjects: [String]) throws -> [SubjectKeyRow] {
    try tx.query("SELECT \(Self.columns) FROM subject_key WHERE subject IN \(list: subjects)").map(Self.row)
  }

  func find(_ id: String) throws -> SubjectKeyRow? {
    try tx.first("SELECT \(Self.columns) FROM subject_key WHERE id = \(id)").map(Self.row)
  }

  /// Of two transactions that make the key of one person, the second one keeps the first one's.
  func insert(_ row: SubjectKeyRow) throws {
    try tx.execute(
      """
      INSERT INTO subject_key (id, subject, tenant, epoch, wrapped, made_at)
      VALUES (\(row.id), \(row.subject), \(row.tenant), \(row.epoch), \(row.wrapped), \(row.madeAt))
      ON CONFLICT (subject) DO NOTHING
      """)
  }

  /// Writes the row as it is, so that of this transaction and one that deletes it one runs again.
  /// - Returns: false when the row is gone.
  func touch(subject: String) throws -> Bool {
    try tx.execute("UPDATE subject_key SET tenant = tenant WHERE subject = \(subject)") == 1
  }

  /// - Returns: the row that was deleted; nil when there was none.
  func delete(subject: String) throws -> SubjectKeyRow? {
    try tx.query("DELETE FROM subject_key WHERE subject = \(subject) RETURNING \(Self.columns)").first.map(Self.row)
  }

  func delete(_ id: String) throws -> Bool { try tx.execute("DELETE FROM subject_key WHERE id = \(id)") == 1 }

  /// Which of several keys are there, by their ids.
  func present(_ ids: [String]) throws -> [String] {
    try tx.query("SELECT id FROM subject_key WHERE id IN \(list: ids)").map { try $0.get("id") }
  }

  /// A page of all keys, ascending by their ids.
  func all(after id: String, limit: Int) throws -> [SubjectKeyRow] {
    try tx.query("SELECT \(Self.columns) FROM subject_key WHERE id > \(id) ORDER BY id LIMIT \(limit)").map(Self.row)
  }

  /// Some of the keys that are wrapped in these epochs.
  func wrapped(in epochs: Range<Int>, limit: Int) throws -> [SubjectKeyRow] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM subject_key
      WHERE epoch >= \(epochs.lowerBound) AND epoch < \(epochs.upperBound) ORDER BY epoch, id LIMIT \(limit)
      """
    ).map(Self.row)
  }

  /// Stores the newly wrapped form, unless the key was deleted or wrapped anew by another process.
  func rewrap(_ row: SubjectKeyRow, from epoch: Int) throws {
    try tx.execute(
      """
      UPDATE subject_key SET epoch = \(row.epoch), wrapped = \(row.wrapped)
      WHERE id = \(row.id) AND epoch = \(epoch)
      """)
  }

  /// The earliest epoch, from one on, in which a key is wrapped; nil when no key is wrapped.
  func earliestEpoch(from epoch: Int) throws -> Int? {
    try tx.first("SELECT epoch FROM subject_key WHERE epoch >= \(epoch) ORDER BY epoch LIMIT 1")?.get("epoch")
  }

  /// Keys that are wrapped in an epoch before one.
  package func count(before epoch: Int) throws -> Int {
    try tx.first("SELECT COUNT(*) AS n FROM subject_key WHERE epoch < \(epoch)")?.get("n") ?? 0
  }

  private static func row(_ row: SQLRow) throws -> SubjectKeyRow {
    SubjectKeyRow(
      id: try row.get("id"), subject: try row.get("subject"), tenant: try row.get("tenant"),
      epoch: try row.get("epoch"), wrapped: try row.get("wrapped"), madeAt: try row.get("made_at"))
  }
}
