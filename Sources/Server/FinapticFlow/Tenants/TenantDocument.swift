// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// A text that customers have to see or agree to, by the code that asks for it (finaptic §5.4, §7).
package struct TenantDocument: Sendable, Equatable {
  /// Code of CONSENT_TYPE or DISCLOSURE_TYPE.
  package let type: String
  /// Names the document and its version.
  package let url: String

  package init(type: String, url: String) { (self.type, self.url) = (type, url) }
}

extension TenantDocument {
  static let electronicCommunication = "CONSENT_TYPE_ELECTRONIC_COMMUNICATION"
  static let privacyPolicy = "CONSENT_TYPE_PRIVACY_POLICY"
  static let termsOfUse = "CONSENT_TYPE_TERMS_OF_USE_OF_APP"
  static let productAgreement = "CONSENT_TYPE_PRODUCT_AGREEMENT"
  static let prepaidDisclosure = "DISCLOSURE_TYPE_DISCLOSURES_DURING_ISSUANCE_OF_PREPAID_CARD"
  static let creditDisclosure = "DISCLOSURE_TYPE_CREDIT_CARD_INFORMATION_BOX"

  /// In the order in which apps ask; whether they are needed before the first validation.
  static let consents: [(type: String, neededBeforeValidation: Bool)] = [
    (electronicCommunication, true), (privacyPolicy, true), (termsOfUse, true), (productAgreement, false),
  ]
  static let disclosures = [prepaidDisclosure, creditDisclosure]
  package static let types = consents.map(\.type) + disclosures

  /// The address of a document unless an operator sets another one: below the server's own address.
  static func standardURL(_ type: String, publicURL: String) -> String {
    "\(publicURL)/finaptic/pages/documents/\(pageName(type))/1.0"
  }

  /// The names of the pages that stand below the server's own address.
  package static let pageNames = Set(types.map(pageName))

  private static func pageName(_ type: String) -> String {
    type.lowercased().replacing("_", with: "-")
      .replacing("consent-type-", with: "").replacing("disclosure-type-", with: "")
  }

  /// - Throws: `Problem` validation.
  func check() throws {
    guard Self.types.contains(type) else {
      throw Problem.finapticFields([.init("/type", "unknown", "One of \(Self.types.joined(separator: ", ")).")])
    }
    guard WebAddress(url, lengthMax: 1024) != nil else {
      throw Problem.finapticFields([.init("/url", "format", "An address such as https://bank.example/terms.")])
    }
  }
}
