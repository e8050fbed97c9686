// SPDX-License-Identifier: Apache-2.0

/// What a person may apply for: which checks, consents and products that takes (finaptic §5.3, §5.4). A tenant's bundles
/// are data that its operator loads; those of the specification come with the program.
package struct ProductBundle: Sendable, Hashable, Codable {
  /// A check, and the updates that it needs.
  package struct Verification: Sendable, Hashable, Codable {
    package enum Name: String, Sendable, CaseIterable, Codable {
      case kyc = "KYC"
      case profileCreation = "ProfileCreation"
      case accountUsage = "AccountUsage"
    }

    package let name: Name
    package let requiredUpdates: [UpdateKind]
  }

  /// A text that the applicant has to agree to, or to have seen.
  package struct Term: Sendable, Hashable, Codable {
    /// Code of CONSENT_TYPE or DISCLOSURE_TYPE.
    package let type: String
    package let isNeededBeforeValidation: Bool

    enum CodingKeys: String, CodingKey {
      case type
      case isNeededBeforeValidation = "neededBeforeValidation"
    }
  }

  /// What is opened for the customer.
  package enum Product: String, Sendable, CaseIterable, Codable {
    case account, prepaidCard, creditCard

    /// Which part of the bank keeps it, as the wire names it.
    package var sourceDomain: String { self == .account ? "core-banking" : "core-card" }
  }

  package let id: String
  /// Other spellings that are taken for it.
  package let aliases: [String]
  package let verifications: [Verification]
  package let consents: [Term]
  package let disclosures: [Term]
  /// In the order in which they are opened: a card is of the account before it.
  package let products: [Product]

  package var needsKYC: Bool { verifications.contains { $0.name == .kyc } }

  /// By its id or another spelling of it.
  package static func named(_ name: String, in bundles: [ProductBundle]) -> ProductBundle? {
    bundles.first { $0.id == name || $0.aliases.contains(name) }
  }
}
