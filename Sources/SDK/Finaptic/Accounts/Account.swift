// SPDX-License-Identifier: Apache-2.0

/// An account that the customer may see.
public struct Account: Hashable, Codable, Sendable {
  public var id: String
  public var balance: Balance
  public var name: String
  /// `core-banking` or `core-card`.
  public var sourceDomain: String
  /// Ids of customers.
  public var owners: [String]
  /// Ids of customers.
  public var authorizedUsers: [String]
  /// By which other banks name it; nil where the institution has no numbers. Not in the specification.
  public var number: AccountNumber?

  /// Creates the value from its members.
  public init(
    id: String, balance: Balance, name: String, sourceDomain: String, owners: [String], authorizedUsers: [String],
    number: AccountNumber? = nil
  ) {
    (self.id, self.balance, self.name) = (id, balance, name)
    (self.sourceDomain, self.owners, self.authorizedUsers) = (sourceDomain, owners, authorizedUsers)
    self.number = number
  }
}

/// The number of an account, which its customer gives to who pays them: an IBAN, or in Canada institution, transit and
/// account.
public struct AccountNumber: Hashable, Codable, Sendable {
  /// ISO 3166-1, two letters.
  public var country: String
  /// The institution's number or bank code.
  public var institution: String
  /// Its transit or branch; nil where the country has none.
  public var transit: String?
  /// The account there.
  public var number: String
  /// ISO 13616, without spaces; nil where the country has none.
  public var iban: String?

  /// Creates the value from its members.
  public init(country: String, institution: String, transit: String?, number: String, iban: String?) {
    (self.country, self.institution, self.transit) = (country, institution, transit)
    (self.number, self.iban) = (number, iban)
  }

  /// As people read it: an IBAN in groups of four; otherwise transit, institution and account, as on a cheque.
  public var formatted: String {
    guard let iban else { return [transit, institution, number].compactMap(\.self).joined(separator: "-") }
    return iban.enumerated().map { $0.offset > 0 && $0.offset % 4 == 0 ? " \($0.element)" : "\($0.element)" }.joined()
  }
}
