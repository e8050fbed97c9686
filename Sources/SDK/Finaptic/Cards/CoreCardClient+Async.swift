// SPDX-License-Identifier: Apache-2.0

extension CoreCardClient {
  /// A card.
  public func getCard(request: GetCardRequest) async throws(FinapticError) -> Card {
    try await withCheckedContinuation { done in getCard(request: request) { done.resume(returning: $0) } }.get()
  }

  /// The customer's cards.
  public func listCards(request: ListCardsRequest) async throws(FinapticError) -> ListCardsResponse {
    try await withCheckedContinuation { done in listCards(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Lets the card processor's SDK show a card.
  public func createCardSDKSignOnToken(
    request: CreateCardSDKSignOnTokenRequest
  ) async throws(FinapticError) -> CreateCardSDKSignOnTokenResponse {
    try await withCheckedContinuation { done in
      createCardSDKSignOnToken(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Makes a card for an authorized user.
  public func createAuthorizedUserCard(
    request: CreateAuthorizedUserCardRequest
  ) async throws(FinapticError) -> CreateAuthorizedUserCardResponse {
    try await withCheckedContinuation { done in
      createAuthorizedUserCard(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Stops a card from paying.
  public func lockCard(request: LockCardRequest) async throws(FinapticError) -> LockCardResponse {
    try await withCheckedContinuation { done in lockCard(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Lets a card pay again.
  public func unlockCard(request: UnlockCardRequest) async throws(FinapticError) -> UnlockCardResponse {
    try await withCheckedContinuation { done in unlockCard(request: request) { done.resume(returning: $0) } }.get()
  }
}
