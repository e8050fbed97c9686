// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Screening

/// What a search found, and where and how was searched.
struct MatchView: Encodable, Sendable {
  enum Status: String, Encodable, Sendable {
    /// No entry reaches the threshold.
    case clean
    /// One at least does.
    case potentialMatch = "potential_match"
    /// Nothing was compared. Never to be read as clean.
    case error
  }

  let row: Int
  let id: String?
  let status: Status
  /// Why nothing was compared.
  let error: String?
  /// Best first, whether or not they reach the threshold.
  let answers: [ScreenAnswer]
  /// Whether entries that reach the threshold were left out.
  let more_matches: Bool
  let lists: [WatchList.Version]
  let matcher: MatcherView
  let thresholds: ThresholdsView
}

/// By which rules names were compared.
struct MatcherView: Encodable, Sendable {
  let version: String
  /// Digest of all thresholds and weights.
  let policy: String
}

struct ThresholdsView: Encodable, Sendable {
  /// Score from which on an entry is a hit.
  let match: Double
  /// A name that is less alike is no match, whatever else agrees.
  let name: Double
}

/// The entries of one reference: of one list, or of several that use the same.
struct EntitiesView: Encodable, Sendable {
  let entities: [EntityView]
}

/// An entry as its list has it.
struct EntityView: Encodable, Sendable {
  struct BirthDateView: Encodable, Sendable {
    let first: String
    let last: String
    let is_approximate: Bool
  }

  struct IdentifierView: Encodable, Sendable {
    let type: String
    let number: String
    let country: String?
  }

  let reference: String
  let list: WatchList.Version
  let kind: String
  let names: [String]
  let weak_names: [String]
  let sex: String?
  let dates_of_birth: [BirthDateView]
  let places_of_birth: [String]
  let nationalities: [String]
  let identifiers: [IdentifierView]
  let programmes: [String]
  let addresses: [String]
  let topics: [String]
  let remarks: [String]

  init(_ entry: WatchList.Entry, of list: WatchList.Version) {
    reference = entry.reference
    self.list = list
    kind = entry.kind.rawValue
    (names, weak_names) = (entry.names, entry.weakNames)
    sex = entry.sex?.rawValue
    dates_of_birth = entry.datesOfBirth.map {
      BirthDateView(first: $0.first.isoText, last: $0.last.isoText, is_approximate: $0.isApproximate)
    }
    places_of_birth = entry.placesOfBirth
    nationalities = entry.nationalities.sorted()
    identifiers = entry.identifiers.map {
      IdentifierView(type: $0.type, number: $0.number, country: $0.country)
    }
    (programmes, addresses, topics, remarks) = (entry.programmes, entry.addresses, entry.topics, entry.remarks)
  }
}
