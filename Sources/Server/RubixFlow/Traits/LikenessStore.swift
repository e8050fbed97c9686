import Evidence
import Kit
import Storage

/// Rows of `rubix_likeness`: keyed digests of the parts of a picture's hash, by which the same picture is found again
/// after it was encoded anew. No row tells what the picture looks like.
struct LikenessStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let migration = Migration(
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

  /// Pictures of an application that are compared, the newest, beside those in force: with every retake that counts,
  /// each look would join as many pictures as the customer took with as many of every other application.
  static let picturesMax = 16

  /// Keeps what a picture of an application looks like; what is kept already stays. Of the oldest pictures beyond
  /// `picturesMax` it is forgotten, unless they are in force: retakes of one side leave the other side what it is.
  func note(_ hash: PictureHash, of picture: CapturedImage.ID, in application: Application) throws {
    for (place, part) in hash.parts.enumerated() {
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

  /// Other applications with a picture that is taken for one of this application's, the newest first. The digests hold
  /// the tenant, so that they are of the same one.
  func shared(with id: Application.ID) throws -> [Application.ID] {
    try tx.query(
      """
      SELECT DISTINCT application_id AS id FROM (
        SELECT other.application_id AS application_id
        FROM rubix_likeness AS mine JOIN rubix_likeness AS other ON other.digest = mine.digest
        WHERE mine.application_id = \(id) AND other.application_id <> \(id)
        GROUP BY mine.picture, other.picture, other.application_id
        HAVING COUNT(*) >= \(PictureHash.partsShared)
      ) AS alike
      ORDER BY id DESC LIMIT \(TraitStore.rowsMax)
      """
    ).map { try $0.get("id") }
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_likeness WHERE application_id = \(application)")
  }
}
