// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import Storage

/// What two onboardings of an institution may share: a keyed digest of it tells that they do, and does not tell what it
/// is. The institution's user is not among them: `wultra_process` has a digest of that. Telephones and devices are the
/// institution's and PowerAuth's, and are not known here.
struct ProcessTrait: Sendable, Hashable {
  enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    /// The number of a document with the State that issued it.
    case document
    /// A picture of a document, byte for byte.
    case picture
  }

  let kind: Kind
  let value: String

  /// - Parameter reading: the provider's record; of another provider's words nothing is taken.
  static func of(_ picture: Data, _ reading: Data) -> [ProcessTrait] {
    var traits = [ProcessTrait(kind: .picture, value: picture.sha256Hex)]
    if let own = try? JSONDecoder().decode(DocumentReading.self, from: reading) {
      let text =
        own.mrz?.fields?.documentNumber ?? own.barcode?.licence.number ?? own.visualZone?[.documentNumber] ?? ""
      let number = text.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
      if !number.isEmpty {
        traits.append(
          ProcessTrait(kind: .document, value: "\(own.mrz?.fields?.issuingState ?? "")\u{0}\(number)"))
      }
    }
    return traits
  }
}

/// Rows of `wultra_trait`.
struct ProcessTraitStore {
  /// Onboardings that one look finds at most of each kind.
  static let rowsMax = 100

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let migration = Migration(
    "2026-12-02 wultra trait",
    """
    CREATE TABLE wultra_trait (
      process_id TEXT NOT NULL REFERENCES wultra_process (id),
      digest TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('document', 'picture')),
      noted_at BIGINT NOT NULL,
      PRIMARY KEY (process_id, digest)
    );
    CREATE INDEX wultra_trait_digest ON wultra_trait (digest, process_id);
    """)

  /// Older rows name no verification.
  static let verificationMigration = Migration(
    "2026-12-05 wultra trait verification", "ALTER TABLE wultra_trait ADD COLUMN verification_id TEXT;")

  /// Keeps what a verification of an onboarding shows. What an earlier one showed too is this one's from now on, so that
  /// it does not go with the pictures of the earlier one.
  func note(
    _ traits: [ProcessTrait], of process: OnboardingProcess, in verification: IdentityVerification.ID, at now: Instant
  ) throws {
    for trait in Set(traits) {
      let digest = vault.digest(
        "\(process.tenant)\u{0}\(trait.kind.rawValue)\u{0}\(trait.value)", for: "wultra trait")
      try tx.execute(
        """
        INSERT INTO wultra_trait (process_id, digest, kind, noted_at, verification_id)
        VALUES (\(process.id), \(digest), \(trait.kind), \(now), \(verification))
        ON CONFLICT (process_id, digest) DO UPDATE SET verification_id = excluded.verification_id
        """)
    }
  }

  /// Other onboardings that share a trait of this kind with this one, the newest first. The digests hold the tenant, so
  /// that they are of the same one.
  func shared(_ kind: ProcessTrait.Kind, with id: OnboardingProcess.ID) throws -> [OnboardingProcess.ID] {
    try tx.query(
      """
      SELECT DISTINCT other.process_id AS id
      FROM wultra_trait AS mine JOIN wultra_trait AS other ON other.digest = mine.digest
      WHERE mine.process_id = \(id) AND mine.kind = \(kind) AND other.process_id <> \(id)
      ORDER BY id DESC LIMIT \(Self.rowsMax)
      """
    ).map { try $0.get("id") }
  }

  /// The digests of pictures go with the pictures of their verification.
  func deletePictures(of verification: IdentityVerification.ID, in process: OnboardingProcess.ID) throws {
    try tx.execute(
      """
      DELETE FROM wultra_trait
      WHERE process_id = \(process) AND kind = 'picture'
        AND (verification_id = \(verification) OR verification_id IS NULL)
      """)
  }

  /// Every digest, with whose onboarding it was.
  func deleteAll(of process: OnboardingProcess.ID) throws {
    try tx.execute("DELETE FROM wultra_trait WHERE process_id = \(process)")
  }
}

/// Another onboarding of the same institution, and what it shares with one: a hint for the person who decides, which
/// decides nothing.
package struct RelatedProcess: Sendable, Equatable {
  static let processesMax = 20

  package let id: OnboardingProcess.ID
  package let status: ProcessStatus
  package let createdAt: Instant
  /// `user`, `document` and `picture`, in this order.
  package let shared: [String]

  /// Onboardings that share most first, then the newest.
  static func all(
    of process: OnboardingProcess, in tx: any SQLTransaction, vault: Vault
  ) throws -> [RelatedProcess] {
    let store = ProcessStore(tx, vault: vault)
    var shared: [OnboardingProcess.ID: [String]] = [:]
    if let user = process.person.user {
      for id in try store.ids(ofUser: user, tenant: process.tenant, limit: ProcessTraitStore.rowsMax)
      where id != process.id { shared[id, default: []].append("user") }
    }
    for kind in ProcessTrait.Kind.allCases {
      for id in try ProcessTraitStore(tx, vault: vault).shared(kind, with: process.id) {
        shared[id, default: []].append(kind.rawValue)
      }
    }
    let first = shared.sorted { ($0.value.count, $0.key.rawValue) > ($1.value.count, $1.key.rawValue) }
    return try first.prefix(processesMax).compactMap { id, kinds in
      try store.find(id).map { RelatedProcess(id: id, status: $0.status, createdAt: $0.createdAt, shared: kinds) }
    }
  }
}
