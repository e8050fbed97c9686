// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// Names and date of birth.
  public struct UpdatePersonalDetailsRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var customerPersonalDetails: PersonalDetails?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, customerPersonalDetails: PersonalDetails? = nil) {
      (self.onboardingApplicationId, self.customerPersonalDetails) = (onboardingApplicationId, customerPersonalDetails)
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case customerPersonalDetails = "customer_personal_details"
    }
  }

  /// See `UpdatePersonalDetailsRequest`.
  public struct PersonalDetails: Codable, Sendable, Hashable {
    public var firstName: String?
    public var middleName: String?
    public var lastName: String?
    /// `YYYY-MM-DD`.
    public var dateOfBirth: String?
    public var alias: String?

    /// Creates the value from its members.
    public init(
      firstName: String? = nil, middleName: String? = nil, lastName: String? = nil, dateOfBirth: String? = nil,
      alias: String? = nil
    ) {
      (self.firstName, self.middleName, self.lastName) = (firstName, middleName, lastName)
      (self.dateOfBirth, self.alias) = (dateOfBirth, alias)
    }

    enum CodingKeys: String, CodingKey {
      case alias
      case firstName = "first_name"
      case middleName = "middle_name"
      case lastName = "last_name"
      case dateOfBirth = "date_of_birth"
    }
  }

  /// E-mail address and telephone.
  public struct UpdateContactDetailsRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var customerContactDetails: ContactDetails?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, customerContactDetails: ContactDetails? = nil) {
      (self.onboardingApplicationId, self.customerContactDetails) = (onboardingApplicationId, customerContactDetails)
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case customerContactDetails = "customer_contact_details"
    }
  }

  /// See `UpdateContactDetailsRequest`.
  public struct ContactDetails: Codable, Sendable, Hashable {
    public var contactPhoneNumber: Phone?
    public var customerEmail: String?
    /// Deprecated: a bare number, which takes no text messages. `contactPhoneNumber` wins.
    public var phoneNumber: String?

    /// Creates the value from its members.
    public init(contactPhoneNumber: Phone? = nil, customerEmail: String? = nil, phoneNumber: String? = nil) {
      (self.contactPhoneNumber, self.customerEmail, self.phoneNumber) = (contactPhoneNumber, customerEmail, phoneNumber)
    }

    enum CodingKeys: String, CodingKey {
      case contactPhoneNumber = "contact_phone_number"
      case customerEmail = "customer_email"
      case phoneNumber = "phone_number"
    }
  }

  /// A telephone, with `+` and country code.
  public struct Phone: Codable, Sendable, Hashable {
    public var smsCompatible: Bool?
    public var number: String?

    /// Creates the value from its members.
    public init(smsCompatible: Bool? = nil, number: String? = nil) {
      (self.smsCompatible, self.number) = (smsCompatible, number)
    }

    enum CodingKeys: String, CodingKey {
      case number
      case smsCompatible = "sms_compatible"
    }
  }

  /// What the account is for.
  public struct UpdateAccountDetailsRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var accountDetails: AccountUsage?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, accountDetails: AccountUsage? = nil) {
      (self.onboardingApplicationId, self.accountDetails) = (onboardingApplicationId, accountDetails)
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case accountDetails = "account_details"
    }
  }

  /// See `UpdateAccountDetailsRequest`.
  public struct AccountUsage: Codable, Sendable, Hashable {
    /// A code of ACCOUNT_PURPOSE.
    public var accountPurpose: String?
    /// Codes of SOURCE_OF_FUNDS.
    public var primarySourceOfFunds: [String]?
    public var authorizedThirdPartyUsage: Bool?

    /// Creates the value from its members.
    public init(
      accountPurpose: String? = nil, primarySourceOfFunds: [String]? = nil, authorizedThirdPartyUsage: Bool? = nil
    ) {
      self.accountPurpose = accountPurpose
      self.primarySourceOfFunds = primarySourceOfFunds
      self.authorizedThirdPartyUsage = authorizedThirdPartyUsage
    }

    enum CodingKeys: String, CodingKey {
      case accountPurpose = "account_purpose"
      case primarySourceOfFunds = "primary_source_of_funds"
      case authorizedThirdPartyUsage = "authorized_third_party_usage"
    }
  }

  /// Where the applicant lives.
  public struct UpdateAddressesRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var addresses: [Address]?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, addresses: [Address]? = nil) {
      (self.onboardingApplicationId, self.addresses) = (onboardingApplicationId, addresses)
    }

    enum CodingKeys: String, CodingKey {
      case addresses
      case onboardingApplicationId = "onboarding_application_id"
    }
  }

  /// What the applicant agreed to.
  public struct UpdateConsentsRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var consents: [Consent]?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, consents: [Consent]? = nil) {
      (self.onboardingApplicationId, self.consents) = (onboardingApplicationId, consents)
    }

    enum CodingKeys: String, CodingKey {
      case consents
      case onboardingApplicationId = "onboarding_application_id"
    }
  }

  /// See `UpdateConsentsRequest`.
  public struct Consent: Codable, Sendable, Hashable {
    /// A code of CONSENT_TYPE.
    public var consentType: String?
    /// An instant.
    public var consentTimestamp: String?
    public var documentNameAndVersion: String?
    /// An instant.
    public var viewTimestamp: String?

    /// Creates the value from its members.
    public init(
      consentType: String? = nil, consentTimestamp: String? = nil, documentNameAndVersion: String? = nil,
      viewTimestamp: String? = nil
    ) {
      self.consentType = consentType
      self.consentTimestamp = consentTimestamp
      self.documentNameAndVersion = documentNameAndVersion
      self.viewTimestamp = viewTimestamp
    }

    enum CodingKeys: String, CodingKey {
      case consentType = "consent_type"
      case consentTimestamp = "consent_timestamp"
      case documentNameAndVersion = "document_name_and_version"
      case viewTimestamp = "view_timestamp"
    }
  }
}
