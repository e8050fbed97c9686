internal import GatehouseWire

extension CreateAuthorizedUserCardRequest {
  var wire: FinapticWire.CreateAuthorizedUserCardRequest {
    FinapticWire.CreateAuthorizedUserCardRequest(card: card.wire, authorizedUserId: authorizedUserId)
  }
}

extension AuthorizedUserCard {
  var wire: FinapticWire.NewCard {
    FinapticWire.NewCard(cardType: cardType.rawValue, accountId: accountId, description: description)
  }
}

extension ListCardsRequest {
  var wire: FinapticWire.PageRequest { FinapticWire.PageRequest(pageSize: pageSize, pageToken: pageToken) }
}

extension Card {
  init(_ wire: FinapticWire.Card) {
    self.init(
      id: wire.id, cardType: CardType(rawValue: wire.cardType) ?? .cardTypeUnspecified, accountId: wire.accountId,
      description: wire.description, state: CardState(rawValue: wire.state) ?? .unspecified, ownerId: wire.ownerId)
  }
}
