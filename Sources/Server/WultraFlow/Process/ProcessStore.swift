// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `wultra_process`.
package struct ProcessStore {
  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  private static let columns: SQLColumns = """
    id, tenant_id, status, identification_digest, person, activation_id, error_score, activation_failures,
    passcode_id, failure, created_at, deadline_at, version
    """

  package static let migration = Migration(
    "2026-11-22 wultra 1 process",
    """
    CREATE TABLE wultra_process (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('activating', 'verifying', 'finished', 'failed')),
      identification_digest TEXT NOT NULL,
      user_digest TEXT,
      person BLOB NOT NULL,
      activation_id TEXT,
      error_score BIGINT NOT NULL CHECK (error_score >= 0),
      activation_failures BIGINT NOT NULL CHECK (activation_failures >= 0),
      passcode_id TEXT,
      failure TEXT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      deadline_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      CHECK (status <> 'verifying' OR activation_id IS NOT NULL),
      CHECK (status <> 'failed' OR failure IS NOT NULL)
    );
    CREATE UNIQUE INDEX wultra_process_running ON wultra_process (tenant_id, identification_digest)
      WHERE status = 'activating';
    CREATE UNIQUE INDEX wultra_process_activation ON wultra_process (activation_id) WHERE activation_id IS NOT NULL;
    CREATE INDEX wultra_process_identification ON wultra_process (tenant_id, identification_digest, created_at);
    CREATE INDEX wultra_process_user ON wultra_process (tenant_id, user_digest, created_at);
    CREATE INDEX wultra_process_deadline ON wultra_process (deadline_at) WHERE status IN ('activating', 'verifying');
    """)

  package static let erasureMigration = Migration(
    "2026-11-22 wultra 8 erasure",
    """
    ALTER TABLE wultra_process ADD COLUMN forgotten_at BIGINT;
    CREATE INDEX wultra_process_ended ON wultra_process (updated_at)
      WHERE status IN ('finished', 'failed') AND forgotten_at IS NULL;
    """)

  /// - Throws: `SQLError.notUnique` when one of the same identification is being activated.
  func insert(_ process: OnboardingProcess) throws {
    // Whatever is kept of the process later is sealed under the key that is made here.
    _ = try vault.subjectKey(of: process.keySubject, in: tx)
    try tx.execute(
      """
      INSERT INTO wultra_process (
        id, tenant_id, status, identification_digest, user_digest, person, activation_id, error_score,
        activation_failures, passcode_id, failure, created_at, updated_at, deadline_at, version)
      VALUES (
        \(process.id), \(process.tenant), \(process.status), \(process.identificationDigest),
        \(userDigest(process.person.user, tenant: process.tenant)), \(try seal(process)), \(process.activation),
        \(process.errorScore), \(process.activationFailures), \(process.passcode), \(process.failure),
        \(process.createdAt), \(process.createdAt), \(process.deadline), \(process.version))
      """)
  }

  /// Compare-and-set on the version that the decision was made on. A person who is not known any more, because the key
  /// is gone, takes no digest away: by it the same erasure finds a copy that was restored.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  func update(_ process: OnboardingProcess, at now: Instant) throws -> OnboardingProcess {
    var updated = process
    updated.version += 1
    let changed = try tx.execute(
      """
      UPDATE wultra_process SET
        status = \(process.status),
        user_digest = COALESCE(\(userDigest(process.person.user, tenant: process.tenant)), user_digest),
        person = \(try seal(process)), activation_id = \(process.activation), error_score = \(process.errorScore),
        activation_failures = \(process.activationFailures), passcode_id = \(process.passcode),
        failure = \(process.failure), updated_at = \(now), deadline_at = \(process.deadline),
        version = \(updated.version)
      WHERE id = \(process.id) AND version = \(process.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    return updated
  }

  /// Lets an erasure and what is said meanwhile meet: one of the two runs again and finds what the other one did.
  /// - Returns: false when the row is gone.
  func touch(_ id: OnboardingProcess.ID) throws -> Bool {
    try tx.execute("UPDATE wultra_process SET status = status WHERE id = \(id)") == 1
  }

  func find(_ id: OnboardingProcess.ID) throws -> OnboardingProcess? {
    try tx.first("SELECT \(Self.columns) FROM wultra_process WHERE id = \(id)").map(process)
  }

  func tenant(of id: OnboardingProcess.ID) throws -> String? {
    try tx.first("SELECT tenant_id FROM wultra_process WHERE id = \(id)")?.get("tenant_id")
  }

  func tenant(of verification: IdentityVerification.ID) throws -> String? {
    try tx.first(
      """
      SELECT tenant_id FROM wultra_process
      WHERE id = (SELECT process_id FROM wultra_verification WHERE id = \(verification))
      """)?.get("tenant_id")
  }

  package func find(activation: String) throws -> OnboardingProcess? {
    try tx.first("SELECT \(Self.columns) FROM wultra_process WHERE activation_id = \(activation)").map(process)
  }

  /// The process of this identification whose device is not activated yet; the schema allows one.
  func activating(_ identificationDigest: String, tenant: String) throws -> OnboardingProcess? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM wultra_process
      WHERE tenant_id = \(tenant) AND identification_digest = \(identificationDigest) AND status = 'activating'
      """
    ).map(process)
  }

  /// How many were begun since then: by the same identification, known or not, and of the same user.
  func countBegun(
    _ process: OnboardingProcess, since instant: Instant
  ) throws -> (byIdentification: Int, byUser: Int) {
    let said: Int =
      try tx.first(
        """
        SELECT COUNT(id) AS n FROM wultra_process
        WHERE tenant_id = \(process.tenant) AND identification_digest = \(process.identificationDigest)
          AND created_at > \(instant)
        """)?.get("n") ?? 0
    let known: Int =
      try tx.first(
        """
        SELECT COUNT(id) AS n FROM wultra_process
        WHERE tenant_id = \(process.tenant) AND user_digest = \(userDigest(process.person.user, tenant: process.tenant))
          AND created_at > \(instant)
        """)?.get("n") ?? 0
    return (said, known)
  }

  // MARK: Looking up

  /// The newest first: ids begin with their time (RFC 9562, version 7).
  func page(
    _ statuses: [ProcessStatus], before id: String?, in scope: TenantScope, limit: Int
  ) throws -> [OnboardingProcess] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM wultra_process
      WHERE id < \(id ?? "g") AND status IN \(list: statuses)
        AND CASE WHEN tenant_id IN \(list: scope.names) THEN 1 ELSE 0 END = \(scope.isOnly)
      ORDER BY id DESC LIMIT \(limit)
      """
    ).map(process)
  }

  /// Processes that an identifier names, of the process, of its activation or one of its verifications, or of its user,
  /// the newest first: each kind is looked for in its own index.
  /// - Parameter tenants: all that there are.
  func named(
    _ name: String, tenants: [String], before id: String?, in scope: TenantScope, limit: Int
  ) throws -> [OnboardingProcess] {
    let own = tenants.filter(scope.contains)
    let digests = own.compactMap { userDigest(name, tenant: $0) }
    return try tx.query(
      """
      SELECT \(Self.columns) FROM (
        SELECT id AS found FROM wultra_process WHERE id = \(name)
        UNION SELECT id FROM wultra_process WHERE activation_id = \(name)
        UNION SELECT process_id FROM wultra_verification WHERE id = \(name)
        UNION SELECT id FROM wultra_process
          WHERE tenant_id IN \(list: own.isEmpty ? [""] : own)
            AND user_digest IN \(list: digests.isEmpty ? [""] : digests)
      ) AS named JOIN wultra_process ON id = found
      WHERE id < \(id ?? "g") AND CASE WHEN tenant_id IN \(list: scope.names) THEN 1 ELSE 0 END = \(scope.isOnly)
      ORDER BY id DESC LIMIT \(limit)
      """
    ).map(process)
  }

  // MARK: Forgetting

  /// Processes of a user, in any order.
  func ids(ofUser user: String, tenant: String, limit: Int) throws -> [OnboardingProcess.ID] {
    try tx.query(
      """
      SELECT id FROM wultra_process
      WHERE tenant_id = \(tenant) AND user_digest = \(userDigest(user, tenant: tenant)) LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// How many processes of a user there are.
  func count(ofUser user: String, tenant: String) throws -> Int {
    try tx.query(
      """
      SELECT count(*) AS n FROM wultra_process
      WHERE tenant_id = \(tenant) AND user_digest = \(userDigest(user, tenant: tenant))
      """
    ).first?.get("n") ?? 0
  }

  /// Processes that ended before an instant and still say whose they were, the oldest first.
  func remembered(endedBefore instant: Instant, limit: Int) throws -> [OnboardingProcess.ID] {
    try tx.query(
      """
      SELECT id FROM wultra_process
      WHERE status IN ('finished', 'failed') AND forgotten_at IS NULL AND updated_at < \(instant)
      ORDER BY updated_at LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Whether a process is one of those.
  func isRemembered(_ id: OnboardingProcess.ID, endedBefore instant: Instant) throws -> Bool {
    try tx.first(
      """
      SELECT id FROM wultra_process
      WHERE id = \(id) AND status IN ('finished', 'failed') AND forgotten_at IS NULL AND updated_at < \(instant)
      """) != nil
  }

  /// Forgets whose an ended process was; that there was one, and how it went, stays.
  /// - Parameter unlinking: also which activation came of it.
  /// - Returns: whether it had not been forgotten before.
  func forget(_ process: OnboardingProcess, unlinking: Bool, at now: Instant) throws -> Bool {
    var forgotten = process
    forgotten.person = .unknown
    return try tx.execute(
      """
      UPDATE wultra_process SET identification_digest = '', user_digest = NULL, person = \(try seal(forgotten)),
        activation_id = \(unlinking ? nil : process.activation), forgotten_at = \(now), version = version + 1
      WHERE id = \(process.id) AND status IN ('finished', 'failed') AND version = \(process.version)
        AND (forgotten_at IS NULL OR activation_id IS NOT NULL)
      """) == 1
  }

  /// Whether it is forgotten whose a process was.
  func isForgotten(_ id: OnboardingProcess.ID) throws -> Bool {
    try tx.first("SELECT id FROM wultra_process WHERE id = \(id) AND forgotten_at IS NOT NULL") != nil
  }

  /// A process of which the institution may be told. It knows by a process's id whose it was: of one that was forgotten
  /// nothing is told any more, also not by a dead letter that is released.
  func findRemembered(_ id: OnboardingProcess.ID) throws -> OnboardingProcess? {
    try isForgotten(id) ? nil : find(id)
  }

  /// A process whose time has run out, with its place in their order.
  struct Lapse: Sendable {
    let id: OnboardingProcess.ID
    let deadline: Instant
  }

  /// Open processes whose time has run out, the oldest first.
  /// - Parameter last: the last one that was seen; nil begins.
  func lapsed(before now: Instant, after last: Lapse?, limit: Int) throws -> [Lapse] {
    let (deadline, id) = (last?.deadline ?? Instant(milliseconds: .min), last?.id.rawValue ?? "")
    return try tx.query(
      """
      SELECT id, deadline_at FROM wultra_process
      WHERE deadline_at <= \(now) AND status IN ('activating', 'verifying')
        AND (deadline_at > \(deadline) OR deadline_at = \(deadline) AND id > \(id))
      ORDER BY deadline_at, id LIMIT \(limit)
      """
    ).map { Lapse(id: try $0.get("id"), deadline: try $0.get("deadline_at")) }
  }

  /// Look-ups by user use a keyed digest, per tenant.
  private func userDigest(_ user: String?, tenant: String) -> String? {
    user.map { vault.digest("\(tenant)\u{0}\($0)", for: "wultra user") }
  }

  private func process(_ row: SQLRow) throws -> OnboardingProcess {
    let id: OnboardingProcess.ID = try row.get("id")
    return OnboardingProcess(
      id: id, tenant: try row.get("tenant_id"), status: try row.get("status"),
      identificationDigest: try row.get("identification_digest"),
      person: try person(row.get("person"), of: id),
      activation: try row.get("activation_id"), errorScore: try row.get("error_score"),
      activationFailures: try row.get("activation_failures"), passcode: try row.get("passcode_id"),
      failure: try row.get("failure"), createdAt: try row.get("created_at"), deadline: try row.get("deadline_at"),
      version: try row.get("version"))
  }

  /// Nothing is sealed when the person is unknown: a process that was forgotten must get no new key.
  private func seal(_ process: OnboardingProcess) throws -> Data {
    guard process.person != .unknown else { return Data() }
    return try vault.seal(process.person, as: Self.context(process.id), of: process.keySubject, in: tx)
  }

  /// A person whose key was destroyed is unknown, as in a restored backup.
  private func person(_ sealed: Data, of id: OnboardingProcess.ID) throws -> OnboardingProcess.Person {
    try vault.open(sealed, or: .unknown, context: Self.context(id), in: tx)
  }

  private static func context(_ id: OnboardingProcess.ID) -> String { "wultra_process.person:\(id)" }
}
