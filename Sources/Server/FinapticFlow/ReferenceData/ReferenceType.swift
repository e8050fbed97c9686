// SPDX-License-Identifier: Apache-2.0

import ReferenceData

/// The lists by their names on the wire (finaptic §7).
package enum ReferenceType {
  package static let addressType = "ADDRESS_TYPE"
  package static let consentType = "CONSENT_TYPE"
  package static let disclosureType = "DISCLOSURE_TYPE"
  package static let documentType = "DOCUMENT_TYPE"
  package static let communicationPreference = "COMMUNICATION_PREFERENCE"
  package static let accountPurpose = "ACCOUNT_PURPOSE"
  package static let sourceOfFunds = "SOURCE_OF_FUNDS"
  package static let employmentStatus = "EMPLOYMENT_STATUS"
  package static let onboardingStatus = "ONBOARDING_STATUS"
  package static let country = "COUNTRY"
  package static let occupation = "OCCUPATION"
  package static let industry = "INDUSTRY"
  package static let language = "LANGUAGE"
  package static let failureCode = "FAILURE_CODE"
  /// What older documents call the failure codes (§13.2, 15).
  static let failureStatus = "FAILURE_STATUS"

  /// Before the code of a country: its provinces or states. Alone it names nothing.
  static let statePrefix = "STATE_"

  /// - Parameter country: alpha-2.
  package static func state(of country: String) -> String { statePrefix + country }

  /// The country whose provinces or states a name asks for; nil when it asks for something else, or there is no such
  /// country.
  static func country(ofStates name: String) -> Country? {
    guard name.hasPrefix(statePrefix) else { return nil }
    return Country.with(alpha2: String(name.dropFirst(statePrefix.count)))
  }
}

/// One choice, in both languages. Codes are stable; texts may be worded anew.
package struct ReferenceEntry: Sendable, Hashable {
  package let code: String
  package let english: String
  package let french: String
  /// No longer offered; what is stored with it stays valid.
  package let isWithdrawn: Bool

  package init(_ code: String, english: String, french: String, isWithdrawn: Bool = false) {
    (self.code, self.english, self.french, self.isWithdrawn) = (code, english, french, isWithdrawn)
  }
}

/// The two locales in which every text exists.
package enum ReferenceLocale: String, Sendable, CaseIterable {
  case english = "EN_CA"
  case french = "FR_CA"

  /// Nil when it is neither. `en_CA` and `en-CA` are taken for `EN_CA` (§10.5).
  package init?(wire text: String) { self.init(rawValue: text.uppercased().replacing("-", with: "_")) }

  package func text(of entry: ReferenceEntry) -> String { self == .english ? entry.english : entry.french }
}
