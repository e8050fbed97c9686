// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// A customer as the bank knows them (finaptic §8.12): made when their first application is finalised, filled again by
/// each later one, but for what a check of identity vouches for.
package struct ClientProfile: Sendable, Codable, Equatable {
  package var personal: FinapticAPI.PersonalDetails?
  package var contact: FinapticAPI.ContactDetails?
  package var preferences: OnboardingApplication.Preferences?
  package var employment: [FinapticAPI.Employment] = []
  package var residency: FinapticAPI.Residency?
  package var addresses: [FinapticAPI.Address] = []
  /// Whether their identity was verified.
  package var isVerified = false

  package init() {}

  /// Takes over the content of an application; members that it lacks stay as they were.
  ///
  /// Once an identity was verified, names, date of birth, e-mail address, home and residency change with another check
  /// only; telephone number, employment, other addresses and other tax residences need none (§8.12).
  /// - Parameter verified: whether this application came with a check of identity.
  mutating func take(_ application: OnboardingApplication, isVerified verified: Bool) {
    let content = application.content
    if isVerified && !verified {
      takeUnverified(content)
    } else {
      personal = content.personal ?? personal
      contact = content.contact ?? contact
      residency = content.residency ?? residency
      if !content.addresses.isEmpty { addresses = content.addresses }
    }
    preferences = content.preferences ?? preferences
    if let employment = content.employment { self.employment = [employment] }
    isVerified = isVerified || verified
  }

  private mutating func takeUnverified(_ content: OnboardingApplication.Content) {
    if let number = content.contact?.contactPhoneNumber { contact?.contactPhoneNumber = number }
    if let others = content.residency?.otherResidences { residency?.otherResidences = others }
    let others = content.addresses.filter { $0.type != "HOME" }
    if !others.isEmpty { addresses = addresses.filter { $0.type == "HOME" } + others }
  }

  /// First and last name, as accounts and cards show them.
  package var legalName: String { personal?.legalName ?? "" }
}

extension FinapticAPI.PersonalDetails {
  var legalName: String { [firstName, lastName].compactMap(\.self).joined(separator: " ") }
}

/// Rows of `finaptic_client_profile`.
package struct ClientProfileStore {
  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  package static let migration = Migration(
    "2026-11-22 finaptic 12 client profile",
    """
    CREATE TABLE finaptic_client_profile (
      customer_id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      user_id TEXT NOT NULL UNIQUE REFERENCES finaptic_user (id),
      content BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL
    );
    """)

  func find(_ customer: String) throws -> ClientProfile? {
    try tx.first("SELECT content FROM finaptic_client_profile WHERE customer_id = \(customer)").map {
      try vault.open($0.get("content"), or: ClientProfile(), context: Self.context(customer), in: tx)
    }
  }

  /// The language in which a customer is written to: the one that they chose in their application, English before that.
  func locale(of customer: String?) throws -> String {
    guard let customer else { return "en" }
    return Self.locale(try find(customer)?.preferences?.language)
  }

  /// `LANGUAGE_FR_CA` is `fr-CA`.
  static func locale(_ code: String?) -> String {
    let words = (code ?? "").split(separator: "_")
    return words.count == 3 ? "\(words[1].lowercased())-\(words[2])" : "en"
  }

  /// - Throws: `SQLError.notUnique` when the user became a customer at the same moment.
  package func put(_ profile: ClientProfile, _ customer: String, user: FinapticUser.ID, tenant: Int, at now: Instant)
    throws
  {
    let sealed = try vault.seal(profile, as: Self.context(customer), of: KeySubject(user), in: tx)
    try tx.execute(
      """
      INSERT INTO finaptic_client_profile
        (customer_id, tenant_id, user_id, content, created_at, updated_at, version)
      VALUES (\(customer), \(tenant), \(user), \(sealed), \(now), \(now), 0)
      ON CONFLICT (customer_id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at,
        version = finaptic_client_profile.version + 1
      """)
  }

  static func context(_ customer: String) -> String { "finaptic_client_profile.content:\(customer)" }
}
