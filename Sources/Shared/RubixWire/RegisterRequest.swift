// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Body of `POST /auth/register` (rubix-onboarding §6.1). The answer is an `OnboardingView`.
public struct RegisterRequest: Codable, Sendable, Equatable {
  /// 16 to 128 letters, digits or `-`; the app chooses it once per install.
  public var deviceID: String
  /// The platform of the device.
  public var platform: DevicePlatform
  /// Phone number, E.164.
  public var contactNo: String
  /// E-mail address; optional unless the institution asks for it at registration.
  @ExplicitNull public var email: String?
  /// Optional here: documents fill it.
  @ExplicitNull public var firstName: String?
  /// Optional here: documents fill it.
  @ExplicitNull public var middleName: String?
  /// Optional here: documents fill it.
  @ExplicitNull public var lastName: String?
  /// Optional here: documents fill it.
  @ExplicitNull public var dateOfBirth: WireDate?
  /// Optional here: documents fill it.
  @ExplicitNull public var gender: Gender?
  /// ISO 3166-1 alpha-3, as on a document.
  @ExplicitNull public var nationalityCode: String?
  /// Version of the app.
  @ExplicitNull public var appVersion: String?
  /// Version of the operating system.
  @ExplicitNull public var osVersion: String?
  /// Model of the device.
  @ExplicitNull public var deviceModel: String?
  /// BCP 47 tag for messages to the customer.
  @ExplicitNull public var locale: String?
  /// The consents given; which ones are needed the institution decides.
  public var consents: [ConsentGrant]

  /// Creates the value from its members.
  public init(
    deviceID: String,
    platform: DevicePlatform,
    contactNo: String,
    email: String? = nil,
    firstName: String? = nil,
    middleName: String? = nil,
    lastName: String? = nil,
    dateOfBirth: WireDate? = nil,
    gender: Gender? = nil,
    nationalityCode: String? = nil,
    appVersion: String? = nil,
    osVersion: String? = nil,
    deviceModel: String? = nil,
    locale: String? = nil,
    consents: [ConsentGrant] = []
  ) {
    self.deviceID = deviceID
    self.platform = platform
    self.contactNo = contactNo
    self.email = email
    self.firstName = firstName
    self.middleName = middleName
    self.lastName = lastName
    self.dateOfBirth = dateOfBirth
    self.gender = gender
    self.nationalityCode = nationalityCode
    self.appVersion = appVersion
    self.osVersion = osVersion
    self.deviceModel = deviceModel
    self.locale = locale
    self.consents = consents
  }

  enum CodingKeys: String, CodingKey {
    case deviceID = "device_id"
    case platform
    case contactNo = "contact_no"
    case email
    case firstName = "first_name"
    case middleName = "middle_name"
    case lastName = "last_name"
    case dateOfBirth = "date_of_birth"
    case gender
    case nationalityCode = "nationality_code"
    case appVersion = "app_version"
    case osVersion = "os_version"
    case deviceModel = "device_model"
    case locale
    case consents
  }
}

extension KeyedDecodingContainer {
  /// What synthesised decoding calls for `consents`: absent and `null` are an empty list.
  func decode(_: [ConsentGrant].Type, forKey key: Key) throws -> [ConsentGrant] {
    try decodeIfPresent([ConsentGrant].self, forKey: key) ?? []
  }
}
