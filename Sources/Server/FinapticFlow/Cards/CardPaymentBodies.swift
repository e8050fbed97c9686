// SPDX-License-Identifier: Apache-2.0

import FinapticWire

/// Bodies of the simulation of card payments, in the names of the published interface (finaptic §11.4).
package enum CardPaymentBodies {
  package struct Purchase: Codable, Sendable {
    package var payment: Details?

    package init(payment: Details?) { self.payment = payment }
  }

  package struct Details: Codable, Sendable {
    package var cardId: String?
    package var amount: FinapticAPI.Amount?
    /// Name of the merchant.
    package var cardAcceptorName: String?
    /// Four digits (ISO 18245); blank for the default.
    package var merchantCategoryCode: String?

    package init(
      cardId: String?, amount: FinapticAPI.Amount?, cardAcceptorName: String?, merchantCategoryCode: String? = nil
    ) {
      (self.cardId, self.amount) = (cardId, amount)
      (self.cardAcceptorName, self.merchantCategoryCode) = (cardAcceptorName, merchantCategoryCode)
    }

    enum CodingKeys: String, CodingKey {
      case amount
      case cardId = "card_id"
      case cardAcceptorName = "card_acceptor_name"
      case merchantCategoryCode = "merchant_category_code"
    }
  }

  /// The later steps. Whichever of the names is given has to fit.
  package struct Step: Codable, Sendable {
    /// Of the authorization.
    package var id: String?
    package var lifecycleTransactionId: String?
    package var cardId: String?
    /// Nil for the whole.
    package var amount: FinapticAPI.Amount?

    package init(
      id: String? = nil, lifecycleTransactionId: String? = nil, cardId: String? = nil,
      amount: FinapticAPI.Amount? = nil
    ) {
      (self.id, self.lifecycleTransactionId, self.cardId) = (id, lifecycleTransactionId, cardId)
      self.amount = amount
    }

    enum CodingKeys: String, CodingKey {
      case id, amount
      case lifecycleTransactionId = "lifecycle_transaction_id"
      case cardId = "card_id"
    }
  }

  package struct Outcome: Codable, Sendable, Equatable {
    package let lifecycleTransactionId: String
    package let transactionId: String
    /// ISO 8583: `00` approved, `51` insufficient funds, `54` expired, `57` not permitted, `62` restricted.
    package let responseCode: String
    /// What links the steps of one purchase.
    package let id: String

    enum CodingKeys: String, CodingKey {
      case id
      case lifecycleTransactionId = "lifecycle_transaction_id"
      case transactionId = "transaction_id"
      case responseCode = "response_code"
    }
  }
}
