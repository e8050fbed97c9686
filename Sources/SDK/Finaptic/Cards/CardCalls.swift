// SPDX-License-Identifier: Apache-2.0

/// What to ask `getCard` for.
public struct GetCardRequest: Hashable, Codable, Sendable {
  public var cardId: String

  /// Creates the value from its members.
  public init(cardId: String) {
    self.cardId = cardId
  }
}

/// What to ask `listCards` for.
public struct ListCardsRequest: Hashable, Codable, Sendable {
  /// 1 or more.
  public var pageSize: Int
  /// Nil for the first page.
  public var pageToken: String?

  /// Creates the value from its members.
  public init(pageSize: Int, pageToken: String? = nil) {
    (self.pageSize, self.pageToken) = (pageSize, pageToken)
  }
}

/// What `listCards` answers.
public struct ListCardsResponse: Hashable, Codable, Sendable {
  public var cards: [Card]
  /// Nil at the end.
  public var nextPageToken: String?

  /// Creates the value from its members.
  public init(cards: [Card], nextPageToken: String? = nil) {
    (self.cards, self.nextPageToken) = (cards, nextPageToken)
  }
}

/// What to ask `createCardSDKSignOnToken` for.
public struct CreateCardSDKSignOnTokenRequest: Hashable, Codable, Sendable {
  public var cardId: String

  /// Creates the value from its members.
  public init(cardId: String) {
    self.cardId = cardId
  }
}

/// What `createCardSDKSignOnToken` answers.
public struct CreateCardSDKSignOnTokenResponse: Hashable, Codable, Sendable {
  /// Good for one sign-on.
  public var token: String
  /// What the card processor knows the card by.
  public var cardRefNumber: String

  /// Creates the value from its members.
  public init(token: String, cardRefNumber: String) {
    (self.token, self.cardRefNumber) = (token, cardRefNumber)
  }
}
