// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The declaration of a CRS form and the certification of a FATCA form: who signed, as what, when (Rubix §7.1, §7.2).
public struct ComplianceSignature: Codable, Hashable, Sendable {
  /// The box under the text was ticked.
  public var accepted: Bool
  /// In what role the signer signs.
  public var capacity: Capacity
  /// The name that the signer typed.
  public var signedName: String
  /// The day in the signer's time zone.
  public var signedOn: WireDate
  /// The id of the copy of the power of attorney, when another person signs for the account holder.
  public var powerOfAttorneyID: String?

  /// Creates the value from its members.
  public init(
    accepted: Bool, capacity: Capacity = .holder, signedName: String, signedOn: WireDate,
    powerOfAttorneyID: String? = nil
  ) {
    self.accepted = accepted
    self.capacity = capacity
    self.signedName = signedName
    self.signedOn = signedOn
    self.powerOfAttorneyID = powerOfAttorneyID
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case accepted, capacity
    case signedName = "signed_name"
    case signedOn = "signed_on"
    case powerOfAttorneyID = "power_of_attorney_id"
  }

  /// The role of the person who signs.
  public struct Capacity: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The account holder signs.
    public static let holder = Capacity(rawValue: "self")
    /// An attorney signs under a power of attorney.
    public static let attorney = Capacity(rawValue: "power_of_attorney")
    /// A legal guardian signs.
    public static let guardian = Capacity(rawValue: "guardian")

    /// Every word that this version knows.
    public static let known: [Capacity] = [.holder, .attorney, .guardian]
  }
}
