// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// A card that pays from an account (finaptic §8.4), without its number.
struct PaymentCard: Sendable, Equatable {
  typealias ID = Identifier<PaymentCard>

  enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    case prepaid = "CARD_TYPE_PREPAID"
    /// The published interface has no value for it, so the SDK shows it as unspecified.
    case credit = "CARD_TYPE_CREDIT"
  }

  /// The sealed part: what the holder wrote, and what is known about them.
  struct Content: Sendable, Codable, Equatable {
    var description: String?
    var nameOnCard: String
    var billingAddress: FinapticAPI.Address?

    /// What an erasure leaves.
    static let emptied = Self(description: nil, nameOnCard: "", billingAddress: nil)
  }

  let id: ID
  let tenant: Int
  let account: BankAccount.ID
  /// The customer who carries it.
  let holder: String
  let kind: Kind
  var state: CardState
  var content: Content
  /// The processor's id of the card; nil until the card is made.
  var reference: String?
  /// Nil until it is made.
  var lastFour: String?
  let createdAt: Instant
  var version = 0

  var view: FinapticAPI.Card {
    FinapticAPI.Card(
      id: id.rawValue, cardType: kind.rawValue, accountId: account.rawValue,
      description: content.description ?? lastFour.map { "•••• \($0)" }, state: state.rawValue, ownerId: holder)
  }
}
