// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import RubixWire
import Storage

/// Rows of `rubix_application`.
package struct ApplicationStore {
  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-21 rubix application",
    """
    CREATE TABLE rubix_application (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      phase TEXT NOT NULL,
      last_step TEXT NOT NULL,
      completed_steps TEXT NOT NULL,
      sms_state TEXT NOT NULL,
      email_state TEXT NOT NULL,
      evaluation TEXT,
      verification_attempts BIGINT NOT NULL DEFAULT 0,
      undetermined_count BIGINT NOT NULL DEFAULT 0,
      call_required BIGINT NOT NULL DEFAULT 0,
      agent_accepted BIGINT NOT NULL DEFAULT 0,
      screened_at BIGINT,
      review_reason TEXT,
      retake TEXT NOT NULL DEFAULT '',
      applicant BLOB NOT NULL,
      contact_digest TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      version BIGINT NOT NULL
    );
    CREATE INDEX rubix_application_contact ON rubix_application (tenant_id, contact_digest);
    CREATE INDEX rubix_application_queue ON rubix_application (tenant_id, phase, updated_at, id);
    CREATE INDEX rubix_application_expiry ON rubix_application (expires_at)
      WHERE phase NOT IN ('completed', 'rejected', 'abandoned', 'expired', 'reviewingScreening');
    """)

  private static let columns: SQLColumns = """
    id, tenant_id, phase, last_step, completed_steps, sms_state, email_state, evaluation, verification_attempts,
      undetermined_count, call_required, agent_accepted, screened_at, review_reason, retake, applicant, created_at,
      updated_at, expires_at, version
    """

  /// Look-ups by phone number use a keyed digest, per tenant.
  func contactDigest(_ contactNo: String, tenant: String) -> String {
    vault.digest("\(tenant)\u{0}\(contactNo)", for: "rubix contact")
  }

  package func insert(_ application: Application) throws {
    try tx.execute(
      """
      INSERT INTO rubix_application (
        id, tenant_id, phase, last_step, completed_steps, sms_state, email_state, applicant, contact_digest,
        created_at, updated_at, expires_at, version)
      VALUES (
        \(application.id), \(application.tenant), \(application.phase), \(application.lastStep),
        \(Self.text(application.completedSteps)), \(application.sms), \(application.email),
        \(try seal(application)), \(contactDigest(application.applicant.contactNo, tenant: application.tenant)),
        \(application.createdAt), \(application.updatedAt), \(application.expiresAt), \(application.version))
      """)
  }

  /// - Throws: `Problem` not-found, also when it belongs to another tenant.
  package func find(_ id: Application.ID, tenant: String) throws -> Application {
    guard
      let row = try tx.first(
        """
        SELECT \(Self.columns) FROM rubix_application WHERE id = \(id) AND tenant_id = \(tenant)
        """)
    else { throw Problem.notFound }
    return try application(row)
  }

  /// What an erasure has to know of an application. Of one in a restored copy whose key was destroyed the applicant is nil.
  /// - Throws: `Problem` not-found, also when it belongs to another tenant.
  func toErase(
    _ id: Application.ID, tenant: String
  ) throws -> (phase: ApplicationPhase, version: Int, applicant: Applicant?) {
    do {
      let application = try find(id, tenant: tenant)
      return (application.phase, application.version, application.applicant)
    } catch VaultError.erased {
      guard let row = try tx.first("SELECT phase, version FROM rubix_application WHERE id = \(id)") else {
        throw Problem.notFound
      }
      return (try row.get("phase"), try row.get("version"), nil)
    }
  }

  /// Without opening what is sealed; nil when it is gone.
  package static func version(of id: Application.ID, in tx: any SQLTransaction) throws -> Int64? {
    try tx.first("SELECT version FROM rubix_application WHERE id = \(id)")?.get("version")
  }

  /// The tenant of an application, for providers and the worker, which know only its id; nil when it does not exist.
  func tenant(of id: Application.ID) throws -> String? {
    try tx.first("SELECT tenant_id FROM rubix_application WHERE id = \(id)")?.get("tenant_id")
  }

  /// Compare-and-set on the version that the decision was made on: of two racing requests, exactly one writes.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  package func update(_ application: Application, at now: Instant) throws -> Application {
    var updated = application
    updated.version += 1
    updated.updatedAt = now
    let changed = try tx.execute(
      """
      UPDATE rubix_application SET
        phase = \(updated.phase), last_step = \(updated.lastStep),
        completed_steps = \(Self.text(updated.completedSteps)), sms_state = \(updated.sms),
        email_state = \(updated.email), evaluation = \(updated.evaluation),
        verification_attempts = \(updated.verificationAttempts), undetermined_count = \(updated.undeterminedCount),
        call_required = \(updated.callRequired),
        agent_accepted = \(updated.agentAccepted), screened_at = \(updated.screenedAt),
        review_reason = \(updated.reviewReason),
        retake = \(updated.retake.map(\.rawValue).joined(separator: " ")), applicant = \(try seal(updated)),
        contact_digest = \(contactDigest(updated.applicant.contactNo, tenant: updated.tenant)),
        updated_at = \(updated.updatedAt), expires_at = \(updated.expiresAt), version = \(updated.version)
      WHERE id = \(updated.id) AND version = \(application.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    return updated
  }

  /// Locks the row. Every transaction locks an application before the head of its audit chain, so a command that appends
  /// to the chain before it moves the application calls this first.
  func lock(_ id: Application.ID) throws {
    _ = try tx.first("SELECT id FROM rubix_application WHERE id = \(id) \(SQLClause.forUpdate)")
  }

  /// Makes kept views outdated after a change of what is around the application. A command that ends with `update` need
  /// not call it.
  func touch(_ id: Application.ID) throws {
    try tx.execute("UPDATE rubix_application SET version = version + 1 WHERE id = \(id)")
  }

  /// Other applications of the tenant with the same phone number, newest first.
  func withContact(_ contactNo: String, tenant: String, except id: Application.ID) throws -> [Application.ID] {
    try tx.query(
      """
      SELECT id FROM rubix_application
      WHERE tenant_id = \(tenant) AND contact_digest = \(contactDigest(contactNo, tenant: tenant)) AND id <> \(id)
      ORDER BY id DESC LIMIT 100
      """
    ).map { try $0.get("id") }
  }

  /// Where an application stands, without what is sealed: another's file is not opened for a hint.
  /// - Returns: nil when it belongs to another tenant, or is gone.
  func outline(_ id: Application.ID, tenant: String) throws -> (phase: ApplicationPhase, createdAt: Instant)? {
    try tx.first(
      "SELECT phase, created_at FROM rubix_application WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map { (try $0.get("phase"), try $0.get("created_at")) }
  }

  /// An open application whose time has run out.
  typealias Lapsed = (id: Application.ID, tenant: String, expiresAt: Instant)

  /// A page of the open applications whose time has run out, the earliest first.
  func lapsed(before now: Instant, after: Lapsed? = nil, limit: Int) throws -> [Lapsed] {
    let since = after?.expiresAt ?? Instant(milliseconds: -1)
    let id = after?.id.rawValue ?? ""
    return try tx.query(
      """
      SELECT id, tenant_id, expires_at FROM rubix_application
      WHERE expires_at <= \(now) AND (expires_at > \(since) OR (expires_at = \(since) AND id > \(id)))
        AND phase NOT IN ('completed', 'rejected', 'abandoned', 'expired', 'reviewingScreening')
      ORDER BY expires_at, id LIMIT \(limit)
      """
    ).map { (try $0.get("id"), try $0.get("tenant_id"), try $0.get("expires_at")) }
  }

  /// Applications of a tenant in one phase that nothing has changed since then, the oldest first.
  func untouched(
    in phase: ApplicationPhase, tenant: String, since horizon: Instant, limit: Int
  ) throws -> [Application.ID] {
    try tx.query(
      """
      SELECT id FROM rubix_application
      WHERE tenant_id = \(tenant) AND phase = \(phase) AND updated_at <= \(horizon)
      ORDER BY updated_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// The last row of an erasure: everything that points here is gone before.
  /// - Throws: `SQLError.outdated` when it was changed or deleted meanwhile.
  func delete(_ id: Application.ID, version: Int) throws {
    let changed = try tx.execute("DELETE FROM rubix_application WHERE id = \(id) AND version = \(version)")
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// A page of the agents' queue: applications in one phase, longest waiting first.
  package func queue(
    _ phase: ApplicationPhase, tenant: String, after: (updatedAt: Instant, id: String)?, limit: Int
  ) throws -> [Application] {
    let since = after?.updatedAt ?? Instant(milliseconds: -1)
    let id = after?.id ?? ""
    return try tx.query(
      """
      SELECT \(Self.columns) FROM rubix_application
      WHERE tenant_id = \(tenant) AND phase = \(phase)
        AND (updated_at > \(since) OR (updated_at = \(since) AND id > \(id)))
      ORDER BY updated_at, id LIMIT \(limit)
      """
    ).map(application)
  }

  private func application(_ row: SQLRow) throws -> Application {
    let id: Application.ID = try row.get("id")
    let steps: String = try row.get("completed_steps")
    let retake: String = try row.get("retake")
    return Application(
      id: id, tenant: try row.get("tenant_id"), phase: try row.get("phase"), lastStep: try row.get("last_step"),
      completedSteps: steps.split(separator: " ").map { OnboardingStep(rawValue: String($0)) },
      sms: try row.get("sms_state"), email: try row.get("email_state"), evaluation: try row.get("evaluation"),
      verificationAttempts: try row.get("verification_attempts"),
      undeterminedCount: try row.get("undetermined_count"),
      callRequired: try row.get("call_required"), agentAccepted: try row.get("agent_accepted"),
      screenedAt: try row.get("screened_at"), reviewReason: try row.get("review_reason"),
      retake: retake.split(separator: " ").map { DocumentType(rawValue: String($0)) },
      applicant: try vault.open(row.get("applicant"), as: Applicant.self, context: Self.context(id), in: tx),
      createdAt: try row.get("created_at"), updatedAt: try row.get("updated_at"), expiresAt: try row.get("expires_at"),
      version: try row.get("version"))
  }

  private func seal(_ application: Application) throws -> Data {
    try vault.seal(
      application.applicant, as: Self.context(application.id),
      of: application.id.keySubject(of: application.tenant), in: tx)
  }

  private static func context(_ id: Application.ID) -> String { "rubix_application.applicant:\(id)" }

  private static func text(_ steps: [OnboardingStep]) -> String { steps.map(\.rawValue).joined(separator: " ") }
}

extension Application.ID {
  /// Whose data everything about the application is. The key is made with the application.
  var keySubject: KeySubject { KeySubject(rawValue) }

  func keySubject(of tenant: String) -> KeySubject { KeySubject(rawValue, of: TenantID(RubixModule.name, tenant)) }
}

extension ApplicationStore {
  /// An application without what is sealed, for lists.
  struct Outline: Sendable {
    let id: Application.ID
    let tenant: String
    let phase: ApplicationPhase
    let createdAt: Instant
  }

  /// Of some tenants, the newest first.
  func page(_ phases: [ApplicationPhase], of tenants: [String], before id: String?, limit: Int) throws -> [Outline] {
    try tx.query(
      """
      SELECT id, tenant_id, phase, created_at FROM rubix_application
      WHERE tenant_id IN \(list: tenants) AND phase IN \(list: phases) AND id < \(id ?? "g")
      ORDER BY id DESC LIMIT \(limit)
      """
    ).map(Self.outline)
  }

  /// Applications that an identifier names, the newest first.
  func named(_ name: String, of tenants: [String], before id: String?, limit: Int) throws -> [Outline] {
    let phones = tenants.map { contactDigest(name, tenant: $0) }
    let devices = tenants.map { TraitStore(tx, vault: vault).digest(.device(name), tenant: $0) }
    return try tx.query(
      """
      SELECT a.id, a.tenant_id, a.phase, a.created_at FROM (
        SELECT id AS found FROM rubix_application WHERE id = \(name.lowercased())
        UNION SELECT id FROM rubix_application WHERE tenant_id IN \(list: tenants) AND contact_digest IN \(list: phones)
        UNION SELECT application_id FROM rubix_trait WHERE digest IN \(list: devices)
      ) AS f JOIN rubix_application AS a ON a.id = f.found
      WHERE a.tenant_id IN \(list: tenants) AND a.id < \(id ?? "g")
      ORDER BY a.id DESC LIMIT \(limit)
      """
    ).map(Self.outline)
  }

  private static func outline(_ row: SQLRow) throws -> Outline {
    Outline(
      id: try row.get("id"), tenant: try row.get("tenant_id"), phase: try row.get("phase"),
      createdAt: try row.get("created_at"))
  }
}
