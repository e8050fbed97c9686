// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// The four documents that the app shows before its first call can have an answer (finaptic §2.2).
struct ConsentDocuments: Sendable {
  let electronicCommunication: TermsAndConditions
  let termsOfUse: TermsAndConditions
  let productAgreement: TermsAndConditions
  let privacyPolicy: TermsAndConditions

  /// - Throws: when one of them is not there: there is no way to sign anything then.
  init(_ configuration: FinapticAPI.Configuration) throws(FinapticError) {
    func document(_ type: String) throws(FinapticError) -> TermsAndConditions {
      guard let terms = configuration.consents.first(where: { $0.documentType == type }) else {
        throw .unreadable("no document of \(type)")
      }
      return TermsAndConditions(terms)
    }
    electronicCommunication = try document("CONSENT_TYPE_ELECTRONIC_COMMUNICATION")
    termsOfUse = try document("CONSENT_TYPE_TERMS_OF_USE_OF_APP")
    productAgreement = try document("CONSENT_TYPE_PRODUCT_AGREEMENT")
    privacyPolicy = try document("CONSENT_TYPE_PRIVACY_POLICY")
  }
}
