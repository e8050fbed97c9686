// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `appointment`. The two unique indexes decide every race: an agent has one live call at a time, a customer
/// one live appointment for each reason.
package struct AppointmentStore {
  private static let rowsMax = 1000

  static let columns: SQLColumns = """
    id, customer_id, agent_id, call_time, reason, wanted_gender, wanted_language, phone,
    status, reschedules, replaces, created_at, version
    """

  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, _ vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  static let migration = Migration(
    "2026-11-21 appointment",
    """
    CREATE TABLE appointment (
      id TEXT PRIMARY KEY,
      customer_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      call_time BIGINT NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('verification', 'help')),
      wanted_gender TEXT,
      wanted_language TEXT,
      phone BLOB,
      status TEXT NOT NULL CHECK (status IN ('SCHEDULED', 'IN_CALL', 'DONE', 'NO_SHOW', 'CANCELLED')),
      reschedules BIGINT NOT NULL DEFAULT 0 CHECK (reschedules >= 0),
      replaces TEXT,
      created_at BIGINT NOT NULL,
      version BIGINT NOT NULL DEFAULT 1
    );
    CREATE UNIQUE INDEX appointment_place ON appointment (agent_id, call_time)
      WHERE status IN ('SCHEDULED', 'IN_CALL');
    CREATE UNIQUE INDEX appointment_live ON appointment (customer_id) WHERE status IN ('SCHEDULED', 'IN_CALL');
    CREATE INDEX appointment_customer ON appointment (customer_id, created_at);
    CREATE INDEX appointment_time ON appointment (call_time);
    """)

  /// A call for help goes beside the call of the verification. Before, every live call was that of the verification.
  static let reasonMigration = Migration(
    "2026-11-24 appointment by reason",
    """
    UPDATE appointment SET reason = 'verification' WHERE status IN ('SCHEDULED', 'IN_CALL');
    DROP INDEX appointment_live;
    CREATE UNIQUE INDEX appointment_live ON appointment (customer_id, reason) WHERE status IN ('SCHEDULED', 'IN_CALL');
    """)

  /// - Returns: false when that agent is taken at that time; nothing is stored then.
  /// - Throws: `SQLError.notUnique` when the customer has a live appointment for that reason.
  func insert(_ appointment: Appointment) throws -> Bool {
    let sealed = try appointment.phone.map {
      try vault.seal(
        Data($0.utf8), context: Self.context(appointment.id), of: KeySubject(appointment.customerID), in: tx)
    }
    return try tx.execute(
      """
      INSERT INTO appointment (id, customer_id, agent_id, call_time, reason, wanted_gender, wanted_language, phone,
        status, reschedules, replaces, created_at, version)
      VALUES (\(appointment.id), \(appointment.customerID), \(appointment.agentID), \(appointment.callTime),
        \(appointment.reason), \(appointment.preference.gender as String?),
        \(appointment.preference.language as String?), \(sealed as Data?), \(appointment.status),
        \(appointment.reschedules), \(appointment.replaces as Appointment.ID?), \(appointment.createdAt),
        \(appointment.version))
      ON CONFLICT (agent_id, call_time) WHERE status IN ('SCHEDULED', 'IN_CALL') DO NOTHING
      """) == 1
  }

  /// Writes the status, on the version that the decision was made on.
  /// - Returns: false when another request moved the row meanwhile.
  func save(_ appointment: Appointment) throws -> Bool {
    try tx.execute(
      """
      UPDATE appointment SET status = \(appointment.status), version = version + 1
      WHERE id = \(appointment.id) AND version = \(appointment.version)
      """) == 1
  }

  func find(_ id: Appointment.ID) throws -> Appointment? {
    try tx.first("SELECT \(Self.columns) FROM appointment WHERE id = \(id)").map(appointment)
  }

  /// The customer's live appointment for the reason, if any.
  package func live(for customer: String, _ reason: Appointment.Reason) throws -> Appointment? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM appointment
      WHERE customer_id = \(customer) AND reason = \(reason) AND status IN ('SCHEDULED', 'IN_CALL')
      """
    ).map(appointment)
  }

  func latest(for customer: String, _ reason: Appointment.Reason) throws -> Appointment? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM appointment WHERE customer_id = \(customer) AND reason = \(reason)
      ORDER BY created_at DESC, id DESC LIMIT 1
      """
    ).map(appointment)
  }

  /// Oldest first.
  func all(for customer: String) throws -> [Appointment] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM appointment WHERE customer_id = \(customer)
      ORDER BY created_at, id LIMIT \(Self.rowsMax)
      """
    ).map(appointment)
  }

  func deleteAll(for customer: String) throws {
    try tx.execute("DELETE FROM appointment WHERE customer_id = \(customer)")
  }

  /// Of one agent, those that start within the time, in order; cancelled ones are left out.
  func calls(of agent: String, in time: Range<Instant>) throws -> [Appointment] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM appointment
      WHERE agent_id = \(agent) AND call_time >= \(time.lowerBound) AND call_time < \(time.upperBound)
        AND status <> 'CANCELLED'
      ORDER BY call_time, id LIMIT \(Self.rowsMax)
      """
    ).map(appointment)
  }

  /// Calls that never began though they should have started before then, oldest first.
  func overdue(before start: Instant, limit: Int) throws -> [Appointment] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM appointment WHERE status = 'SCHEDULED' AND call_time < \(start)
      ORDER BY call_time, id LIMIT \(limit)
      """
    ).map(appointment)
  }

  /// Calls for help that run although they should have started before then, oldest first.
  func overdueHelp(before start: Instant, limit: Int) throws -> [Appointment] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM appointment WHERE status = 'IN_CALL' AND reason = 'help' AND call_time < \(start)
      ORDER BY call_time, id LIMIT \(limit)
      """
    ).map(appointment)
  }

  /// Verifications that run and are recorded although they should have started before then, oldest first.
  func overdueRecordings(before start: Instant, limit: Int) throws -> [Appointment] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM appointment
      WHERE status = 'IN_CALL' AND reason = 'verification' AND call_time < \(start) AND id IN (
        SELECT appointment_id FROM call_seat WHERE recording_begun_at IS NOT NULL AND recording_ended_at IS NULL)
      ORDER BY call_time, id LIMIT \(limit)
      """
    ).map(appointment)
  }

  /// The places that are taken within the time. Bounded by the roster and the calendar, so it has no limit of its own:
  /// to leave out a row would be to book a place twice.
  func booked(_ time: Range<Instant>) throws -> [SlotCalendar.BookedCall] {
    try tx.query(
      """
      SELECT agent_id, call_time FROM appointment
      WHERE call_time >= \(time.lowerBound) AND call_time < \(time.upperBound) AND status IN ('SCHEDULED', 'IN_CALL')
      """
    ).map { SlotCalendar.BookedCall(agentID: try $0.get("agent_id"), start: try $0.get("call_time")) }
  }

  private func appointment(_ row: SQLRow) throws -> Appointment {
    let id: Appointment.ID = try row.get("id")
    let sealed: Data? = try row.get("phone")
    return Appointment(
      id: id, customerID: try row.get("customer_id"), agentID: try row.get("agent_id"),
      callTime: try row.get("call_time"), reason: try row.get("reason"),
      preference: AgentPreference(gender: try row.get("wanted_gender"), language: try row.get("wanted_language")),
      phone: try sealed.map { String(decoding: try vault.open($0, context: Self.context(id), in: tx), as: UTF8.self) },
      status: try row.get("status"), reschedules: try row.get("reschedules"), replaces: try row.get("replaces"),
      createdAt: try row.get("created_at"), version: try row.get("version"))
  }

  private static func context(_ id: Appointment.ID) -> String { "appointment.phone:\(id)" }
}
