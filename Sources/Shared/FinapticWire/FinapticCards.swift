// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// What the calls take that need nothing but the card.
  public struct CardRequest: Codable, Sendable, Hashable {
    public var cardId: String?

    /// Creates the value from its members.
    public init(cardId: String? = nil) {
      self.cardId = cardId
    }

    enum CodingKeys: String, CodingKey {
      case cardId = "card_id"
    }
  }

  /// A card, without its number.
  public struct Card: Codable, Sendable, Hashable {
    public var id: String
    /// `CARD_TYPE_PREPAID`.
    public var cardType: String
    public var accountId: String
    public var description: String?
    /// `CARD_STATE_ACTIVE` or `CARD_STATE_LOCKED`.
    public var state: String
    /// A customer's id.
    public var ownerId: String

    /// Creates the value from its members.
    public init(
      id: String, cardType: String, accountId: String, description: String? = nil, state: String, ownerId: String
    ) {
      (self.id, self.cardType, self.accountId) = (id, cardType, accountId)
      (self.description, self.state, self.ownerId) = (description, state, ownerId)
    }

    enum CodingKeys: String, CodingKey {
      case id, description, state
      case cardType = "card_type"
      case accountId = "account_id"
      case ownerId = "owner_id"
    }
  }

  /// What locking, unlocking and creating answer.
  public struct CardResponse: Codable, Sendable, Hashable {
    public var card: Card

    /// Creates the value from its members.
    public init(card: Card) {
      self.card = card
    }
  }

  /// A page of cards.
  public struct CardsResponse: Codable, Sendable, Hashable {
    public var cards: [Card]
    public var nextPageToken: String?

    /// Creates the value from its members.
    public init(cards: [Card], nextPageToken: String? = nil) {
      (self.cards, self.nextPageToken) = (cards, nextPageToken)
    }

    enum CodingKeys: String, CodingKey {
      case cards
      case nextPageToken = "next_page_token"
    }
  }

  /// What the card processor's SDK signs on with, once.
  public struct CardTokenResponse: Codable, Sendable, Hashable {
    public var token: String
    public var cardRefNumber: String

    /// Creates the value from its members.
    public init(token: String, cardRefNumber: String) {
      (self.token, self.cardRefNumber) = (token, cardRefNumber)
    }

    enum CodingKeys: String, CodingKey {
      case token
      case cardRefNumber = "card_ref_number"
    }
  }

  /// A card for an authorized user of the account.
  public struct CreateAuthorizedUserCardRequest: Codable, Sendable, Hashable {
    public var card: NewCard?
    public var authorizedUserId: String?

    /// Creates the value from its members.
    public init(card: NewCard? = nil, authorizedUserId: String? = nil) {
      (self.card, self.authorizedUserId) = (card, authorizedUserId)
    }

    enum CodingKeys: String, CodingKey {
      case card
      case authorizedUserId = "authorized_user_id"
    }
  }

  /// See `CreateAuthorizedUserCardRequest`.
  public struct NewCard: Codable, Sendable, Hashable {
    public var cardType: String?
    public var accountId: String?
    public var description: String?

    /// Creates the value from its members.
    public init(cardType: String? = nil, accountId: String? = nil, description: String? = nil) {
      (self.cardType, self.accountId, self.description) = (cardType, accountId, description)
    }

    enum CodingKeys: String, CodingKey {
      case description
      case cardType = "card_type"
      case accountId = "account_id"
    }
  }

  /// What the card processor's part of an app asks with.
  public struct ShowCardRequest: Codable, Sendable, Hashable {
    /// Of `createCardSDKSignOnToken`.
    public var token: String?
    /// Of `createCardSDKSignOnToken`.
    public var cardRefNumber: String?

    /// Creates the value from its members.
    public init(token: String? = nil, cardRefNumber: String? = nil) {
      (self.token, self.cardRefNumber) = (token, cardRefNumber)
    }

    enum CodingKeys: String, CodingKey {
      case token
      case cardRefNumber = "card_ref_number"
    }
  }

  /// What stands on a card. To be drawn, and kept nowhere.
  public struct ShowCardResponse: Codable, Sendable, Hashable {
    /// 16 digits.
    public var number: String
    /// `11/29`.
    public var expiry: String
    /// Three digits.
    public var securityCode: String
    public var nameOnCard: String

    /// Creates the value from its members.
    public init(number: String, expiry: String, securityCode: String, nameOnCard: String) {
      (self.number, self.expiry, self.securityCode) = (number, expiry, securityCode)
      self.nameOnCard = nameOnCard
    }

    enum CodingKeys: String, CodingKey {
      case number, expiry
      case securityCode = "security_code"
      case nameOnCard = "name_on_card"
    }
  }
}
