// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_invitation`.
package struct InvitationStore {
  let tx: any SQLTransaction
  let vault: Vault

  private static let columns: SQLColumns = """
    id, tenant_id, account_id, issuer_id, invited_id, identifier_digest, status, sealed_metadata, created_at, \
    expires_at, version
    """

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// Of one account and one identifier no two are open at a time.
  package static let migration = Migration(
    "2026-11-22 finaptic 40 invitation",
    """
    CREATE TABLE finaptic_invitation (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      account_id TEXT NOT NULL,
      issuer_id TEXT NOT NULL,
      invited_id TEXT NOT NULL,
      identifier_digest TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('PENDING', 'ACCEPTED', 'DECLINED', 'COMPLETED', 'EXPIRED')),
      sealed_metadata BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL
    );
    CREATE UNIQUE INDEX finaptic_invitation_open ON finaptic_invitation (account_id, identifier_digest)
      WHERE status IN ('PENDING', 'ACCEPTED');
    CREATE INDEX finaptic_invitation_issuer ON finaptic_invitation (issuer_id, created_at, id);
    CREATE INDEX finaptic_invitation_invited ON finaptic_invitation (invited_id, created_at, id);
    CREATE INDEX finaptic_invitation_expiry ON finaptic_invitation (expires_at) WHERE status = 'PENDING';
    """)

  /// - Throws: `SQLError.notUnique` when one of the account and the identifier is open.
  func insert(_ invitation: Invitation) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_invitation
        (id, tenant_id, account_id, issuer_id, invited_id, identifier_digest, status, sealed_metadata, created_at,
         expires_at, updated_at, version)
      VALUES (\(invitation.id), \(invitation.tenant), \(invitation.account), \(invitation.issuer),
        \(invitation.invited), \(invitation.identifierDigest), \(invitation.status), \(try sealed(invitation)),
        \(invitation.createdAt), \(invitation.expiresAt), \(invitation.createdAt), 0)
      """)
  }

  func find(_ id: Invitation.ID) throws -> Invitation? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_invitation WHERE id = \(id)").map(invitation)
  }

  /// The one that is open for an account and an identifier.
  func open(_ account: String, _ identifierDigest: String) throws -> Invitation? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_invitation
      WHERE account_id = \(account) AND identifier_digest = \(identifierDigest) AND status IN ('PENDING', 'ACCEPTED')
      """
    ).map(invitation)
  }

  /// Issued by a customer or received, the newest first.
  func list(of customer: String, tenant: Int, limit: Int) throws -> [Invitation] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_invitation
      WHERE (issuer_id = \(customer) OR invited_id = \(customer)) AND tenant_id = \(tenant)
      ORDER BY created_at DESC, id DESC LIMIT \(limit)
      """
    ).map(invitation)
  }

  /// Invitations that were not answered in time.
  /// - Parameter failed: those that are passed over.
  func overdue(at now: Instant, besides failed: [Invitation.ID], limit: Int) throws -> [Invitation.ID] {
    try tx.query(
      """
      SELECT id FROM finaptic_invitation
      WHERE status = 'PENDING' AND expires_at <= \(now) AND NOT COALESCE(id IN \(list: failed), FALSE)
      ORDER BY expires_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Compare-and-set on the version that the move was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ invitation: Invitation, at now: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_invitation SET status = \(invitation.status), sealed_metadata = \(try sealed(invitation)),
        updated_at = \(now), version = version + 1
      WHERE id = \(invitation.id) AND version = \(invitation.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// What was said with a customer's invitations, and whom they were asked for by. An issuer who stays goes on seeing
  /// the id that they saw: one that changed would tell that there was such a customer.
  func forgetWords(of customer: String, at now: Instant) throws {
    let rows = try tx.query(
      """
      SELECT id, issuer_id, identifier_digest FROM finaptic_invitation
      WHERE issuer_id = \(customer) OR invited_id = \(customer)
      """)
    for row in rows {
      let id: Invitation.ID = try row.get("id")
      let isIssuer = try row.get("issuer_id", as: String.self) == customer
      let shown = InvitationIdentity.uuid(try row.get("identifier_digest"))
      // With the invitation's own id: two of one account are never the same.
      let left = isIssuer ? id.rawValue : "\(shown) \(id)"
      try tx.execute(
        """
        UPDATE finaptic_invitation SET sealed_metadata = \(Data()), identifier_digest = \(left), updated_at = \(now),
          version = version + 1
        WHERE id = \(id)
        """)
    }
  }

  /// Under the keys of both: either one's erasure empties it here, and ends it in copies.
  private func sealed(_ invitation: Invitation) throws -> Data {
    guard !invitation.metadata.isEmpty else { return Data() }
    return try vault.seal(
      JSONEncoder().encode(invitation.metadata), context: Self.context(invitation.id),
      of: .customer(invitation.issuer, in: tx), and: .customer(invitation.invited, in: tx), in: tx)
  }

  private static func context(_ id: Invitation.ID) -> String { "finaptic_invitation.sealed_metadata:\(id)" }

  private func invitation(_ row: SQLRow) throws -> Invitation {
    let id: Invitation.ID = try row.get("id")
    return Invitation(
      id: id, tenant: try row.get("tenant_id"), account: try row.get("account_id"), issuer: try row.get("issuer_id"),
      invited: try row.get("invited_id"), identifierDigest: try row.get("identifier_digest"),
      status: try row.get("status"),
      metadata: try vault.open(row.get("sealed_metadata"), or: [:], context: Self.context(id), in: tx),
      createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"), version: try row.get("version"))
  }
}
