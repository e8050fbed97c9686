// SPDX-License-Identifier: Apache-2.0

/// The kind of a card.
public enum CardType: String, CaseIterable, Codable, Hashable, Sendable {
  case cardTypeUnspecified = "CARD_TYPE_UNSPECIFIED"
  case cardTypePrepaid = "CARD_TYPE_PREPAID"

  /// A word that this version does not know becomes `cardTypeUnspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .cardTypeUnspecified
  }
}

/// Whether a card pays.
public enum CardState: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "CARD_STATE_UNSPECIFIED"
  case active = "CARD_STATE_ACTIVE"
  case locked = "CARD_STATE_LOCKED"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}

/// A card, without its number.
public struct Card: Hashable, Codable, Sendable {
  public var id: String
  public var cardType: CardType
  public var accountId: String
  public var description: String?
  public var state: CardState
  public var ownerId: String

  /// Creates the value from its members.
  public init(
    id: String, cardType: CardType, accountId: String, description: String? = nil, state: CardState, ownerId: String
  ) {
    (self.id, self.cardType, self.accountId) = (id, cardType, accountId)
    (self.description, self.state, self.ownerId) = (description, state, ownerId)
  }
}
