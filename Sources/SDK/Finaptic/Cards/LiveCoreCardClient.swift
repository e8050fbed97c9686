// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Cards, over the wire.
final class LiveCoreCardClient: CoreCardClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func getCard(request: GetCardRequest, completion: @escaping FinapticCompletion<Card>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.Card = try await calls.send(.getCard, FinapticAPI.CardRequest(cardId: request.cardId))
      return Card(answer)
    }
  }

  func listCards(request: ListCardsRequest, completion: @escaping FinapticCompletion<ListCardsResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.CardsResponse = try await calls.send(.listCards, request.wire)
      return ListCardsResponse(cards: answer.cards.map { Card($0) }, nextPageToken: answer.nextPageToken.orEnd)
    }
  }

  func createCardSDKSignOnToken(
    request: CreateCardSDKSignOnTokenRequest, completion: @escaping FinapticCompletion<CreateCardSDKSignOnTokenResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.CardTokenResponse = try await calls.send(
        .createCardSDKSignOnToken, FinapticAPI.CardRequest(cardId: request.cardId))
      return CreateCardSDKSignOnTokenResponse(token: answer.token, cardRefNumber: answer.cardRefNumber)
    }
  }

  func createAuthorizedUserCard(
    request: CreateAuthorizedUserCardRequest, completion: @escaping FinapticCompletion<CreateAuthorizedUserCardResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.CardResponse = try await calls.send(.createAuthorizedUserCard, request.wire)
      return CreateAuthorizedUserCardResponse(card: Card(answer.card))
    }
  }

  func lockCard(request: LockCardRequest, completion: @escaping FinapticCompletion<LockCardResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.CardResponse = try await calls.send(
        .lockCard, FinapticAPI.CardRequest(cardId: request.cardId))
      return LockCardResponse(card: Card(answer.card))
    }
  }

  func unlockCard(request: UnlockCardRequest, completion: @escaping FinapticCompletion<UnlockCardResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.CardResponse = try await calls.send(
        .unlockCard, FinapticAPI.CardRequest(cardId: request.cardId))
      return UnlockCardResponse(card: Card(answer.card))
    }
  }
}
