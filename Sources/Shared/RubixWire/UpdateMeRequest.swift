// SPDX-License-Identifier: Apache-2.0

/// Body of `PUT /auth/me` (rubix-onboarding §6.3): absent members stay as they are. A changed contact resets its code.
/// Only before the thing changed is verified.
public struct UpdateMeRequest: Codable, Sendable, Equatable {
  /// Given name.
  public var firstName: String?
  /// Middle names.
  public var middleName: String?
  /// Family name.
  public var lastName: String?
  /// Phone number, E.164.
  public var contactNo: String?
  /// E-mail address.
  public var email: String?

  /// Creates the value from its members.
  public init(
    firstName: String? = nil,
    middleName: String? = nil,
    lastName: String? = nil,
    contactNo: String? = nil,
    email: String? = nil
  ) {
    self.firstName = firstName
    self.middleName = middleName
    self.lastName = lastName
    self.contactNo = contactNo
    self.email = email
  }

  enum CodingKeys: String, CodingKey {
    case firstName = "first_name"
    case middleName = "middle_name"
    case lastName = "last_name"
    case contactNo = "contact_no"
    case email
  }
}
