// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The customer as the customer sees it; contacts are masked (rubix-onboarding §6.3).
public struct CustomerView: Codable, Sendable, Equatable {
  /// Given name.
  @ExplicitNull public var firstName: String?
  /// Middle names.
  @ExplicitNull public var middleName: String?
  /// Family name.
  @ExplicitNull public var lastName: String?
  /// Masked phone number.
  public var contactNo: String
  /// Masked e-mail address; nil while none was given.
  @ExplicitNull public var email: String?
  /// Date of birth.
  @ExplicitNull public var dateOfBirth: WireDate?
  /// ISO 3166-1 alpha-3.
  @ExplicitNull public var nationalityCode: String?
  /// Gender.
  @ExplicitNull public var gender: Gender?

  /// Creates the value from its members.
  public init(
    firstName: String? = nil,
    middleName: String? = nil,
    lastName: String? = nil,
    contactNo: String,
    email: String? = nil,
    dateOfBirth: WireDate? = nil,
    nationalityCode: String? = nil,
    gender: Gender? = nil
  ) {
    self.firstName = firstName
    self.middleName = middleName
    self.lastName = lastName
    self.contactNo = contactNo
    self.email = email
    self.dateOfBirth = dateOfBirth
    self.nationalityCode = nationalityCode
    self.gender = gender
  }

  enum CodingKeys: String, CodingKey {
    case firstName = "first_name"
    case middleName = "middle_name"
    case lastName = "last_name"
    case contactNo = "contact_no"
    case email
    case dateOfBirth = "date_of_birth"
    case nationalityCode = "nationality_code"
    case gender
  }
}
