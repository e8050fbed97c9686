// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `call_seat`: at most two of a call.
struct CallSeatStore {
  private static let columns: SQLColumns = """
    appointment_id, side, number, member_id, joined_at, connected_at, ended_at, recording_agreed_at, \
    recording_begun_at, recording_ended_at
    """

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-26 call seat",
    """
    CREATE TABLE call_seat (
      appointment_id TEXT NOT NULL REFERENCES appointment (id),
      side TEXT NOT NULL CHECK (side IN ('customer', 'agent')),
      number BIGINT NOT NULL DEFAULT 1 CHECK (number >= 1),
      proof_digest TEXT NOT NULL,
      member_id TEXT,
      signals BIGINT NOT NULL DEFAULT 0 CHECK (signals >= 0),
      joined_at BIGINT NOT NULL,
      connected_at BIGINT,
      ended_at BIGINT,
      PRIMARY KEY (appointment_id, side)
    );
    """)

  /// Of the customer's seat: that the call may be recorded, and when the recorder was told that it begins and ends.
  static let recordingMigration = Migration(
    "2026-12-03 scheduling call recording",
    """
    ALTER TABLE call_seat ADD COLUMN recording_agreed_at BIGINT;
    ALTER TABLE call_seat ADD COLUMN recording_begun_at BIGINT;
    ALTER TABLE call_seat ADD COLUMN recording_ended_at BIGINT;
    """)

  func setRecordingAgreed(_ call: Appointment.ID, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE call_seat SET recording_agreed_at = \(now) WHERE appointment_id = \(call) AND side = 'customer'
      """)
  }

  /// - Parameter now: what the node's clock says. Another node's clock may have been ahead: the time that is kept is
  ///   after the end of the recording before.
  /// - Returns: when it begins; nil unless the customer agreed and no recording runs.
  func beginRecording(_ call: Appointment.ID, at now: Instant) throws -> Instant? {
    try tx.first(
      """
      UPDATE call_seat SET recording_ended_at = NULL, recording_begun_at =
        CASE WHEN recording_ended_at >= \(now) THEN recording_ended_at + 1 ELSE \(now) END
      WHERE appointment_id = \(call) AND side = 'customer' AND recording_agreed_at IS NOT NULL
        AND (recording_begun_at IS NULL OR recording_ended_at IS NOT NULL)
      RETURNING recording_begun_at
      """
    )?.get("recording_begun_at")
  }

  /// - Parameter now: what the node's clock says; the time that is kept is after the begin.
  /// - Returns: when it ends; nil where no recording runs.
  func endRecording(_ call: Appointment.ID, at now: Instant) throws -> Instant? {
    try tx.first(
      """
      UPDATE call_seat SET recording_ended_at =
        CASE WHEN recording_begun_at >= \(now) THEN recording_begun_at + 1 ELSE \(now) END
      WHERE appointment_id = \(call) AND side = 'customer'
        AND recording_begun_at IS NOT NULL AND recording_ended_at IS NULL
      RETURNING recording_ended_at
      """
    )?.get("recording_ended_at")
  }

  /// Takes the seat, in the place of the browser of this side that had it. Another browser than before was not
  /// connected yet.
  /// - Returns: nil when it was taken as often as it may be.
  func take(_ party: CallParty, proof: String, at now: Instant, joinsMax: Int64) throws -> CallSeat? {
    try tx.first(
      """
      INSERT INTO call_seat (appointment_id, side, proof_digest, member_id, joined_at)
      VALUES (\(party.call), \(party.side), \(proof), \(party.member as String?), \(now))
      ON CONFLICT (appointment_id, side) DO UPDATE SET number = call_seat.number + 1, signals = 0, ended_at = NULL,
        connected_at = CASE WHEN call_seat.proof_digest = excluded.proof_digest THEN call_seat.connected_at END,
        proof_digest = excluded.proof_digest, member_id = excluded.member_id
      WHERE call_seat.number < \(joinsMax)
      RETURNING \(Self.columns)
      """
    ).map(Self.seat)
  }

  /// Of one call, the customer's first.
  func all(of call: Appointment.ID) throws -> [CallSeat] {
    try tx.query(
      "SELECT \(Self.columns) FROM call_seat WHERE appointment_id = \(call) ORDER BY side DESC LIMIT 2"
    ).map(Self.seat)
  }

  /// Whether the browser still sits there.
  func holds(_ party: CallParty, _ number: Int64, proof: String) throws -> Bool {
    try tx.first(
      """
      SELECT 1 AS one FROM call_seat WHERE appointment_id = \(party.call) AND side = \(party.side)
        AND number = \(number) AND proof_digest = \(proof) AND ended_at IS NULL
      """) != nil
  }

  /// Counts one note of the party in this seat.
  /// - Returns: false when they sent as many as they may.
  func countSignal(_ party: CallParty, _ number: Int64, signalsMax: Int) throws -> Bool {
    try tx.execute(
      """
      UPDATE call_seat SET signals = signals + 1 WHERE appointment_id = \(party.call) AND side = \(party.side)
        AND number = \(number) AND signals < \(signalsMax)
      """) == 1
  }

  /// - Returns: whether it is the first time of this browser.
  func setConnected(_ party: CallParty, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE call_seat SET connected_at = \(now)
      WHERE appointment_id = \(party.call) AND side = \(party.side) AND connected_at IS NULL
      """) == 1
  }

  /// - Parameter side: nil for both.
  /// - Returns: how many sat there.
  @discardableResult
  func setEnded(_ call: Appointment.ID, _ side: CallSeat.Side?, at now: Instant) throws -> Int {
    try tx.execute(
      """
      UPDATE call_seat SET ended_at = \(now) WHERE appointment_id = \(call) AND ended_at IS NULL
        AND (side = \(side ?? .customer) OR side = \(side ?? .agent))
      """)
  }

  /// Goes before the appointments that they are of.
  func deleteAll(for customer: String) throws {
    try tx.execute(
      "DELETE FROM call_seat WHERE appointment_id IN (SELECT id FROM appointment WHERE customer_id = \(customer))")
  }

  private static func seat(_ row: SQLRow) throws -> CallSeat {
    CallSeat(
      call: try row.get("appointment_id"), side: try row.get("side"), number: try row.get("number"),
      member: try row.get("member_id"), joinedAt: try row.get("joined_at"), connectedAt: try row.get("connected_at"),
      endedAt: try row.get("ended_at"), recordingAgreedAt: try row.get("recording_agreed_at"),
      recordingBegunAt: try row.get("recording_begun_at"), recordingEndedAt: try row.get("recording_ended_at"))
  }
}
