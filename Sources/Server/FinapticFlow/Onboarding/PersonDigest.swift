import DocumentCore
import FinapticWire
import Kit
import Storage

extension FinapticAPI.PersonalDetails {
  /// A person by name and date of birth, found again without being known: who was refused for good may not re-apply
  /// (finaptic §5.5). Nil while the date of birth is missing. Case, accents and marks do not count.
  func digest(tenant: Int, vault: Vault) -> String? {
    guard let birth = dateOfBirth else { return nil }
    let words = [firstName, middleName, lastName].map { Transliteration.words(of: $0 ?? "").joined(separator: " ") }
    return vault.digest("\(tenant) \(birth) \(words.joined(separator: "|"))", for: "finaptic person")
  }
}

/// Rows of `finaptic_refusal`.
package struct RefusalStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 finaptic 15 refusal",
    """
    CREATE TABLE finaptic_refusal (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      person_digest TEXT NOT NULL,
      application_id TEXT NOT NULL REFERENCES finaptic_application (id),
      refused_at BIGINT NOT NULL,
      PRIMARY KEY (tenant_id, person_digest)
    );
    """)

  /// The application in which a person was refused; nil for whom nothing stands in the way.
  func find(_ digest: String, tenant: Int) throws -> OnboardingApplication.ID? {
    try tx.first(
      "SELECT application_id FROM finaptic_refusal WHERE tenant_id = \(tenant) AND person_digest = \(digest)"
    )?.get("application_id")
  }

  /// Another refusal takes the place of one that an officer's decision ended.
  func replace(_ digest: String, tenant: Int, application: OnboardingApplication.ID, at now: Instant) throws {
    try tx.execute("DELETE FROM finaptic_refusal WHERE tenant_id = \(tenant) AND person_digest = \(digest)")
    try insert(digest, tenant: tenant, application: application, at: now)
  }

  /// The first refusal stays.
  func insert(_ digest: String, tenant: Int, application: OnboardingApplication.ID, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_refusal (tenant_id, person_digest, application_id, refused_at)
      VALUES (\(tenant), \(digest), \(application), \(now)) ON CONFLICT (tenant_id, person_digest) DO NOTHING
      """)
  }

  func deleteAll(of tenant: Int) throws {
    try tx.execute("DELETE FROM finaptic_refusal WHERE tenant_id = \(tenant)")
  }
}
