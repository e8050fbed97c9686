// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Testing

@testable import FinapticFlow

@Suite("Finaptic: what a customer may ask of cards and invitations")
struct CardRightsTests {
  private typealias Wire = FinapticAPI

  @Test("an export has cards, without their numbers, and invitations; what an erasure leaves of a card does not pay")
  func rights() async throws {
    try await CardTestApp.run { app in
      let (owner, guest) = (try await app.customer("ada"), try await app.customer("bob"))
      let product = try await app.open(for: owner)
      let invited = try await app.call(
        .inviteAuthorizedUser,
        Wire.InviteAuthorizedUserRequest(
          invitedCustomerIdentifier: guest.email, accountId: product.account.rawValue,
          invitationMetadata: ["note": "Quixotic7"]), as: owner
      ).view(Wire.InvitationResponse.self).invitation
      let exporter = app.accounts.service.dependencies.exporter
      let found = try await exporter.export(owner.customer, tenant: CardTestApp.tenant, by: "test")
      #expect(found.cards.map(\.id) == [product.card] && found.invitations == [invited])
      let theirs = try await exporter.export(guest.customer, tenant: CardTestApp.tenant, by: "test")
      #expect(theirs.cards.isEmpty && theirs.invitations.map(\.invitationId) == [invited.invitationId])
      #expect(theirs.invitations.map(\.invitedCustomerId) == [guest.customer])
      let secrets = try await app.database.read { [dependencies = app.dependencies] in
        try CardStore($0, vault: dependencies.core.vault).secrets(of: .init(rawValue: product.card))
      }
      let number = try #require(secrets).number
      #expect(!String(decoding: try JSONEncoder().encode(found), as: UTF8.self).contains(number))

      try await app.empty(owner)
      _ = try await app.accounts.service.dependencies.erasure.erase(
        owner.customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
      #expect(try await app.pay(1, by: product.card).responseCode == "62")
      let left = try await exporter.export(guest.customer, tenant: CardTestApp.tenant, by: "test")
      #expect(left.invitations.map(\.invitationMetadata) == [[:]])
      let card = try await app.database.read { [dependencies = app.dependencies] tx in
        let store = CardStore(tx, vault: dependencies.core.vault)
        #expect(try store.secrets(of: .init(rawValue: product.card)) == nil)
        return try store.find(.init(rawValue: product.card))
      }
      #expect(card?.content.nameOnCard == "" && card?.lastFour == nil)
    }
  }
}
