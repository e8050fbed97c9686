// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_application`.
package struct OnboardingStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  /// Codes are words with spaces between, which are not searched by.
  package static let migration = Migration(
    "2026-11-22 finaptic 11 application",
    """
    CREATE TABLE finaptic_application (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      user_id TEXT,
      customer_id TEXT,
      bundle_id TEXT NOT NULL,
      needs_kyc BIGINT NOT NULL CHECK (needs_kyc IN (0, 1)),
      status TEXT NOT NULL,
      failures BIGINT NOT NULL CHECK (failures >= 0),
      failure_codes TEXT NOT NULL,
      content BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL
    );
    CREATE INDEX finaptic_application_tenant ON finaptic_application (tenant_id, created_at, id);
    CREATE INDEX finaptic_application_user ON finaptic_application (user_id) WHERE user_id IS NOT NULL;
    """)

  func insert(_ application: OnboardingApplication) throws {
    // An erasure does not see an application that is begun meanwhile.
    if let user = application.user { try vault.holdSubjectKey(of: KeySubject(user), in: tx) }
    try tx.execute(
      """
      INSERT INTO finaptic_application
        (id, tenant_id, user_id, customer_id, bundle_id, needs_kyc, status, failures, failure_codes, content,
         created_at, updated_at, version)
      VALUES (\(application.id), \(application.tenant), \(application.user), \(application.customer),
        \(application.bundle), \(application.needsKYC), \(application.status), \(application.failures),
        \(Self.words(application.codes)), \(try sealed(application)), \(application.createdAt),
        \(application.createdAt), 0)
      """)
  }

  func find(_ id: OnboardingApplication.ID) throws -> OnboardingApplication? {
    try tx.first(
      """
      SELECT id, tenant_id, user_id, customer_id, bundle_id, needs_kyc, status, failures, failure_codes, content,
        created_at, version
      FROM finaptic_application WHERE id = \(id)
      """
    ).map(application)
  }

  /// Compare-and-set on the version that the change was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ application: OnboardingApplication, at now: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_application SET user_id = \(application.user), customer_id = \(application.customer),
        status = \(application.status), failures = \(application.failures),
        failure_codes = \(Self.words(application.codes)), updated_at = \(now), version = version + 1,
        content = CASE WHEN emptied_at IS NULL THEN \(try sealed(application)) ELSE content END
      WHERE id = \(application.id) AND version = \(application.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  private func sealed(_ application: OnboardingApplication) throws -> Data {
    try vault.seal(
      application.content, as: Self.context(application.id), of: application.user.map { KeySubject($0) }, in: tx)
  }

  private static func context(_ id: OnboardingApplication.ID) -> String { "finaptic_application.content:\(id)" }

  private static func words(_ codes: [FailureCode]) -> String { codes.map(\.rawValue).joined(separator: " ") }

  private func application(_ row: SQLRow) throws -> OnboardingApplication {
    let id: OnboardingApplication.ID = try row.get("id")
    let codes = try row.get("failure_codes", as: String.self).split(separator: " ")
    return OnboardingApplication(
      id: id, tenant: try row.get("tenant_id"), user: try row.get("user_id"), customer: try row.get("customer_id"),
      bundle: try row.get("bundle_id"), needsKYC: try row.get("needs_kyc"), status: try row.get("status"),
      failures: try row.get("failures"), codes: codes.compactMap { FailureCode(rawValue: String($0)) },
      createdAt: try row.get("created_at"), version: try row.get("version"),
      content: try vault.open(
        row.get("content"), or: OnboardingApplication.Content(), context: Self.context(id), in: tx))
  }
}
