// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// What the next calls of a sandbox tenant come to instead of being answered (finaptic §11.3).
package struct InjectedFault: Sendable, Equatable {
  package typealias ID = Identifier<InjectedFault>

  package enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    /// An error of the given code.
    case error
    /// `requestStatus` is `FAILED`, and nothing has changed (§5.8).
    case failed
    /// The connection ends in the middle of the answer.
    case drop
  }

  static let lifetime = Duration.hours(1)
  static let timesMax = 100
  /// Of one tenant at once.
  static let countMax = 100

  package let id: ID
  package let tenant: Int
  /// `onboarding/validateDocuments`.
  package let method: String
  package let kind: Kind
  /// Of an error.
  package let code: String?
  /// Calls that it is still to meet.
  package let timesLeft: Int
  package let expiresAt: Instant

  /// Whether there is such a call.
  static func isMethod(_ name: String) -> Bool {
    FinapticMethod.all.contains { "\($0.client)/\($0.name)" == name }
  }

  /// Calls that answer how an application stands, about one that is there.
  static func canFail(_ name: String) -> Bool {
    [
      FinapticMethod.updatePersonalDetails, .updateContactDetails, .updateAccountDetails, .updateAddresses,
      .updateConsents, .updateCustomerResidency, .updateDisclosures, .updateEmployment,
      .updateCommunicationPreferences, .validateDocuments, .validateSelfie, .validateApplication, .acceptApplication,
      .finalizeApplicationCreateCustomer, .finalizeApplicationCreateProduct, .cancelApplication,
    ].contains { "\($0.client)/\($0.name)" == name }
  }
}

/// Rows of `finaptic_fault`.
package struct FaultStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 finaptic 20 fault",
    """
    CREATE TABLE finaptic_fault (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL,
      method TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('error', 'failed', 'drop')),
      code TEXT,
      times_left BIGINT NOT NULL CHECK (times_left > 0),
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX finaptic_fault_tenant ON finaptic_fault (tenant_id, method, expires_at, id);
    CREATE INDEX finaptic_fault_expiry ON finaptic_fault (expires_at);
    """)

  private static let columns: SQLColumns = "id, tenant_id, method, kind, code, times_left, expires_at"

  func insert(_ fault: InjectedFault) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_fault (id, tenant_id, method, kind, code, times_left, expires_at)
      VALUES (\(fault.id), \(fault.tenant), \(fault.method), \(fault.kind), \(fault.code), \(fault.timesLeft),
        \(fault.expiresAt))
      """)
  }

  /// Faults that still count, the oldest first.
  func list(tenant: Int, at now: Instant) throws -> [InjectedFault] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_fault
      WHERE tenant_id = \(tenant) AND expires_at > \(now) ORDER BY expires_at, id LIMIT \(InjectedFault.countMax)
      """
    ).map(Self.fault)
  }

  /// The one that the next call of this name meets.
  func next(tenant: Int, method: String, at now: Instant) throws -> InjectedFault? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_fault
      WHERE tenant_id = \(tenant) AND method = \(method) AND expires_at > \(now) ORDER BY expires_at, id LIMIT 1
      """
    ).map(Self.fault)
  }

  /// - Throws: `SQLError.outdated` when another call met it at the same moment.
  func use(_ fault: InjectedFault) throws {
    let changed =
      fault.timesLeft == 1
      ? try tx.execute("DELETE FROM finaptic_fault WHERE id = \(fault.id) AND times_left = 1")
      : try tx.execute(
        """
        UPDATE finaptic_fault SET times_left = times_left - 1
        WHERE id = \(fault.id) AND times_left = \(fault.timesLeft)
        """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func deleteAll(tenant: Int) throws -> Int {
    try tx.execute("DELETE FROM finaptic_fault WHERE tenant_id = \(tenant)")
  }

  func sweep(before now: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_fault WHERE id IN
        (SELECT id FROM finaptic_fault WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }

  private static func fault(_ row: SQLRow) throws -> InjectedFault {
    InjectedFault(
      id: try row.get("id"), tenant: try row.get("tenant_id"), method: try row.get("method"),
      kind: try row.get("kind"), code: try row.get("code"), timesLeft: try row.get("times_left"),
      expiresAt: try row.get("expires_at"))
  }
}
