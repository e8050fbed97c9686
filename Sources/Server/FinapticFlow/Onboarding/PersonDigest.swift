// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import FinapticWire
import Kit
import Screening
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

  /// Of applications that were emptied before, whose cases `RightsStore.screeningMigration` deletes after it. Its name
  /// stands before that one's, for steps run in the order of their names.
  package static let clearedMigration = Migration(
    "2026-11-28 finaptic cleared refusals",
    """
    DELETE FROM finaptic_refusal
    WHERE application_id IN (SELECT id FROM finaptic_application WHERE emptied_at IS NOT NULL)
      AND application_id IN (SELECT subject_id FROM screening_case WHERE state = 'false_positive')
      AND application_id NOT IN (SELECT subject_id FROM screening_case WHERE state <> 'false_positive');
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

  /// Before what the lists said of an applicant is forgotten: a refusal that an officer's decision ended goes too, for
  /// nothing would tell afterwards that the person may apply again.
  func deleteCleared(by application: OnboardingApplication.ID, _ screening: Screening) throws {
    guard try screening.isCleared(application.rawValue, in: tx) else { return }
    try tx.execute("DELETE FROM finaptic_refusal WHERE application_id = \(application)")
  }

  func deleteAll(of tenant: Int) throws {
    try tx.execute("DELETE FROM finaptic_refusal WHERE tenant_id = \(tenant)")
  }
}
