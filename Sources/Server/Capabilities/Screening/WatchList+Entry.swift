// SPDX-License-Identifier: Apache-2.0

extension WatchList {
  /// What an entry is. Names of persons and of organisations are compared by different rules.
  package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    case person
    case organisation
    case vessel
    case aircraft
    /// The list does not tell whether it is a person or an organisation.
    case unspecified

    /// By whose rules a name is read: true for persons'.
    var readings: [Bool] {
      switch self {
      case .person: [true]
      case .unspecified: [true, false]
      case .organisation, .vessel, .aircraft: [false]
      }
    }
  }

  /// As the list gives it.
  package enum Sex: String, Sendable, Hashable, CaseIterable, Codable {
    case female
    case male
  }

  /// A number by which an authority, a register or a carrier knows an entry: a passport, a tax number, the IMO number of
  /// a ship, a SWIFT code.
  package struct IdentityNumber: Sendable, Hashable, Codable {
    /// What kind of number it is, in the list's own words; empty when it does not tell.
    package let type: String
    /// As the list writes it.
    package let number: String
    /// ISO 3166-1 alpha-3 of who issued it; nil when that is not known.
    package let country: String?

    package init(type: String = "", number: String, country: String? = nil) {
      self.type = type
      self.number = number
      self.country = country
    }

    /// Letters and digits only, upper case: what is compared.
    package var plain: String { WatchList.plain(number) }
  }

  /// One listed person, organisation, vessel or aircraft.
  package struct Entry: Sendable, Hashable {
    /// The list's own reference.
    package let reference: String
    /// Whether the entry is a person, an organisation, a vessel or an aircraft, as far as the list tells.
    package let kind: Kind
    /// The main name first, then every good alias, in every script that the list gives. A person's name is `Given FAMILY`
    /// or `FAMILY, Given`; in any other name a comma is a comma.
    package let names: [String]
    /// Nicknames and the like, which the list itself calls weak or of low quality: too common to mean much alone.
    package let weakNames: [String]
    /// Nil when the list does not tell.
    package let sex: Sex?
    /// Every date that the list gives, each as far as it is known. Of persons.
    package let datesOfBirth: [BirthDate]
    /// As the list writes them.
    package let placesOfBirth: [String]
    /// ISO 3166-1 alpha-3; nationalities and citizenships of persons, countries and flags of the others.
    package let nationalities: Set<String>
    /// In the list's order.
    package let identifiers: [IdentityNumber]
    /// The programmes or regimes under which it is listed, in the list's own words.
    package let programmes: [String]
    /// One line each, as the list writes them.
    package let addresses: [String]
    /// What it is listed for, `sanction`, `role.pep`.
    package let topics: [String]
    /// What the list says besides, such as titles, remarks and the day of listing, and what could not be read as a date
    /// or country: `Label: text`, in the list's order. Nothing that a list says is dropped in silence.
    package let remarks: [String]

    package init(
      reference: String, kind: Kind = .person, names: [String], weakNames: [String] = [], sex: Sex? = nil,
      datesOfBirth: [BirthDate] = [], placesOfBirth: [String] = [], nationalities: Set<String> = [],
      identifiers: [IdentityNumber] = [], programmes: [String] = [], addresses: [String] = [],
      topics: [String] = ["sanction"], remarks: [String] = []
    ) {
      self.reference = reference
      self.kind = kind
      self.names = names
      self.weakNames = weakNames
      self.sex = sex
      self.datesOfBirth = datesOfBirth
      self.placesOfBirth = placesOfBirth
      self.nationalities = nationalities
      self.identifiers = identifiers
      self.programmes = programmes
      self.addresses = addresses
      self.topics = topics
      self.remarks = remarks
    }

    /// The remarks, those about documents first: a page that shows the first of many must show that a number is known
    /// to be false.
    package var remarksOnDocumentsFirst: [String] {
      let isOnDocument = { (remark: String) in remark.hasPrefix("Document ") }
      return remarks.filter(isOnDocument) + remarks.filter { !isOnDocument($0) }
    }

    /// The numbers of `identifiers` as they are compared: letters and digits only, upper case.
    package var documentNumbers: Set<String> { Set(identifiers.map(\.plain).filter { !$0.isEmpty }) }
  }
}
