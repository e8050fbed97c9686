// SPDX-License-Identifier: Apache-2.0

import Ledger
import FinapticWire
import Testing

@testable import FinapticFlow

@Suite("Finaptic: the published profiles of card payments")
struct CardPaymentProfileTests {
  @Test(
    "a payment answers as its profile says",
    .enabled(if: !PublishedProfiles.of("cardPayment").isEmpty, "the specification's folder is not there"),
    arguments: PublishedProfiles.of("cardPayment"))
  func answers(profile: PublishedProfiles.Profile) async throws {
    func cents(_ name: String) throws -> Int64 {
      let text = try #require(profile.input[name].text)
      return try #require(Money(decimal: text, currency: "CAD")).minorUnits
    }
    let (available, amount) = (try cents("available"), try cents("amount"))
    try await CardTestApp.run { app in
      let owner = try await app.customer("ada")
      let product = try await app.open(for: owner, cents: available)
      if profile.input["cardState"].text == CardState.locked.rawValue {
        #expect(
          try await app.call(.lockCard, FinapticAPI.CardRequest(cardId: product.card), as: owner).status == 200)
      }
      let code = try await app.pay(amount, by: product.card).responseCode
      if let wanted = profile.expect["responseCode"].text { #expect(code == wanted) }
      if let unwanted = profile.expect["responseCodeNot"].text { #expect(code != unwanted) }
      let left = code == "00" ? available - amount : available
      #expect(try await app.balance(of: product.account) == [left, left])
    }
  }
}
