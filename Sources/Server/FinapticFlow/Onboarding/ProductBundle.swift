/// What a person may apply for: which checks, consents and products that takes (finaptic §5.3, §5.4). Data, not code: a
/// tenant's bundles are values of this.
package struct ProductBundle: Sendable, Hashable, Codable {
  /// A check, with the updates that it needs.
  package enum Verification: String, Sendable, CaseIterable, Codable {
    case kyc = "KYC"
    case profileCreation = "ProfileCreation"
    case accountUsage = "AccountUsage"
  }

  /// A text that the applicant has to agree to, or to have seen.
  package struct Term: Sendable, Hashable, Codable {
    /// Code of CONSENT_TYPE or DISCLOSURE_TYPE.
    package let type: String
    package let isNeededBeforeValidation: Bool

    package init(_ type: String, beforeValidation: Bool) {
      self.type = type
      isNeededBeforeValidation = beforeValidation
    }
  }

  /// What is opened for the customer.
  package enum Product: String, Sendable, CaseIterable, Codable {
    case account, prepaidCard, creditCard

    /// Which part of the bank keeps it, in the words of the wire.
    package var sourceDomain: String { self == .account ? "core-banking" : "core-card" }
  }

  package let id: String
  /// Other spellings that are taken for it.
  package var aliases: [String] = []
  package var verifications: [Verification]
  package var consents: [Term] = []
  package var disclosures: [Term] = []
  package var products: [Product] = []

  package var needsKYC: Bool { verifications.contains(.kyc) }

  /// The updates that a check needs (§5.3).
  package func requiredUpdates(for verification: Verification) -> [UpdateKind] {
    switch verification {
    case .kyc:
      [.personalDetails, .contactDetails, .addresses, .customerResidency, .employment, .consents]
    case .accountUsage: [.accountDetails, .consents] + (disclosures.isEmpty ? [] : [.disclosures])
    case .profileCreation: [.personalDetails, .contactDetails]
    }
  }
}

extension ProductBundle {
  private static let bought = TenantDocument.consents.map { Term($0.type, beforeValidation: $0.neededBeforeValidation) }
  private static let validated = bought.filter(\.isNeededBeforeValidation)

  /// The five of the specification.
  package static let standard: [ProductBundle] = [
    .init(
      id: "depositV1", aliases: ["despositV1"], verifications: [.kyc, .accountUsage], consents: bought,
      products: [.account]),
    .init(
      id: "prepaidV1", verifications: [.kyc, .accountUsage], consents: bought,
      disclosures: [Term(TenantDocument.prepaidDisclosure, beforeValidation: false)],
      products: [.account, .prepaidCard]),
    .init(
      id: "creditcardV1", verifications: [.kyc, .accountUsage], consents: bought,
      disclosures: [Term(TenantDocument.creditDisclosure, beforeValidation: false)],
      products: [.account, .creditCard]),
    .init(id: "productlessV1", verifications: [.profileCreation]),
    .init(id: "kycV1", verifications: [.kyc], consents: validated),
  ]

  /// By its id or another spelling of it.
  package static func named(_ name: String, in bundles: [ProductBundle]) -> ProductBundle? {
    bundles.first { $0.id == name || $0.aliases.contains(name) }
  }
}
