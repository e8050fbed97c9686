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
    /// A picture, byte for byte as it was kept, or one of a document that was encoded anew (`LikenessStore`).
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

/// Rows of `rubix_trait`. Phones are not among them: `rubix_application` has a digest of the number in force.
struct TraitStore {
  /// Applications that one look finds at most of each kind.
  static let rowsMax = 100

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

  /// Forgets what an application shows of one kind.
  func delete(_ kind: Trait.Kind, of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_trait WHERE application_id = \(application) AND kind = \(kind)")
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_trait WHERE application_id = \(application)")
  }

  func digest(_ trait: Trait, tenant: String) -> String {
    vault.digest("\(tenant)\u{0}\(trait.kind.rawValue)\u{0}\(trait.value)", for: "rubix trait")
  }
}
