// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// A list entry that resembles the subject (rubix-onboarding §7.4).
public struct ScreeningHit: Codable, Sendable, Equatable {
  /// Code of the list.
  public var list: String
  /// The entry.
  public var entityID: String
  /// Its name.
  public var caption: String
  /// 0…1.
  public var score: Double
  /// Such as `sanction`.
  public var topics: [String]
  /// What agrees.
  public var matched: ScreeningMatch
  /// Why, in sentences for the file; nil of a provider's hit.
  public var explanation: String?
  /// What an officer made of it.
  public var disposition: HitDisposition

  /// Creates the value from its members.
  public init(
    list: String,
    entityID: String,
    caption: String,
    score: Double,
    topics: [String],
    matched: ScreeningMatch,
    explanation: String? = nil,
    disposition: HitDisposition = .open
  ) {
    self.list = list
    self.entityID = entityID
    self.caption = caption
    self.score = score
    self.topics = topics
    self.matched = matched
    self.explanation = explanation
    self.disposition = disposition
  }

  enum CodingKeys: String, CodingKey {
    case list
    case entityID = "entity_id"
    case caption
    case score
    case topics
    case matched
    case explanation
    case disposition
  }
}

/// What agrees between a list entry and the subject.
public struct ScreeningMatch: Codable, Sendable, Equatable {
  /// 0…1.
  public var name: Double
  /// How well the dates agree.
  public var dateOfBirth: DateOfBirthMatch
  /// Whether a nationality agrees.
  public var nationality: Bool

  /// Creates the value from its members.
  public init(name: Double, dateOfBirth: DateOfBirthMatch, nationality: Bool) {
    self.name = name
    self.dateOfBirth = dateOfBirth
    self.nationality = nationality
  }

  enum CodingKeys: String, CodingKey {
    case name
    case dateOfBirth = "date_of_birth"
    case nationality
  }
}

/// How well two dates of birth agree.
public struct DateOfBirthMatch: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `exact`.
  public static let exact = DateOfBirthMatch(rawValue: "exact")
  /// Only the year.
  public static let year = DateOfBirthMatch(rawValue: "year")
  /// One of them is unknown.
  public static let none = DateOfBirthMatch(rawValue: "none")
  /// `conflict`.
  public static let conflict = DateOfBirthMatch(rawValue: "conflict")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [DateOfBirthMatch] = [.exact, .year, .none, .conflict]
}

/// What an officer made of a hit.
public struct HitDisposition: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `open`.
  public static let open = HitDisposition(rawValue: "open")
  /// `false_positive`.
  public static let falsePositive = HitDisposition(rawValue: "false_positive")
  /// `true_match`.
  public static let trueMatch = HitDisposition(rawValue: "true_match")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [HitDisposition] = [.open, .falsePositive, .trueMatch]
}
