// SPDX-License-Identifier: Apache-2.0

/// Lists of codes (finaptic §7).
public enum ReferenceDataTypes {
  public static let addressType = "ADDRESS_TYPE"
  public static let consentType = "CONSENT_TYPE"
  public static let disclosureType = "DISCLOSURE_TYPE"
  public static let documentType = "DOCUMENT_TYPE"
  public static let communicationPreference = "COMMUNICATION_PREFERENCE"
  public static let accountPurpose = "ACCOUNT_PURPOSE"
  public static let sourceOfFunds = "SOURCE_OF_FUNDS"
  public static let employmentStatus = "EMPLOYMENT_STATUS"
  public static let onboardingStatus = "ONBOARDING_STATUS"
  public static let country = "COUNTRY"
  /// Goes in front of a country's code: `state + "CA"`.
  public static let state = "STATE_"
  public static let occupation = "OCCUPATION"
  public static let industry = "INDUSTRY"
  public static let language = "LANGUAGE"
  public static let failureCode = "FAILURE_CODE"
}
