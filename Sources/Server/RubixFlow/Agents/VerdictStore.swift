// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import RubixWire
import Storage

/// Rows of `rubix_verdict`. Notes and the call's record are one sealed value.
package struct VerdictStore {
  static let rowsMax = 100

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-21 rubix verdict",
    """
    CREATE TABLE rubix_verdict (
      id TEXT PRIMARY KEY,
      appointment_id TEXT NOT NULL UNIQUE,
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      agent_id TEXT NOT NULL,
      verdict TEXT NOT NULL CHECK (verdict IN ('SUCCESSFUL', 'FAILED')),
      failure_reason TEXT,
      retry_allowed BIGINT NOT NULL,
      checklist TEXT NOT NULL,
      particulars BLOB NOT NULL,
      body_digest TEXT NOT NULL,
      customer_status TEXT NOT NULL,
      last_step TEXT NOT NULL,
      decided_at BIGINT NOT NULL
    );
    CREATE INDEX rubix_verdict_application ON rubix_verdict (application_id, decided_at);
    """)

  private static let columns: SQLColumns = """
    id, appointment_id, application_id, agent_id, verdict, failure_reason, retry_allowed, body_digest, customer_status,
      last_step, decided_at
    """

  /// What is for colleagues only.
  struct Particulars: Codable {
    let notes: String?
    let call: CallRecord?
  }

  /// - Throws: `SQLError.outdated` when another verdict on the same call was faster.
  func insert(_ verdict: CallVerdict, of request: AgentVerificationRequest) throws {
    let sealed = try vault.seal(
      Particulars(notes: request.notes, call: request.call), as: Self.context(verdict.id),
      of: verdict.application.keySubject, in: tx)
    let checklist = String(decoding: try WireJSON.encode(request.checklist), as: UTF8.self)
    do {
      try tx.execute(
        """
        INSERT INTO rubix_verdict (
          id, appointment_id, application_id, agent_id, verdict, failure_reason, retry_allowed, checklist, particulars,
          body_digest, customer_status, last_step, decided_at)
        VALUES (
          \(verdict.id), \(verdict.appointment), \(verdict.application), \(verdict.agent), \(verdict.outcome.rawValue),
          \(verdict.failureReason?.rawValue as String?), \(verdict.retryAllowed), \(checklist), \(sealed),
          \(verdict.bodyDigest), \(verdict.customerStatus.rawValue), \(verdict.lastStep.rawValue), \(verdict.decidedAt))
        """)
    } catch SQLError.notUnique {
      throw SQLError.outdated
    }
  }

  func find(appointment: String) throws -> CallVerdict? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM rubix_verdict WHERE appointment_id = \(appointment)
      """
    ).map(Self.verdict)
  }

  /// Every verdict on a customer, oldest first.
  func all(of application: Application.ID) throws -> [CallVerdict] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM rubix_verdict WHERE application_id = \(application) ORDER BY decided_at, id LIMIT \(Self.rowsMax)
      """
    ).map(Self.verdict)
  }

  /// What agents wrote down in a customer's calls, by verdict.
  func particulars(of application: Application.ID) throws -> [CallVerdict.ID: (Particulars, [ChecklistItem])] {
    let rows = try tx.query(
      """
      SELECT id, checklist, particulars FROM rubix_verdict WHERE application_id = \(application)
      ORDER BY decided_at, id LIMIT \(Self.rowsMax)
      """)
    return Dictionary(
      uniqueKeysWithValues: try rows.map { row in
        let id: CallVerdict.ID = try row.get("id")
        let opened = try vault.open(row.get("particulars"), as: Particulars.self, context: Self.context(id), in: tx)
        let checklist: String = try row.get("checklist")
        return (id, (opened, try WireJSON.decode([ChecklistItem].self, stored: Data(checklist.utf8))))
      })
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_verdict WHERE application_id = \(application)")
  }

  private static func context(_ id: CallVerdict.ID) -> String { "rubix_verdict.particulars:\(id)" }

  private static func verdict(_ row: SQLRow) throws -> CallVerdict {
    let reason: String? = try row.get("failure_reason")
    return CallVerdict(
      id: try row.get("id"), appointment: try row.get("appointment_id"), application: try row.get("application_id"),
      agent: try row.get("agent_id"), outcome: AgentVerdict(rawValue: try row.get("verdict")),
      failureReason: reason.map { AgentFailureReason(rawValue: $0) }, retryAllowed: try row.get("retry_allowed"),
      bodyDigest: try row.get("body_digest"),
      customerStatus: OnboardingStatus(rawValue: try row.get("customer_status")),
      lastStep: OnboardingStep(rawValue: try row.get("last_step")), decidedAt: try row.get("decided_at"))
  }
}

/// What an agent decided in a call: the row as a value. The first verdict of an appointment counts (§5.3).
package struct CallVerdict: Sendable {
  package typealias ID = Identifier<CallVerdict>

  package let id: ID
  let appointment: String
  let application: Application.ID
  package let agent: String
  let outcome: AgentVerdict
  let failureReason: AgentFailureReason?
  let retryAllowed: Bool
  /// Keyed digest of the request, which tells a repetition from another verdict.
  let bodyDigest: String
  /// The application after it, as the agent was told.
  let customerStatus: OnboardingStatus
  let lastStep: OnboardingStep
  package let decidedAt: Instant

  var view: AgentVerificationView {
    AgentVerificationView(
      id: id.rawValue, appointmentID: appointment, customerID: application.rawValue, agentID: agent, verdict: outcome,
      failureReason: failureReason, retryAllowed: retryAllowed, customerStatus: customerStatus, lastStep: lastStep,
      decidedOn: decidedAt.wire)
  }
}
