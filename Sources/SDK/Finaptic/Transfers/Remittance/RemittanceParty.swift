// SPDX-License-Identifier: Apache-2.0

/// The payee (invoicer) or the payer (invoicee).
public struct RemittanceParty: Hashable, Codable, Sendable {
  public var name: String?
  public var postalAddress: RemittancePostalAddress?
  public var identification: PartyIdentification?
  public var contactDetails: RemittanceContactDetails?

  /// Creates the value from its members.
  public init(
    name: String? = nil, postalAddress: RemittancePostalAddress? = nil, identification: PartyIdentification? = nil,
    contactDetails: RemittanceContactDetails? = nil
  ) {
    (self.name, self.postalAddress, self.identification) = (name, postalAddress, identification)
    self.contactDetails = contactDetails
  }
}

/// Where a party is.
public struct RemittancePostalAddress: Hashable, Codable, Sendable {
  public var addressType: CodeOrProprietary<AddressType2Code>?
  public var department: String?
  public var subDepartment: String?
  public var streetName: String?
  public var buildingNumber: String?
  public var postCode: String?
  public var townName: String?
  public var countrySubDivision: String?
  public var country: String?
  public var addressLine: [String]

  /// Creates the value from its members.
  public init(
    addressType: CodeOrProprietary<AddressType2Code>? = nil, department: String? = nil, subDepartment: String? = nil,
    streetName: String? = nil, buildingNumber: String? = nil, postCode: String? = nil, townName: String? = nil,
    countrySubDivision: String? = nil, country: String? = nil, addressLine: [String] = []
  ) {
    (self.addressType, self.department, self.subDepartment) = (addressType, department, subDepartment)
    (self.streetName, self.buildingNumber, self.postCode) = (streetName, buildingNumber, postCode)
    (self.townName, self.countrySubDivision, self.country) = (townName, countrySubDivision, country)
    self.addressLine = addressLine
  }

  enum CodingKeys: String, CodingKey {
    case addressType, department, subDepartment, streetName, buildingNumber
    case postCode, townName, countrySubDivision, country, addressLine
  }
}

/// What a party is known by.
public struct PartyIdentification: Hashable, Codable, Sendable {
  public var organisationIdentification: OrganisationIdentification?

  /// Creates the value from its members.
  public init(organisationIdentification: OrganisationIdentification? = nil) {
    self.organisationIdentification = organisationIdentification
  }
}

/// Numbers that a party is known by.
public struct OrganisationIdentification: Hashable, Codable, Sendable {
  public var other: [GenericOrganisationIdentification]

  /// Creates the value from its members.
  public init(other: [GenericOrganisationIdentification] = []) {
    self.other = other
  }

  enum CodingKeys: String, CodingKey {
    case other
  }
}

/// A number and its scheme.
public struct GenericOrganisationIdentification: Hashable, Codable, Sendable {
  public var identification: String
  public var schemeName: CodeOrProprietary<ExternalOrganisationIdentification1Code>?

  /// Creates the value from its members.
  public init(identification: String, schemeName: CodeOrProprietary<ExternalOrganisationIdentification1Code>? = nil) {
    (self.identification, self.schemeName) = (identification, schemeName)
  }
}

/// How to reach a party.
public struct RemittanceContactDetails: Hashable, Codable, Sendable {
  public var name: String?
  public var phoneNumber: String?
  public var mobileNumber: String?
  public var faxNumber: String?
  public var emailAddress: String?

  /// Creates the value from its members.
  public init(
    name: String? = nil, phoneNumber: String? = nil, mobileNumber: String? = nil, faxNumber: String? = nil,
    emailAddress: String? = nil
  ) {
    (self.name, self.phoneNumber, self.mobileNumber) = (name, phoneNumber, mobileNumber)
    (self.faxNumber, self.emailAddress) = (faxNumber, emailAddress)
  }
}
