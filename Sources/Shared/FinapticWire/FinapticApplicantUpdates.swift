// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// Tax residence and citizenship.
  public struct UpdateCustomerResidencyRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var residency: Residency?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, residency: Residency? = nil) {
      (self.onboardingApplicationId, self.residency) = (onboardingApplicationId, residency)
    }

    enum CodingKeys: String, CodingKey {
      case residency
      case onboardingApplicationId = "onboarding_application_id"
    }
  }

  /// See `UpdateCustomerResidencyRequest`.
  public struct Residency: Codable, Sendable, Hashable {
    public var isCanadianTaxResident: Bool?
    public var otherResidences: [OtherResidence]?
    /// A UUID that stands for the number.
    public var sinToken: String?
    /// ISO 3166-1 alpha-2.
    public var citizenship: String?

    /// Creates the value from its members.
    public init(
      isCanadianTaxResident: Bool? = nil, otherResidences: [OtherResidence]? = nil, sinToken: String? = nil,
      citizenship: String? = nil
    ) {
      self.isCanadianTaxResident = isCanadianTaxResident
      self.otherResidences = otherResidences
      self.sinToken = sinToken
      self.citizenship = citizenship
    }

    enum CodingKeys: String, CodingKey {
      case citizenship
      case isCanadianTaxResident = "is_canadian_tax_resident"
      case otherResidences = "other_residences"
      case sinToken = "sin_token"
    }
  }

  /// See `Residency`.
  public struct OtherResidence: Codable, Sendable, Hashable {
    /// ISO 3166-1 alpha-2.
    public var otherResidenceCountry: String?
    /// A UUID that stands for the number.
    public var tinToken: String?
    public var citizenship: String?

    /// Creates the value from its members.
    public init(otherResidenceCountry: String? = nil, tinToken: String? = nil, citizenship: String? = nil) {
      (self.otherResidenceCountry, self.tinToken, self.citizenship) = (otherResidenceCountry, tinToken, citizenship)
    }

    enum CodingKeys: String, CodingKey {
      case citizenship
      case otherResidenceCountry = "other_residence_country"
      case tinToken = "tin_token"
    }
  }

  /// What the applicant was shown.
  public struct UpdateDisclosuresRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var disclosures: [Disclosure]?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, disclosures: [Disclosure]? = nil) {
      (self.onboardingApplicationId, self.disclosures) = (onboardingApplicationId, disclosures)
    }

    enum CodingKeys: String, CodingKey {
      case disclosures
      case onboardingApplicationId = "onboarding_application_id"
    }
  }

  /// See `UpdateDisclosuresRequest`.
  public struct Disclosure: Codable, Sendable, Hashable {
    /// A code of DISCLOSURE_TYPE.
    public var disclosureType: String?
    /// An instant.
    public var timestamp: String?
    public var documentNameAndVersion: String?

    /// Creates the value from its members.
    public init(disclosureType: String? = nil, timestamp: String? = nil, documentNameAndVersion: String? = nil) {
      self.disclosureType = disclosureType
      self.timestamp = timestamp
      self.documentNameAndVersion = documentNameAndVersion
    }

    enum CodingKeys: String, CodingKey {
      case timestamp
      case disclosureType = "disclosure_type"
      case documentNameAndVersion = "document_name_and_version"
    }
  }

  /// What the applicant does for a living.
  public struct UpdateEmploymentRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var employmentInfo: Employment?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, employmentInfo: Employment? = nil) {
      (self.onboardingApplicationId, self.employmentInfo) = (onboardingApplicationId, employmentInfo)
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case employmentInfo = "employment_info"
    }
  }

  /// See `UpdateEmploymentRequest`.
  public struct Employment: Codable, Sendable, Hashable {
    /// A code of EMPLOYMENT_STATUS.
    public var employmentStatus: String?
    public var employerName: String?
    /// A code of INDUSTRY.
    public var industry: String?
    /// A code of OCCUPATION.
    public var occupation: String?
    /// `YYYY-MM-DD`; only year and month count.
    public var startDate: String?
    /// `YYYY-MM-DD`; only year and month count.
    public var endDate: String?
    public var workAddress: Address?
    public var phoneNumber: Phone?

    /// Creates the value from its members.
    public init(
      employmentStatus: String? = nil, employerName: String? = nil, industry: String? = nil, occupation: String? = nil,
      startDate: String? = nil, endDate: String? = nil, workAddress: Address? = nil, phoneNumber: Phone? = nil
    ) {
      (self.employmentStatus, self.employerName, self.industry) = (employmentStatus, employerName, industry)
      (self.occupation, self.startDate, self.endDate) = (occupation, startDate, endDate)
      (self.workAddress, self.phoneNumber) = (workAddress, phoneNumber)
    }

    enum CodingKeys: String, CodingKey {
      case industry, occupation, startDate, endDate
      case employmentStatus = "employment_status"
      case employerName = "employer_name"
      case workAddress = "work_address"
      case phoneNumber = "phone_number"
    }
  }

  /// How and in which language to write to the customer.
  public struct UpdateCommunicationPreferencesRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    /// A code of COMMUNICATION_PREFERENCE.
    public var customerCommunicationPref: String?
    /// A code of LANGUAGE.
    public var customerCommunicationLanguage: String?

    /// Creates the value from its members.
    public init(
      onboardingApplicationId: String? = nil, customerCommunicationPref: String? = nil,
      customerCommunicationLanguage: String? = nil
    ) {
      self.onboardingApplicationId = onboardingApplicationId
      self.customerCommunicationPref = customerCommunicationPref
      self.customerCommunicationLanguage = customerCommunicationLanguage
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case customerCommunicationPref = "customer_communication_pref"
      case customerCommunicationLanguage = "customer_communication_language"
    }
  }
}
