// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import RubixFlow
import RubixWire
import Storage

/// Rows of pictures that no camera took, and of the cases that wait for staff.
struct EvidenceFixtureStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  private static let quality = #"{"sharpness":40,"glare":0,"crop":"ok","exposure":0.55}"#

  func insert(session: String, of application: String, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO rubix_session (id, application_id, status, created_at)
      VALUES (\(session), \(application), 'ACTIVE', \(now))
      """)
  }

  /// - Parameter reading: what was read of a document, sealed.
  func insert(
    _ picture: EvidenceFixture.Picture, _ shot: EvidenceFixture.Shot, reading: Data?, _ session: String,
    _ application: String, _ now: Instant
  ) throws {
    let readAt: Instant? = reading == nil ? nil : now
    try tx.execute(
      """
      INSERT INTO rubix_image (
        id, application_id, session_id, type, sub_type, state, width, height, sha256, quality, reading, read_at,
        created_at)
      VALUES (
        \(picture.id), \(application), \(session), \(shot.type.rawValue), \(shot.subType?.rawValue ?? ""),
        \(ImageState.processed), 1500, 1056, \(picture.sha256), \(Self.quality), \(reading), \(readAt), \(now))
      """)
  }

  /// As retention leaves a picture.
  func insert(
    erased id: String, _ shot: EvidenceFixture.Shot, _ session: String, _ application: String, _ now: Instant
  ) throws {
    try tx.execute(
      """
      INSERT INTO rubix_image (
        id, application_id, session_id, type, sub_type, state, width, height, sha256, quality, created_at, erased_at)
      VALUES (
        \(id), \(application), \(session), \(shot.type.rawValue), \(shot.subType?.rawValue ?? ""),
        \(ImageState.archived), 1500, 1056, '', \(Self.quality), \(now), \(now))
      """)
  }

  /// A case for each application that waits for its call, due eight hours after it was begun.
  func insertCases(of applications: [String], tenant: String) throws {
    let hours = Duration.hours(8).wholeSeconds * 1000
    try tx.execute(
      """
      INSERT INTO casework_case (
        id, desk_id, tenant_id, kind, subject_id, person_id, state, risk, reasons, priority, opened_at, due_at, version)
      SELECT id, CAST(\(tenant) AS TEXT), tenant_id, 'rubix-call', id, id, 'open', 0, '',
        created_at + CAST(\(hours) AS BIGINT), created_at, created_at + CAST(\(hours) AS BIGINT), 1
      FROM rubix_application WHERE phase = 'awaitingCall' AND id IN \(list: applications)
      """)
  }

  /// How many applications there are.
  func applications() throws -> Int {
    try tx.first("SELECT COUNT(*) AS n FROM rubix_application")?.get("n") ?? 0
  }
}
