// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// What is known about countries that mostly issue no personal taxpayer number, after the OECD's country pages (§7.3).
///
/// Laws change, so the table is a value with a date: a tenant's policy (`tin_table`) takes its place without a new release.
package struct TINIssuingTable: Codable, Hashable, Sendable {
  /// The day on which the table was last compared with the OECD's pages.
  package var asOf: WireDate
  /// By ISO 3166-1 alpha-2.
  package var countries: [String: Entry]

  /// Creates the value from its members.
  package init(asOf: WireDate, countries: [String: Entry]) {
    self.asOf = asOf
    self.countries = countries
  }

  /// What is known of one country.
  package struct Entry: Codable, Hashable, Sendable {
    /// Whether individuals who live there get a number as a matter of course.
    package var issuesToIndividuals: Bool
    /// Whether local law asks that the number be collected; nil when the table's author does not know.
    package var requiresCollection: Bool?
    /// What an agent should know, in plain English.
    package var note: String

    /// Creates the value from its members.
    package init(issuesToIndividuals: Bool, requiresCollection: Bool? = nil, note: String = "") {
      self.issuesToIndividuals = issuesToIndividuals
      self.requiresCollection = requiresCollection
      self.note = note
    }

    /// Reads an entry; without a note it is empty.
    package init(from decoder: any Decoder) throws {
      let entry = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        issuesToIndividuals: try entry.decode(Bool.self, forKey: .issuesToIndividuals),
        requiresCollection: try entry.decodeIfPresent(Bool.self, forKey: .requiresCollection),
        note: try entry.decodeIfPresent(String.self, forKey: .note) ?? "")
    }

    enum CodingKeys: String, CodingKey {
      case issuesToIndividuals = "issues_to_individuals"
      case requiresCollection = "requires_collection"
      case note
    }
  }

  enum CodingKeys: String, CodingKey {
    case asOf = "as_of"
    case countries
  }

  /// True or false when it is known; nil when nothing is known of the country.
  package func issuesToIndividuals(_ country: String) -> Bool? {
    if let entry = countries[country] { return entry.issuesToIndividuals }
    return TINFormat.knownCountries.contains(country) ? true : nil
  }

  /// The table that the product ships.
  package static let standard: TINIssuingTable = {
    guard let asOf = WireDate(year: 2026, month: 11, day: 1) else { preconditionFailure("1 November is a day.") }
    return TINIssuingTable(
      asOf: asOf,
      countries: [
        "AE": Entry(issuesToIndividuals: false, note: "Tax registration numbers go to businesses."),
        "BH": Entry(issuesToIndividuals: false, note: "No personal income tax."),
        "KW": Entry(issuesToIndividuals: false, note: "No personal income tax."),
        "OM": Entry(issuesToIndividuals: false, note: "Numbers go to those who register for tax."),
        "QA": Entry(issuesToIndividuals: false, note: "Numbers go to those who carry on a business."),
        "SA": Entry(issuesToIndividuals: false, note: "Numbers go to those who carry on a business."),
      ])
  }()
}
