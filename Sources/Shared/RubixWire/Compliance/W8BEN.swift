// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension FATCAResults {
  /// Form W-8BEN: the certificate of foreign status of an individual (Rubix §7.2; the lines are those of the form).
  public struct W8BEN: Codable, Hashable, Sendable {
    /// Line 1.
    public var name: String
    /// Line 2, ISO 3166-1 alpha-2.
    public var citizenshipCountry: String
    /// Line 3: no P.O. box and no address in care of another person.
    public var permanentAddress: ComplianceAddress
    /// Line 4, only when it differs from line 3.
    public var mailingAddress: ComplianceAddress?
    /// Line 5: an SSN or ITIN.
    public var usTIN: String?
    /// Line 6a.
    public var foreignTIN: String?
    /// Line 6b: the country of residence issues no number, or does not ask for it.
    public var foreignTINNotRequired: Bool
    /// Line 7.
    public var reference: String?
    /// Line 8.
    public var dateOfBirth: WireDate
    /// Lines 9 and 10.
    public var treaty: Treaty?

    /// Creates the value from its members.
    public init(
      name: String, citizenshipCountry: String, permanentAddress: ComplianceAddress,
      mailingAddress: ComplianceAddress? = nil, usTIN: String? = nil, foreignTIN: String? = nil,
      foreignTINNotRequired: Bool = false, reference: String? = nil, dateOfBirth: WireDate, treaty: Treaty? = nil
    ) {
      self.name = name
      self.citizenshipCountry = citizenshipCountry
      self.permanentAddress = permanentAddress
      self.mailingAddress = mailingAddress
      self.usTIN = usTIN
      self.foreignTIN = foreignTIN
      self.foreignTINNotRequired = foreignTINNotRequired
      self.reference = reference
      self.dateOfBirth = dateOfBirth
      self.treaty = treaty
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case name, reference, treaty
      case citizenshipCountry = "citizenship_country"
      case permanentAddress = "permanent_address"
      case mailingAddress = "mailing_address"
      case usTIN = "us_tin"
      case foreignTIN = "foreign_tin"
      case foreignTINNotRequired = "ftin_not_required"
      case dateOfBirth = "date_of_birth"
    }
  }

  /// A claim of benefits under a tax treaty; all members nil when none is claimed.
  public struct Treaty: Codable, Hashable, Sendable {
    /// ISO 3166-1 alpha-2.
    public var country: String?
    /// The article and paragraph of the treaty.
    public var article: String?
    /// The rate of withholding in per cent.
    public var rate: Double?
    /// The kind of income that the claim is for.
    public var incomeType: String?
    /// Why the holder meets the terms of the treaty.
    public var reason: String?

    /// Creates the value from its members.
    public init(
      country: String? = nil, article: String? = nil, rate: Double? = nil, incomeType: String? = nil,
      reason: String? = nil
    ) {
      self.country = country
      self.article = article
      self.rate = rate
      self.incomeType = incomeType
      self.reason = reason
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case country, article, rate, reason
      case incomeType = "income_type"
    }
  }
}
