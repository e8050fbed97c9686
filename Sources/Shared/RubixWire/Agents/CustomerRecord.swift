// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The customer unmasked, with the field names of the original record (rubix-onboarding §6.1). For agents only.
public struct CustomerRecord: Codable, Sendable, Equatable {
  /// The customer.
  public var id: String
  /// Where the application stands.
  public var status: OnboardingStatus
  /// Given name.
  @ExplicitNull public var firstName: String?
  /// Middle names.
  @ExplicitNull public var middleName: String?
  /// Family name.
  @ExplicitNull public var lastName: String?
  /// E-mail address.
  @ExplicitNull public var email: String?
  /// Phone number, E.164.
  public var contactNo: String
  /// Gender.
  @ExplicitNull public var gender: Gender?
  /// Date of birth.
  @ExplicitNull public var dateOfBirth: WireDate?
  /// From the national id.
  @ExplicitNull public var nationalIDNo: String?
  /// From the national id.
  @ExplicitNull public var nationalIDExpiry: WireDate?
  /// Its name.
  @ExplicitNull public var nationality: String?
  /// ISO 3166-1 alpha-3.
  @ExplicitNull public var nationalityCode: String?
  /// The device of the registration.
  public var deviceID: String
  /// Its platform.
  public var platform: DevicePlatform
  /// The screening.
  public var isAMLVerified: Bool
  /// The e-mail address.
  public var isEmailVerified: Bool
  /// The phone number.
  public var isContactNoVerified: Bool
  /// The documents; nil before.
  @ExplicitNull public var isEvaluationVerified: Bool?

  /// Creates the value from its members.
  public init(
    id: String,
    status: OnboardingStatus,
    firstName: String? = nil,
    middleName: String? = nil,
    lastName: String? = nil,
    email: String? = nil,
    contactNo: String,
    gender: Gender? = nil,
    dateOfBirth: WireDate? = nil,
    nationalIDNo: String? = nil,
    nationalIDExpiry: WireDate? = nil,
    nationality: String? = nil,
    nationalityCode: String? = nil,
    deviceID: String,
    platform: DevicePlatform,
    isAMLVerified: Bool,
    isEmailVerified: Bool,
    isContactNoVerified: Bool,
    isEvaluationVerified: Bool? = nil
  ) {
    self.id = id
    self.status = status
    self.firstName = firstName
    self.middleName = middleName
    self.lastName = lastName
    self.email = email
    self.contactNo = contactNo
    self.gender = gender
    self.dateOfBirth = dateOfBirth
    self.nationalIDNo = nationalIDNo
    self.nationalIDExpiry = nationalIDExpiry
    self.nationality = nationality
    self.nationalityCode = nationalityCode
    self.deviceID = deviceID
    self.platform = platform
    self.isAMLVerified = isAMLVerified
    self.isEmailVerified = isEmailVerified
    self.isContactNoVerified = isContactNoVerified
    self.isEvaluationVerified = isEvaluationVerified
  }

  enum CodingKeys: String, CodingKey {
    case id
    case status
    case firstName = "first_name"
    case middleName = "middle_name"
    case lastName = "last_name"
    case email
    case contactNo = "contact_no"
    case gender
    case dateOfBirth = "date_of_birth"
    case nationalIDNo = "national_id_no"
    case nationalIDExpiry = "national_id_expiry"
    case nationality
    case nationalityCode = "nationality_code"
    case deviceID = "device_id"
    case platform
    case isAMLVerified = "is_aml_verified"
    case isEmailVerified = "is_email_verified"
    case isContactNoVerified = "is_contact_no_verified"
    case isEvaluationVerified = "is_evaluation_verified"
  }
}
