// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import Storage

/// What two applications may share: a keyed digest of it tells that they do, and does not tell what it is.
package struct Trait: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    /// The number that codes are sent to.
    case phone
    /// As the app names the device.
    case device
    /// The number of a document with the State that issued it.
    case document
    /// A picture, byte for byte as it was kept, or one of a document that was encoded anew.
    case picture

    /// Whether it tells of one person, where a household shares a phone and a device.
    var isOfPerson: Bool { self == .document || self == .picture }
  }

  let kind: Kind
  let value: String

  static func device(_ id: String) -> Trait { Trait(kind: .device, value: id) }
  static func picture(sha256: String) -> Trait { Trait(kind: .picture, value: sha256) }

  /// - Returns: nil where no number was read.
  static func document(_ document: Applicant.Verified.Document) -> Trait? {
    let number = (document.number ?? "").uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard !number.isEmpty else { return nil }
    return Trait(kind: .document, value: "\(document.issuingState ?? "")\u{0}\(number)")
  }
}

/// Rows of `rubix_trait` and `rubix_likeness`. Phones are not among them: `rubix_application` has a digest of the number
/// in force. A likeness is a keyed digest of one part of a picture's hash, by which the same picture is found again after
/// it was encoded anew; no row tells what the picture looks like.
struct TraitStore {
  /// Applications that one look finds at most of each kind.
  static let rowsMax = 100
  /// Pictures of an application that are compared, the newest, beside those in force: with every retake that counts,
  /// each look would join as many pictures as the customer took with as many of every other application.
  static let picturesMax = 16

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let migration = Migration(
    "2026-11-29 rubix trait",
    """
    CREATE TABLE rubix_trait (
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      digest TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('device', 'document', 'picture')),
      noted_at BIGINT NOT NULL,
      PRIMARY KEY (application_id, digest)
    );
    CREATE INDEX rubix_trait_digest ON rubix_trait (digest, application_id);
    """)

  static let likenessMigration = Migration(
    "2026-12-03 rubix likeness",
    """
    CREATE TABLE rubix_likeness (
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      picture TEXT NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (picture, digest)
    );
    CREATE INDEX rubix_likeness_digest ON rubix_likeness (digest, application_id);
    CREATE INDEX rubix_likeness_application ON rubix_likeness (application_id);
    """)

  /// Keeps what an application shows; what is kept already stays.
  func note(_ traits: [Trait], of application: Application, at now: Instant) throws {
    for trait in Set(traits) {
      try tx.execute(
        """
        INSERT INTO rubix_trait (application_id, digest, kind, noted_at)
        VALUES (\(application.id), \(digest(trait, tenant: application.tenant)), \(trait.kind), \(now))
        ON CONFLICT (application_id, digest) DO NOTHING
        """)
    }
  }

  /// Keeps what a picture of an application looks like; what is kept already stays. Of the oldest pictures beyond
  /// `picturesMax` it is forgotten, unless they are in force: retakes of one side leave the other side what it is.
  func note(_ likeness: PictureHash, of picture: CapturedImage.ID, in application: Application) throws {
    for (place, part) in likeness.parts.enumerated() {
      let digest = vault.digest("\(application.tenant)\u{0}\(place)\u{0}\(part)", for: "rubix likeness")
      try tx.execute(
        """
        INSERT INTO rubix_likeness (application_id, picture, digest)
        VALUES (\(application.id), \(picture), \(digest)) ON CONFLICT (picture, digest) DO NOTHING
        """)
    }
    // Ids of pictures are in the order of time.
    try tx.execute(
      """
      DELETE FROM rubix_likeness WHERE application_id = \(application.id) AND picture NOT IN (
        SELECT DISTINCT picture FROM rubix_likeness
        WHERE application_id = \(application.id) ORDER BY picture DESC LIMIT \(Self.picturesMax))
      AND picture NOT IN (
        SELECT image.id FROM rubix_image AS image JOIN rubix_session AS session ON session.id = image.session_id
        WHERE image.application_id = \(application.id) AND image.state <> 'ARCHIVED' AND session.status = 'ACTIVE')
      """)
  }

  /// Other applications that share a trait of this kind with this one, the newest first. The digests hold the tenant,
  /// so that they are of the same one.
  func shared(_ kind: Trait.Kind, with id: Application.ID) throws -> [Application.ID] {
    try tx.query(
      """
      SELECT DISTINCT other.application_id AS id
      FROM rubix_trait AS mine JOIN rubix_trait AS other ON other.digest = mine.digest
      WHERE mine.application_id = \(id) AND mine.kind = \(kind) AND other.application_id <> \(id)
      ORDER BY id DESC LIMIT \(Self.rowsMax)
      """
    ).map { try $0.get("id") }
  }

  /// Other applications with a picture that is taken for one of this application's, the newest first. The digests hold
  /// the tenant, so that they are of the same one.
  func alike(to id: Application.ID) throws -> [Application.ID] {
    try tx.query(
      """
      SELECT DISTINCT application_id AS id FROM (
        SELECT other.application_id AS application_id
        FROM rubix_likeness AS mine JOIN rubix_likeness AS other ON other.digest = mine.digest
        WHERE mine.application_id = \(id) AND other.application_id <> \(id)
        GROUP BY mine.picture, other.picture, other.application_id
        HAVING COUNT(*) >= \(PictureHash.partsShared)
      ) AS alike
      ORDER BY id DESC LIMIT \(Self.rowsMax)
      """
    ).map { try $0.get("id") }
  }

  /// Forgets what an application shows of one kind; of pictures also what they look like.
  func delete(_ kind: Trait.Kind, of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_trait WHERE application_id = \(application) AND kind = \(kind)")
    if kind == .picture { try deleteLikenesses(of: application) }
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_trait WHERE application_id = \(application)")
    try deleteLikenesses(of: application)
  }

  private func deleteLikenesses(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_likeness WHERE application_id = \(application)")
  }

  func digest(_ trait: Trait, tenant: String) -> String {
    vault.digest("\(tenant)\u{0}\(trait.kind.rawValue)\u{0}\(trait.value)", for: "rubix trait")
  }
}
