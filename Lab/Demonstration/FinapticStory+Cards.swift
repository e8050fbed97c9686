// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import GatehouseApp

extension FinapticStory {
  /// The card that the story's applicant got: shown, locked, refused at a shop, unlocked, and a person invited to the
  /// account.
  func useCard(in app: App) async throws {
    let cards = play.sdk.coreCardClient
    var card: Card?
    try await step("listCards", shows: "1 card, CARD_STATE_ACTIVE") {
      let found = try await cards.listCards(request: ListCardsRequest(pageSize: 10)).cards
      card = found.first
      return ("\(found.count) card, \(found.first?.state.rawValue ?? "none")", found.first?.description ?? "")
    }
    guard let card else { throw Broken() }
    try await step("createCardSDKSignOnToken", shows: "a token and a reference") {
      let token = try await cards.createCardSDKSignOnToken(request: .init(cardId: card.id))
      return (token.token.isEmpty || token.cardRefNumber.isEmpty ? "nothing" : "a token and a reference", "")
    }
    try await step("lockCard, then a purchase", shows: "CARD_STATE_LOCKED, response 62") {
      let locked = try await cards.lockCard(request: .init(cardId: card.id)).card
      return ("\(locked.state.rawValue), response \(try await pay(by: card.id, in: app))", "")
    }
    try await step("unlockCard, then a purchase without funds", shows: "CARD_STATE_ACTIVE, response 51") {
      let unlocked = try await cards.unlockCard(request: .init(cardId: card.id)).card
      return ("\(unlocked.state.rawValue), response \(try await pay(by: card.id, in: app))", "")
    }
    try await step("inviteAuthorizedUser, an unknown person", shows: "PENDING") {
      let invitation = try await play.sdk.onboardingClient.inviteAuthorizedUser(
        request: InviteAuthorizedUserRequest(
          invitedCustomerIdentifier: "friend@utopia.example", accountId: card.accountId)
      ).invitation
      return (invitation.status.rawValue, "")
    }
  }

  /// - Returns: what the terminal is told.
  private func pay(by card: String, in app: App) async throws -> String {
    try await app.finaptic.dependencies.cardNetwork(of: try await app.finaptic.dependencies.tenants.find(1)).purchase(
      .init(
        payment: .init(
          cardId: card, amount: .init(amount: "12.30", currency: "CAD"), cardAcceptorName: "CAFE UTOPIA")),
      isFinal: true, by: "demo"
    ).responseCode
  }
}
