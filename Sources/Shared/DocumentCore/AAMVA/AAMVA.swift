// SPDX-License-Identifier: Apache-2.0

/// The payload of the PDF417 barcode on North American driving licences and identity cards.
///
/// AAMVA DL/ID Card Design Standard, Annex D, versions 01 (2000) to 10 (2020); identity-documents §9. The payload has
/// no checksum of its own: what is read here is as sound as the symbol's error correction.
public enum AAMVA {
  /// Why a text is no payload.
  public enum Failure: Error, Hashable, Sendable, CaseIterable {
    /// Neither `ANSI ` nor `AAMVA` with an issuer number near the beginning.
    case noHeader
    /// More than `payloadMax` bytes.
    case tooLong
    /// A header, and no element that identifies a holder behind it.
    case noElements
  }

  /// A version-40 symbol holds less than this.
  public static let payloadMax = 8192

  /// What a payload is odd in (§9.2): nothing that stops the reading, all of it for an agent to see.
  public enum Flag: String, Hashable, Sendable, Codable, CaseIterable {
    case documentDiscriminatorMissing = "DOCUMENT_DISCRIMINATOR_MISSING"
    case issuerDoesNotMatchState = "ISSUER_DOES_NOT_MATCH_STATE"
    case issuerUnknown = "ISSUER_UNKNOWN"
    case issuedAfterExpiry = "ISSUED_AFTER_EXPIRY"
    case bornAfterIssue = "BORN_AFTER_ISSUE"
    /// A date element that no calendar has.
    case dateUnreadable = "DATE_UNREADABLE"
  }

  /// Driving licence or identity card.
  public enum Kind: String, Hashable, Sendable, Codable {
    case drivingLicence = "DL"
    case identityCard = "ID"
  }

  /// DDE, DDF, DDG: whether a name was shortened to fit.
  public enum Truncation: String, Hashable, Sendable, Codable {
    case truncated = "T"
    case notTruncated = "N"
    case unknown = "U"
  }

  /// The holder's name with its truncation flags.
  public struct Name: Hashable, Sendable, Codable {
    public let family: String?
    public let first: String?
    /// All middle names, separated by spaces.
    public let middle: String?
    /// JR, SR, 1ST …
    public let suffix: String?
    public let familyTruncation: Truncation
    public let firstTruncation: Truncation
    public let middleTruncation: Truncation
  }

  /// The holder's address; parts are nil where the card has none.
  public struct Address: Hashable, Sendable, Codable {
    public let street: String?
    public let street2: String?
    public let city: String?
    /// Two letters.
    public let state: String?
    /// US codes as `12345` or `12345-6789`.
    public let postalCode: String?
    /// `USA` or `CAN` where the card states it.
    public let country: String?
  }

  /// What a payload says.
  public struct Licence: Hashable, Sendable, Codable {
    public let kind: Kind
    /// Six digits.
    public let issuerNumber: String
    /// AAMVA version, 1–10 so far; 0 for early cards.
    public let version: Int
    /// nil in version 01.
    public let jurisdictionVersion: Int?
    public let number: String?
    public let name: Name
    public let birthDate: CalendarDate?
    /// nil for none.
    public let expiryDate: CalendarDate?
    public let issueDate: CalendarDate?
    /// nil when the card does not say.
    public let sex: MRZ.Sex?
    public let address: Address
    public let documentDiscriminator: String?
    /// As written, such as `068 in`.
    public let height: String?
    public let eyeColour: String?
    public let vehicleClass: String?
    public let restrictions: String?
    public let endorsements: String?
    /// DDA: `F` compliant with REAL ID, `N` not.
    public let compliance: String?
    public let isOrganDonor: Bool
    public let isVeteran: Bool
    /// DDD.
    public let isLimitedDuration: Bool
    public let under18Until: CalendarDate?
    public let under19Until: CalendarDate?
    public let under21Until: CalendarDate?
    /// Every element by its id, blanks at the ends taken off, absent values left out; jurisdictions' own included.
    public let elements: [String: String]
    /// In the order of `Flag`.
    public let flags: [Flag]

    /// The name for comparison; truncation flags count (identity-documents §9.2).
    public var personName: PersonName {
      PersonName(
        primary: name.family ?? "",
        secondary: [name.first, name.middle].compactMap(\.self).joined(separator: " "),
        suffix: name.suffix,
        possiblyTruncated: [name.familyTruncation, name.firstTruncation, name.middleTruncation].contains(.truncated))
    }
  }
}
