// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension ImageStore {
  package static let erasureMigration = Migration(
    "2026-11-22 rubix image erasure", "ALTER TABLE rubix_image ADD COLUMN erased_at BIGINT;")
  /// The earlier indexes are those of active sessions and of pictures in force: an erasure read both tables whole.
  package static let sessionMigration = Migration(
    "2026-12-09 rubix image session",
    """
    CREATE INDEX rubix_session_application ON rubix_session (application_id);
    CREATE INDEX rubix_image_session ON rubix_image (session_id);
    """)

  /// Every image of an application that was not erased, replaced ones included, oldest first.
  func all(of application: Application.ID) throws -> [CapturedImage] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM rubix_image WHERE application_id = \(application) AND erased_at IS NULL
      ORDER BY created_at, id LIMIT 1000
      """
    ).map(Self.image)
  }

  /// The app's own reading; nil when it sent none.
  func hints(of id: CapturedImage.ID) throws -> ClientHints? {
    try tx.first("SELECT client_hints FROM rubix_image WHERE id = \(id)").flatMap { try hints($0, of: id) }
  }

  /// Every biometric session of an application, oldest first.
  func sessions(of application: Application.ID) throws -> [(session: CaptureSession, isActive: Bool)] {
    try tx.query(
      """
      SELECT id, status, created_at FROM rubix_session WHERE application_id = \(application)
      ORDER BY created_at, id LIMIT 1000
      """
    ).map { row in
      let session = CaptureSession(
        id: try row.get("id"), application: application, createdAt: try row.get("created_at"))
      return (session, try row.get("status", as: String.self) == "ACTIVE")
    }
  }

  /// Ids of every image of an application, whose blobs may be there: erased ones as well, for a worker may still be
  /// about to delete them.
  func ids(of application: Application.ID) throws -> [CapturedImage.ID] {
    try tx.query("SELECT id FROM rubix_image WHERE application_id = \(application) ORDER BY id").map {
      try $0.get("id")
    }
  }

  /// Forgets what an application's images show; the rows stay as evidence that there were some.
  /// - Returns: the images whose blobs are to go.
  func eraseImages(of application: Application.ID, at now: Instant) throws -> [CapturedImage.ID] {
    try tx.query(
      """
      UPDATE rubix_image SET state = \(ImageState.archived), reading = NULL, client_hints = NULL, has_portrait = 0,
        liveness = NULL, sha256 = '', erased_at = \(now)
      WHERE application_id = \(application) AND erased_at IS NULL
      RETURNING id
      """
    ).map { try $0.get("id") }
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_image WHERE application_id = \(application)")
    try tx.execute("DELETE FROM rubix_session WHERE application_id = \(application)")
  }

  /// A page of the ids of images that were not erased, ascending over the whole installation; for backups.
  package static func kept(after id: String, limit: Int, in tx: any SQLTransaction) throws -> [String] {
    try tx.query("SELECT id FROM rubix_image WHERE id > \(id) AND erased_at IS NULL ORDER BY id LIMIT \(limit)").map {
      try $0.get("id")
    }
  }

  /// Whether an image is still there to be seen.
  package static func isKept(_ id: String, in tx: any SQLTransaction) throws -> Bool {
    try tx.first("SELECT id FROM rubix_image WHERE id = \(id) AND erased_at IS NULL") != nil
  }
}

extension CapturedImage {
  /// The keys under which something of an image may be stored: the picture itself first, which always is.
  package static func blobKeys(_ id: ID) -> [String] { [id.rawValue, portraitKey(id), originalKey(id)] }
}
