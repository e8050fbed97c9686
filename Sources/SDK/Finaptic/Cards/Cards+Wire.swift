// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension CreateAuthorizedUserCardRequest {
  var wire: FinapticAPI.CreateAuthorizedUserCardRequest {
    FinapticAPI.CreateAuthorizedUserCardRequest(card: card.wire, authorizedUserId: authorizedUserId)
  }
}

extension AuthorizedUserCard {
  var wire: FinapticAPI.NewCard {
    FinapticAPI.NewCard(cardType: cardType.rawValue, accountId: accountId, description: description)
  }
}

extension ListCardsRequest {
  var wire: FinapticAPI.PageRequest { FinapticAPI.PageRequest(pageSize: pageSize, pageToken: pageToken) }
}

extension Card {
  init(_ wire: FinapticAPI.Card) {
    self.init(
      id: wire.id, cardType: CardType(rawValue: wire.cardType) ?? .cardTypeUnspecified, accountId: wire.accountId,
      description: wire.description, state: CardState(rawValue: wire.state) ?? .unspecified, ownerId: wire.ownerId)
  }
}
