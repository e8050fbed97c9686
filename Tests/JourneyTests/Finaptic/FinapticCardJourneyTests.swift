// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import FinapticSamples
import Foundation
import GatehouseTransport
import GatehouseWire
import Testing

@testable import GatehouseApp

@Suite("Finaptic: cards and authorized users, by the SDK", .serialized)
struct FinapticCardJourneyTests {
  @Test("an owner invites a customer, who accepts, gets a card, pays with it, and is taken off again")
  func whole() async throws {
    try await FinapticTestApp.run { app in
      let (ada, bob) = (
        try await FinapticCardholder.made("Ada", in: app), try await FinapticCardholder.made("Bob", in: app)
      )
      let invitation = try await ada.invite("BOB")
      #expect(invitation.status == .pending && invitation.invitedCustomerId != bob.customer)
      let received = try await bob.sdk.onboardingClient.getInvitations(request: .init()).invitations
      #expect(received.map(\.invitationId) == [invitation.invitationId])
      #expect(received.map(\.invitedCustomerId) == [bob.customer])
      try await bob.accept(invitation.invitationId)
      try await ada.confirm(invitation.invitationId)
      let card = try await ada.createCard(for: bob.customer)
      #expect(card.state == .active && card.ownerId == bob.customer && card.description == "Second card")
      let carried = try await bob.sdk.coreCardClient.listCards(request: ListCardsRequest(pageSize: 10))
      #expect(Set(carried.cards.map(\.id)) == [bob.card, card.id] && carried.nextPageToken == nil)
      try await app.pay(by: card.id, expecting: "51")

      let token = try await bob.sdk.coreCardClient.createCardSDKSignOnToken(request: .init(cardId: card.id))
      #expect(!token.token.isEmpty && !token.cardRefNumber.isEmpty)

      #expect(
        await refusal { () async throws(FinapticError) in try await ada.remove(bob.customer) } == .permissionDenied)
      try await ada.stepUp("remove:authorized_user")
      #expect(try await ada.remove(bob.customer) == [])
      let locked = try await bob.sdk.coreCardClient.getCard(request: GetCardRequest(cardId: card.id))
      #expect(locked.state == .locked)
      try await app.pay(by: card.id, expecting: "62")
    }
  }

  @Test("every refusal of these calls has the code that the specification names", .onOneEngine)
  func refusals() async throws {
    try await FinapticTestApp.run { app in
      let (ada, bob) = (
        try await FinapticCardholder.made("Ada", in: app), try await FinapticCardholder.made("Bob", in: app)
      )
      let unknown = "00000000-0000-4000-8000-000000000000"
      let cards = (ada.sdk.coreCardClient, bob.sdk.coreCardClient)
      var found: [String: FinapticErrorCode?] = [:]
      found["invite, not the owner"] = await refusal { () async throws(FinapticError) in
        try await bob.invite("ada", account: ada.account)
      }
      found["invite, the owner"] = await refusal { () async throws(FinapticError) in try await ada.invite("ada") }
      found["invite, no id"] = await refusal { () async throws(FinapticError) in
        try await ada.invite("bob", account: "x")
      }
      let id = try await ada.invite("bob").invitationId
      found["invite, again"] = await refusal { () async throws(FinapticError) in try await ada.invite("bob") }
      found["invite, nobody"] = await refusal { () async throws(FinapticError) in try await ada.invite("nobody") }
      found["invite, nobody again"] = await refusal { () async throws(FinapticError) in try await ada.invite("nobody") }
      found["accept, unknown"] = await refusal { () async throws(FinapticError) in try await bob.accept(unknown) }
      found["accept, the issuer"] = await refusal { () async throws(FinapticError) in try await ada.accept(id) }
      found["confirm, too early"] = await refusal { () async throws(FinapticError) in try await ada.confirm(id) }
      found["confirm, the invited"] = await refusal { () async throws(FinapticError) in try await bob.confirm(id) }
      try await bob.accept(id)
      found["accept, twice"] = await refusal { () async throws(FinapticError) in try await bob.accept(id) }
      found["card, not authorized yet"] = await refusal { () async throws(FinapticError) in
        try await ada.createCard(for: bob.customer)
      }
      found["card, another's account"] = await refusal { () async throws(FinapticError) in
        try await bob.createCard(for: ada.customer, account: ada.account)
      }
      found["card, no type"] = await refusal { () async throws(FinapticError) in
        try await ada.createCard(for: bob.customer, .cardTypeUnspecified)
      }
      found["get, another's"] = await refusal { () async throws(FinapticError) in
        try await cards.1.getCard(request: .init(cardId: ada.card))
      }
      found["token, another's"] = await refusal { () async throws(FinapticError) in
        try await cards.1.createCardSDKSignOnToken(request: .init(cardId: ada.card))
      }
      found["lock, another's"] = await refusal { () async throws(FinapticError) in
        try await cards.1.lockCard(request: .init(cardId: ada.card))
      }
      found["unlock, unknown"] = await refusal { () async throws(FinapticError) in
        try await cards.0.unlockCard(request: .init(cardId: unknown))
      }
      found["list, no page"] = await refusal { () async throws(FinapticError) in
        try await cards.0.listCards(request: .init(pageSize: 0))
      }
      try await ada.stepUp("remove:authorized_user")
      found["remove, not authorized"] = await refusal { () async throws(FinapticError) in
        try await ada.remove(bob.customer)
      }
      try await ada.sdk.authenticationClient.signOut()
      found["signed out"] = await refusal { () async throws(FinapticError) in
        try await cards.0.getCard(request: .init(cardId: ada.card))
      }
      let expected: [String: FinapticErrorCode?] = [
        "invite, not the owner": .permissionDenied, "invite, the owner": .alreadyExists,
        "invite, no id": .invalidArgument, "invite, again": .alreadyExists, "invite, nobody": FinapticErrorCode?.none,
        "invite, nobody again": .alreadyExists, "accept, unknown": .notFound, "accept, the issuer": .permissionDenied,
        "confirm, too early": .failedPrecondition, "confirm, the invited": .permissionDenied,
        "accept, twice": .failedPrecondition, "card, not authorized yet": .cardsInvalidAuthUser,
        "card, another's account": .cardsInvalidAccount, "card, no type": .invalidArgument,
        "get, another's": .notFound, "token, another's": .notFound, "lock, another's": .cardsInvalidCardId,
        "unlock, unknown": .cardsInvalidCardId, "list, no page": .invalidArgument,
        "remove, not authorized": .notFound, "signed out": .unauthenticated,
      ]
      #expect(found == expected)
    }
  }

  @Test("the seed's samples of cards and invitations, played by customers", .onOneEngine)
  @MainActor
  func samples() async throws {
    try await FinapticTestApp.run { app in
      let (ada, bob) = (
        try await FinapticCardholder.made("Ada", in: app), try await FinapticCardholder.made("Bob", in: app)
      )
      try await Self.play(ada, bob)
    }
  }

  @MainActor
  private static func play(_ ada: FinapticCardholder, _ bob: FinapticCardholder) async throws {
    func heard(_ sample: () -> Void) async -> String { await Transcript.heard(sample) }
    let none = Amount(amount: 0, currency: "CAD")
    let account = Account(
      id: ada.account, balance: Balance(actual: none, available: none), name: "", sourceDomain: "", owners: [],
      authorizedUsers: [])
    #expect(await heard { BankingSamples.listCards(sdk: ada.sdk) }.hasPrefix("1"))
    #expect(await heard { BankingSamples.getCard(sdk: ada.sdk, cardId: ada.card) }.contains("••••"))
    #expect(await heard { BankingSamples.createCardSDKSignOnToken(sdk: ada.sdk, cardId: ada.card) }.hasPrefix("fnc_"))
    // The sample invites test@finaptic.com, who is unknown here: it succeeds all the same.
    #expect(
      await heard { AuthorizedUserSamples.inviteAuthorizedUser(sdk: ada.sdk, account: account) }
        .hasPrefix("Invite authorized user success with id"))
    #expect(
      await heard { AuthorizedUserSamples.getInvitations(sdk: ada.sdk) { _ in } }.hasPrefix("Invitation with pending"))
    let first = try await ada.invite("bob")
    #expect(
      await heard { AuthorizedUserSamples.declineAuthorizedUserInvitation(sdk: bob.sdk, invitation: first) }
        == "Declined authorized user invitation with id \(first.invitationId)")
    let second = try await ada.invite("bob")
    #expect(
      await heard { AuthorizedUserSamples.acceptAuthorizedUserInvitation(sdk: bob.sdk, invitation: second) }
        == "Accepted authorized user invitation with id \(second.invitationId)")
    #expect(
      await heard { AuthorizedUserSamples.confirmAuthorizedUserInvitation(sdk: ada.sdk, invitation: second) }
        == "Confirm authorized user invitation with id \(second.invitationId)")
    #expect(
      await heard { AuthorizedUserSamples.signInToStepUp(sdk: ada.sdk, credential: ada.credential) }
        == "You may call removeAuthorizedUser")
    let screen = ScreenSamples(sdk: ada.sdk)
    #expect(
      await heard { screen.removeAuthorizedUser(accountId: ada.account, authorizedUserId: bob.customer) }
        == "Removed authorized user. []")
    withExtendedLifetime(screen) {}
  }
}

extension FinapticTestApp {
  /// Buys something for a dollar.
  fileprivate func pay(by card: String, expecting code: String) async throws {
    let outcome = try await app.finaptic.dependencies.cardNetwork(
      of: try await app.finaptic.dependencies.tenants.find(7)
    )
    .purchase(
      .init(payment: .init(cardId: card, amount: .init(amount: "1.00", currency: "CAD"), cardAcceptorName: "SHOP")),
      isFinal: true, by: "test")
    #expect(outcome.responseCode == code)
  }
}
