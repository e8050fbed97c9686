// SPDX-License-Identifier: Apache-2.0

/// Cards (finaptic §3.5).
public protocol CoreCardClient: AnyObject, Sendable {
  /// A card.
  func getCard(request: GetCardRequest, completion: @escaping FinapticCompletion<Card>)
  /// The customer's cards.
  func listCards(request: ListCardsRequest, completion: @escaping FinapticCompletion<ListCardsResponse>)
  /// Lets the card processor's SDK show a card.
  func createCardSDKSignOnToken(
    request: CreateCardSDKSignOnTokenRequest,
    completion: @escaping FinapticCompletion<CreateCardSDKSignOnTokenResponse>)
  /// Makes a card for an authorized user.
  func createAuthorizedUserCard(
    request: CreateAuthorizedUserCardRequest,
    completion: @escaping FinapticCompletion<CreateAuthorizedUserCardResponse>)
  /// Stops a card from paying.
  func lockCard(request: LockCardRequest, completion: @escaping FinapticCompletion<LockCardResponse>)
  /// Lets a card pay again.
  func unlockCard(request: UnlockCardRequest, completion: @escaping FinapticCompletion<UnlockCardResponse>)
}
