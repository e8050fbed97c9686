// SPDX-License-Identifier: Apache-2.0

/// A card to be made for an authorized user of the account.
public struct AuthorizedUserCard: Hashable, Codable, Sendable {
  public var cardType: CardType
  public var accountId: String
  public var description: String?

  /// Creates the value from its members.
  public init(cardType: CardType, accountId: String, description: String? = nil) {
    (self.cardType, self.accountId, self.description) = (cardType, accountId, description)
  }
}

/// What to ask `createAuthorizedUserCard` for.
public struct CreateAuthorizedUserCardRequest: Hashable, Codable, Sendable {
  public var card: AuthorizedUserCard
  public var authorizedUserId: String

  /// Creates the value from its members.
  public init(card: AuthorizedUserCard, authorizedUserId: String) {
    (self.card, self.authorizedUserId) = (card, authorizedUserId)
  }
}

/// What `createAuthorizedUserCard` answers.
public struct CreateAuthorizedUserCardResponse: Hashable, Codable, Sendable {
  public var card: Card

  /// Creates the value from its members.
  public init(card: Card) {
    self.card = card
  }
}

/// What to ask `lockCard` for.
public struct LockCardRequest: Hashable, Codable, Sendable {
  public var cardId: String

  /// Creates the value from its members.
  public init(cardId: String) {
    self.cardId = cardId
  }
}

/// What `lockCard` answers.
public struct LockCardResponse: Hashable, Codable, Sendable {
  public var card: Card

  /// Creates the value from its members.
  public init(card: Card) {
    self.card = card
  }
}

/// What to ask `unlockCard` for.
public struct UnlockCardRequest: Hashable, Codable, Sendable {
  public var cardId: String

  /// Creates the value from its members.
  public init(cardId: String) {
    self.cardId = cardId
  }
}

/// What `unlockCard` answers.
public struct UnlockCardResponse: Hashable, Codable, Sendable {
  public var card: Card

  /// Creates the value from its members.
  public init(card: Card) {
    self.card = card
  }
}
