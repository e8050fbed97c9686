// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// A screening as officers see it (rubix-onboarding §7.4). Never sent to a customer.
public struct ScreeningResult: Codable, Sendable, Equatable {
  /// This screening.
  public var id: String
  /// The provider's reference.
  public var referenceNo: String
  /// How it came out.
  public var status: ScreeningStatus
  /// When; nil while pending.
  @ExplicitNull public var screenedOn: WireInstant?
  /// Who was looked for.
  public var subject: ScreeningSubject
  /// Which lists, in which version.
  public var lists: [ScreeningList]
  /// Score that makes a hit.
  public var threshold: Double
  /// What was found.
  public var hits: [ScreeningHit]
  /// When to look again.
  @ExplicitNull public var nextReviewOn: WireDate?

  /// Creates the value from its members.
  public init(
    id: String,
    referenceNo: String,
    status: ScreeningStatus,
    screenedOn: WireInstant? = nil,
    subject: ScreeningSubject,
    lists: [ScreeningList],
    threshold: Double,
    hits: [ScreeningHit],
    nextReviewOn: WireDate? = nil
  ) {
    self.id = id
    self.referenceNo = referenceNo
    self.status = status
    self.screenedOn = screenedOn
    self.subject = subject
    self.lists = lists
    self.threshold = threshold
    self.hits = hits
    self.nextReviewOn = nextReviewOn
  }

  enum CodingKeys: String, CodingKey {
    case id
    case referenceNo = "reference_no"
    case status
    case screenedOn = "screened_on"
    case subject
    case lists
    case threshold
    case hits
    case nextReviewOn = "next_review_on"
  }
}

/// How a screening came out (rubix-onboarding §7.4).
public struct ScreeningStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `clean`.
  public static let clean = ScreeningStatus(rawValue: "clean")
  /// `potential_match`.
  public static let potentialMatch = ScreeningStatus(rawValue: "potential_match")
  /// `true_match`.
  public static let trueMatch = ScreeningStatus(rawValue: "true_match")
  /// `pending`.
  public static let pending = ScreeningStatus(rawValue: "pending")
  /// `error`.
  public static let error = ScreeningStatus(rawValue: "error")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [ScreeningStatus] = [.clean, .potentialMatch, .trueMatch, .pending, .error]
}

/// Who was looked for.
public struct ScreeningSubject: Codable, Sendable, Equatable {
  /// Full name.
  public var name: String
  /// Date of birth.
  @ExplicitNull public var dateOfBirth: WireDate?
  /// ISO 3166-1 alpha-3.
  public var nationalities: [String]
  /// Numbers of identity documents.
  public var documentNumbers: [String]

  /// Creates the value from its members.
  public init(name: String, dateOfBirth: WireDate? = nil, nationalities: [String], documentNumbers: [String]) {
    self.name = name
    self.dateOfBirth = dateOfBirth
    self.nationalities = nationalities
    self.documentNumbers = documentNumbers
  }

  enum CodingKeys: String, CodingKey {
    case name
    case dateOfBirth = "date_of_birth"
    case nationalities
    case documentNumbers = "document_numbers"
  }
}

/// A list in the version that was searched.
public struct ScreeningList: Codable, Sendable, Equatable {
  /// Such as `UN`, `OFAC_SDN`, `EU_CFSP`, `UK_OFSI`, `PEP`.
  public var code: String
  /// As the list names it.
  public var version: String

  /// Creates the value from its members.
  public init(code: String, version: String) {
    self.code = code
    self.version = version
  }
}
