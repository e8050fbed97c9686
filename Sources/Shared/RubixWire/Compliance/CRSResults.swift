// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The self-certification of an individual's tax residence, after the OECD/BIAC model form (Rubix §7.1).
public struct CRSResults: Codable, Hashable, Sendable {
  /// Who holds the account.
  public var accountHolder: AccountHolder
  /// Where the holder lives: no P.O. box without a reason.
  public var residenceAddress: ComplianceAddress
  /// Only when it differs from the residence address.
  public var mailingAddress: ComplianceAddress?
  /// One to five, countries distinct.
  public var taxResidences: [TaxResidence]
  /// Why the country of residence is not one of the tax residences, or why a US tax resident is no US person.
  public var explanation: String?
  /// The signed declaration.
  public var declaration: ComplianceSignature

  /// Creates the value from its members.
  public init(
    accountHolder: AccountHolder, residenceAddress: ComplianceAddress, mailingAddress: ComplianceAddress? = nil,
    taxResidences: [TaxResidence], explanation: String? = nil, declaration: ComplianceSignature
  ) {
    self.accountHolder = accountHolder
    self.residenceAddress = residenceAddress
    self.mailingAddress = mailingAddress
    self.taxResidences = taxResidences
    self.explanation = explanation
    self.declaration = declaration
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case explanation, declaration
    case accountHolder = "account_holder"
    case residenceAddress = "residence_address"
    case mailingAddress = "mailing_address"
    case taxResidences = "tax_residences"
  }

  /// Part 1 of the model form: who holds the account.
  public struct AccountHolder: Codable, Hashable, Sendable {
    /// Ms, Mr, Dr and the like.
    public var title: String?
    /// Empty for a person with one name only.
    public var familyName: String
    /// The first of the given names.
    public var firstName: String
    /// The other given names.
    public var middleNames: String?
    /// The one on the verified document.
    public var dateOfBirth: WireDate
    /// Town and country.
    public var placeOfBirth: PlaceOfBirth

    /// Creates the value from its members.
    public init(
      title: String? = nil, familyName: String, firstName: String, middleNames: String? = nil, dateOfBirth: WireDate,
      placeOfBirth: PlaceOfBirth
    ) {
      self.title = title
      self.familyName = familyName
      self.firstName = firstName
      self.middleNames = middleNames
      self.dateOfBirth = dateOfBirth
      self.placeOfBirth = placeOfBirth
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case title
      case familyName = "family_name"
      case firstName = "first_name"
      case middleNames = "middle_names"
      case dateOfBirth = "date_of_birth"
      case placeOfBirth = "place_of_birth"
    }
  }

  /// Where the account holder was born.
  public struct PlaceOfBirth: Codable, Hashable, Sendable {
    /// Town or city.
    public var city: String
    /// ISO 3166-1 alpha-2.
    public var country: String

    /// Creates the value from its members.
    public init(city: String, country: String) {
      self.city = city
      self.country = country
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case city, country
    }
  }

  /// Part 2 of the model form, one row: a country of tax residence and the number there, or why it has no number.
  public struct TaxResidence: Codable, Hashable, Sendable {
    /// ISO 3166-1 alpha-2.
    public var country: String
    /// Exactly one of this and `noTINReason` is given.
    public var tin: String?
    /// Why there is no number.
    public var noTINReason: NoTINReason?
    /// At least ten characters when the reason is B.
    public var noTINExplanation: String?

    /// Creates the value from its members.
    public init(
      country: String, tin: String? = nil, noTINReason: NoTINReason? = nil, noTINExplanation: String? = nil
    ) {
      self.country = country
      self.tin = tin
      self.noTINReason = noTINReason
      self.noTINExplanation = noTINExplanation
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case country, tin
      case noTINReason = "no_tin_reason"
      case noTINExplanation = "no_tin_explanation"
    }
  }

  /// Why there is no taxpayer number, by the letters of the model form.
  public struct NoTINReason: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A: the jurisdiction issues no numbers to its residents.
    public static let notIssued = NoTINReason(rawValue: "A")
    /// B: the holder cannot obtain one.
    public static let notObtainable = NoTINReason(rawValue: "B")
    /// C: the law of the jurisdiction does not ask for its collection.
    public static let notRequired = NoTINReason(rawValue: "C")

    /// Every word that this version knows.
    public static let known: [NoTINReason] = [.notIssued, .notObtainable, .notRequired]
  }
}
