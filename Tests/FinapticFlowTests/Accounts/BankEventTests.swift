// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Storage
import Testing

@testable import Delivery
@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what a tenant's server hears of accounts, invitations and cards")
struct BankEventTests {
  /// An event as a receiver reads it.
  private struct Heard: Decodable {
    let event_id: String
    let event_type: String
    let tenant_id: Int
    let account_id: String
    let customer_id: String?
    let card_id: String?
    let invitation_id: String?
    let issuer_customer_id: String?
    let status: String?
    let is_made_up: Bool?
  }

  /// What is owed to the tenant's endpoints, by the events' types.
  private func owed(_ app: CardTestApp) async throws -> [String: [Heard]] {
    let vault = app.accounts.vault
    let all = try await app.database.read { tx in
      let store = WebhookDeliveryStore(tx, vault: vault)
      return try tx.query("SELECT id FROM webhook_message ORDER BY id").compactMap {
        try store.body(of: try $0.get("id")).map { try JSONDecoder().decode(Heard.self, from: $0) }
      }
    }
    return Dictionary(grouping: all, by: \.event_type)
  }

  @Test("each step of an invitation, a removal and a card is told once, in ids, to who listens for it")
  func told() async throws {
    try await CardTestApp.run { app in
      let types = BankEvent.Kind.allCases.map(\.rawValue)
      _ = try await app.accounts.app.webhooks.add(
        "https://bank.example/hooks", tenant: FinapticTenant.webhooks(CardTestApp.tenant), events: types, by: "test")
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let product = try await app.open(for: ada)
      let account = product.account.rawValue
      func invite(_ identifier: String) async throws -> String {
        try await app.call(
          .inviteAuthorizedUser,
          FinapticAPI.InviteAuthorizedUserRequest(
            invitedCustomerIdentifier: identifier, accountId: account, invitationMetadata: ["note": "Quixotic7"]),
          as: ada
        ).view(FinapticAPI.InvitationResponse.self).invitation.invitationId
      }
      let (first, second) = (try await invite("bob@example.ca"), try await invite("nobody@example.ca"))
      for (method, person) in [
        (FinapticMethod.acceptAuthorizedUserInvitation, bob), (.confirmAuthorizedUserInvitation, ada),
      ] {
        let answer = try await app.call(method, FinapticAPI.InvitationRequest(invitationId: first), as: person)
        #expect(answer.status == 200)
      }
      let card = try await app.call(
        .createAuthorizedUserCard,
        FinapticAPI.CreateAuthorizedUserCardRequest(
          card: .init(cardType: "CARD_TYPE_PREPAID", accountId: account, description: "Quixotic7"),
          authorizedUserId: bob.customer), as: ada
      ).view(FinapticAPI.CardResponse.self).card.id
      for method in [FinapticMethod.lockCard, .unlockCard, .unlockCard] {
        #expect(try await app.call(method, FinapticAPI.CardRequest(cardId: card), as: bob).status == 200)
      }
      let removed = try await app.call(
        .removeAuthorizedUser,
        FinapticAPI.RemoveAuthorizedUserRequest(accountId: account, authorizedUser: bob.customer), as: ada,
        scope: .removeAuthorizedUser)
      #expect(removed.status == 200)

      let heard = try await owed(app)
      #expect(Set(heard.keys).isSubset(of: types))
      #expect(heard.values.joined().allSatisfy { $0.tenant_id == CardTestApp.tenant && $0.account_id == account })
      #expect(
        heard.mapValues(\.count) == [
          "InvitationIssued": 2, "InvitationAcceptedOrDeclined": 1, "InvitationConfirmed": 1, "AuthorizedUserAdded": 1,
          "AuthorizedUserRemoved": 1, "AccountCreated": 1, "CardCreated": 2, "CardUpdated": 3,
        ])
      let issued = heard["InvitationIssued"] ?? []
      #expect(Set(issued.compactMap(\.invitation_id)) == [first, second])
      #expect(issued.first { $0.invitation_id == first }?.customer_id == bob.customer)
      #expect(issued.first { $0.invitation_id == first }?.is_made_up == false)
      #expect(issued.first { $0.invitation_id == second }?.is_made_up == true)
      #expect(issued.allSatisfy { $0.issuer_customer_id == ada.customer && $0.status == "PENDING" })
      #expect(heard["InvitationAcceptedOrDeclined"]?.map(\.status) == ["ACCEPTED"])
      #expect(heard["InvitationConfirmed"]?.map(\.status) == ["COMPLETED"])
      for type in ["AuthorizedUserAdded", "AuthorizedUserRemoved"] {
        #expect(heard[type]?.map(\.customer_id) == [bob.customer])
      }
      #expect(heard["CardUpdated"]?.map(\.card_id) == [card, card, card])
      let states: [String] = (heard["CardUpdated"] ?? []).compactMap(\.status).sorted()
      #expect(states == ["CARD_STATE_ACTIVE", "CARD_STATE_LOCKED", "CARD_STATE_LOCKED"])
    }
  }

  @Test("refused changes send no event, and endpoints that do not subscribe are owed nothing")
  func untold() async throws {
    try await CardTestApp.run { app in
      _ = try await app.accounts.app.webhooks.add(
        "https://bank.example/hooks", tenant: FinapticTenant.webhooks(CardTestApp.tenant),
        events: ["TransactionCreated"], by: "test")
      let ada = try await app.customer("ada")
      let product = try await app.open(for: ada, cents: 0)
      let locked = try await app.call(.lockCard, FinapticAPI.CardRequest(cardId: product.card), as: ada)
      #expect(locked.status == 200)
      #expect(try await owed(app).isEmpty)
    }
  }
}
