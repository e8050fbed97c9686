// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import GatehouseWire
import Kit
import RubixWire
import Storage

/// Rows of `rubix_session` and `rubix_image`. Images themselves are blobs.
package struct ImageStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-21 rubix image",
    """
    CREATE TABLE rubix_session (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'ARCHIVED')),
      created_at BIGINT NOT NULL
    );
    CREATE UNIQUE INDEX rubix_session_active ON rubix_session (application_id) WHERE status = 'ACTIVE';
    CREATE TABLE rubix_image (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      session_id TEXT NOT NULL REFERENCES rubix_session (id),
      type TEXT NOT NULL,
      sub_type TEXT NOT NULL DEFAULT '',
      state TEXT NOT NULL,
      width BIGINT NOT NULL,
      height BIGINT NOT NULL,
      sha256 TEXT NOT NULL,
      quality TEXT NOT NULL,
      liveness TEXT,
      client_hints BLOB,
      reading BLOB,
      read_at BIGINT,
      has_portrait BIGINT NOT NULL DEFAULT 0,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX rubix_image_application ON rubix_image (application_id, created_at, id);
    CREATE UNIQUE INDEX rubix_image_current ON rubix_image (session_id, type, sub_type) WHERE state <> 'ARCHIVED';
    """)

  static let columns: SQLColumns = """
    id, application_id, session_id, type, sub_type, state, width, height, sha256, quality, liveness, read_at,
      has_portrait, created_at
    """

  // MARK: Sessions

  func activeSession(of application: Application.ID) throws -> CaptureSession? {
    try tx.first(
      "SELECT id, created_at FROM rubix_session WHERE application_id = \(application) AND status = 'ACTIVE'"
    ).map { CaptureSession(id: try $0.get("id"), application: application, createdAt: try $0.get("created_at")) }
  }

  func insert(_ session: CaptureSession) throws {
    try tx.execute(
      """
      INSERT INTO rubix_session (id, application_id, status, created_at)
      VALUES (\(session.id), \(session.application), 'ACTIVE', \(session.createdAt))
      """)
  }

  /// Puts a session aside, whose images were before.
  func archive(_ session: CaptureSession.ID) throws {
    try tx.execute("UPDATE rubix_session SET status = 'ARCHIVED' WHERE id = \(session)")
  }

  // MARK: Images

  /// Stores a new image; the one before it was replaced.
  func insert(_ image: CapturedImage, clientHints: Data?) throws {
    try tx.execute(
      """
      INSERT INTO rubix_image (
        id, application_id, session_id, type, sub_type, state, width, height, sha256, quality, liveness, client_hints,
        created_at)
      VALUES (
        \(image.id), \(image.application), \(image.session), \(image.type.rawValue),
        \(image.subType?.rawValue ?? ""), \(image.state), \(image.width), \(image.height), \(image.sha256),
        \(try Self.json(image.quality)), \(try image.liveness.map(Self.json)), \(clientHints), \(image.createdAt))
      """)
  }

  /// Images in force: those of the active session that were not replaced, oldest first.
  func current(of application: Application.ID) throws -> [CapturedImage] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM rubix_image
      WHERE application_id = \(application) AND state <> 'ARCHIVED'
        AND session_id IN (SELECT id FROM rubix_session WHERE application_id = \(application) AND status = 'ACTIVE')
      ORDER BY created_at, id LIMIT 100
      """
    ).map(Self.image)
  }

  /// - Throws: `Problem` not-found, also for another application's image and for one that was erased.
  func find(_ id: CapturedImage.ID, of application: Application.ID) throws -> CapturedImage {
    guard
      let row = try tx.first(
        """
        SELECT \(Self.columns) FROM rubix_image WHERE id = \(id) AND application_id = \(application) AND erased_at IS NULL
        """)
    else { throw Problem.missing(.picture) }
    return try Self.image(row)
  }

  /// The image that the worker is to read, with its application; nil when it was erased or replaced.
  func toRead(_ id: CapturedImage.ID) throws -> (image: CapturedImage, hints: ClientHints?)? {
    try tx.first(
      """
      SELECT \(Self.columns), client_hints FROM rubix_image WHERE id = \(id) AND state = 'PROCESSING' AND read_at IS NULL
      """
    ).map { (try Self.image($0), try hints($0, of: id)) }
  }

  /// Keeps what the worker read.
  /// - Returns: false when the image was replaced or erased meanwhile; nothing is kept then.
  @discardableResult
  func setReading(_ sealed: Data, hasPortrait: Bool, of id: CapturedImage.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE rubix_image SET reading = \(sealed), read_at = \(now), has_portrait = \(hasPortrait)
      WHERE id = \(id) AND state = 'PROCESSING' AND read_at IS NULL
      """) == 1
  }

  /// What the worker read; nil while it did not.
  func reading(of id: CapturedImage.ID) throws -> DocumentReading? {
    try sealedReading(of: id).map {
      try vault.open($0, as: DocumentReading.self, context: StoredReading.context(id), in: tx)
    }
  }

  func sealedReading(of id: CapturedImage.ID) throws -> Data? {
    try tx.first("SELECT reading FROM rubix_image WHERE id = \(id)")?.get("reading", as: Data?.self)
  }

  /// - Throws: `SQLError.outdated` when its state changed meanwhile.
  func setState(_ state: ImageState, of id: CapturedImage.ID, from: ImageState) throws {
    let changed = try tx.execute("UPDATE rubix_image SET state = \(state) WHERE id = \(id) AND state = \(from)")
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// How many images of a type were taken in this application, replaced ones included.
  func count(_ type: DocumentType, of application: Application.ID) throws -> Int {
    try tx.first(
      "SELECT COUNT(*) AS n FROM rubix_image WHERE application_id = \(application) AND type = \(type.rawValue)"
    )?.get("n") ?? 0
  }

  /// The app's own reading; nil when it sent none.
  func hints(_ row: SQLRow, of id: CapturedImage.ID) throws -> ClientHints? {
    try row.get("client_hints", as: Data?.self).map {
      try vault.open($0, as: ClientHints.self, context: ClientHints.context(id), in: tx)
    }
  }

  static func image(_ row: SQLRow) throws -> CapturedImage {
    let subType: String = try row.get("sub_type")
    let liveness: String? = try row.get("liveness")
    return CapturedImage(
      id: try row.get("id"), application: try row.get("application_id"), session: try row.get("session_id"),
      type: DocumentType(rawValue: try row.get("type")),
      subType: subType.isEmpty ? nil : SelfieSubType(rawValue: subType), state: try row.get("state"),
      width: try row.get("width"), height: try row.get("height"), sha256: try row.get("sha256"),
      quality: try WireJSON.decode(RubixWire.ImageQuality.self, stored: Data(row.get("quality", as: String.self).utf8)),
      liveness: try liveness.map { try WireJSON.decode(LivenessOutcome.self, stored: Data($0.utf8)) },
      isRead: try row.get("read_at", as: Instant?.self) != nil, hasPortrait: try row.get("has_portrait"),
      createdAt: try row.get("created_at"))
  }

  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try WireJSON.encode(value), as: UTF8.self)
  }
}
