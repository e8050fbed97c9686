// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The certificate of US or foreign status of an individual (Rubix §7.2).
public struct FATCAResults: Codable, Hashable, Sendable {
  /// The holder is a US person for tax purposes.
  public var isUSPerson: Bool
  /// What points to the United States.
  public var usIndicia: USIndicia
  /// W-9 for a US person, W-8BEN for anybody else.
  public var form: USTaxForm
  /// Form W-8BEN.
  public var w8ben: W8BEN?
  /// Form W-9.
  public var w9: W9?
  /// What outweighs the indicia of a person who is no US person.
  public var cure: Cure?
  /// The signed certification.
  public var certification: ComplianceSignature

  /// Creates the value from its members.
  public init(
    isUSPerson: Bool, usIndicia: USIndicia, form: USTaxForm, w8ben: W8BEN? = nil, w9: W9? = nil, cure: Cure? = nil,
    certification: ComplianceSignature
  ) {
    self.isUSPerson = isUSPerson
    self.usIndicia = usIndicia
    self.form = form
    self.w8ben = w8ben
    self.w9 = w9
    self.cure = cure
    self.certification = certification
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case form, w8ben, w9, cure, certification
    case isUSPerson = "is_us_person"
    case usIndicia = "us_indicia"
  }

  /// Which form of the US Internal Revenue Service the answers stand for.
  public struct USTaxForm: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Form W-8BEN.
    public static let w8ben = USTaxForm(rawValue: "W-8BEN")
    /// Form W-9.
    public static let w9 = USTaxForm(rawValue: "W-9")

    /// Every word that this version knows.
    public static let known: [USTaxForm] = [.w8ben, .w9]
  }

  /// What points to the United States (Annex I, section II.B of the model intergovernmental agreement).
  public struct USIndicia: Codable, Hashable, Sendable {
    /// A citizen of the United States.
    public var usCitizen: Bool
    /// A resident, or holder of a permanent resident card.
    public var usResidentOrGreenCard: Bool
    /// Born in the United States.
    public var usPlaceOfBirth: Bool
    /// A residence or mailing address there.
    public var usAddress: Bool
    /// A telephone number there.
    public var usPhone: Bool
    /// Standing instructions to transfer funds to an account there.
    public var usStandingInstructions: Bool
    /// A power of attorney for a person with an address there.
    public var usPowerOfAttorney: Bool
    /// A hold-mail or in-care-of address there is the only address.
    public var usHoldMailOnly: Bool

    /// Creates the value from its members.
    public init(
      usCitizen: Bool = false, usResidentOrGreenCard: Bool = false, usPlaceOfBirth: Bool = false,
      usAddress: Bool = false, usPhone: Bool = false, usStandingInstructions: Bool = false,
      usPowerOfAttorney: Bool = false, usHoldMailOnly: Bool = false
    ) {
      self.usCitizen = usCitizen
      self.usResidentOrGreenCard = usResidentOrGreenCard
      self.usPlaceOfBirth = usPlaceOfBirth
      self.usAddress = usAddress
      self.usPhone = usPhone
      self.usStandingInstructions = usStandingInstructions
      self.usPowerOfAttorney = usPowerOfAttorney
      self.usHoldMailOnly = usHoldMailOnly
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case usCitizen = "us_citizen"
      case usResidentOrGreenCard = "us_resident_or_green_card"
      case usPlaceOfBirth = "us_place_of_birth"
      case usAddress = "us_address"
      case usPhone = "us_phone"
      case usStandingInstructions = "us_standing_instructions"
      case usPowerOfAttorney = "us_power_of_attorney"
      case usHoldMailOnly = "us_hold_mail_only"
    }
  }

  /// What a person with indicia shows to prove that they are no US person.
  public struct Cure: Codable, Hashable, Sendable {
    /// The id of a document of this application, a passport that the United States did not issue.
    public var documentID: String?
    /// The id of the certificate of loss of US nationality, for a person born in the United States.
    public var lossOfNationalityID: String?
    /// For a person born in the United States without that certificate: why they have no US nationality. For a US tax
    /// resident: why they are no US person.
    public var explanation: String?

    /// Creates the value from its members.
    public init(documentID: String? = nil, lossOfNationalityID: String? = nil, explanation: String? = nil) {
      self.documentID = documentID
      self.lossOfNationalityID = lossOfNationalityID
      self.explanation = explanation
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case explanation
      case documentID = "document_id"
      case lossOfNationalityID = "loss_of_nationality_id"
    }
  }
}
