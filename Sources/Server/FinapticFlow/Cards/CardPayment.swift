// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger

/// One purchase by card, from its authorization to whatever comes back of it.
struct CardPayment: Sendable, Equatable {
  typealias ID = Identifier<CardPayment>

  let id: ID
  let tenant: Int
  let card: PaymentCard.ID
  let account: BankAccount.ID
  var state: PaymentState
  let currency: String
  /// What was asked for, in minor units; what the merchant got, where that was more.
  var asked: Int64
  /// What the merchant got; 0 until then.
  var settled: Int64 = 0
  /// What came back of it.
  var returned: Int64 = 0
  /// While money is held, and after.
  var hold: LedgerHold.ID?
  /// Of its first step, which all of its transactions share; of the last hold, where another amount was held.
  var lifecycle: String
  let merchant: BankTransaction.Particulars.Merchant
  /// When an authorization that is not confirmed ends; nil for a purchase in one step.
  let expiresAt: Instant?
  let createdAt: Instant
  var version = 0

  /// What can still come back.
  var left: Int64 { settled - returned }

  var particulars: BankTransaction.Particulars { .init(merchant: merchant, card: card.rawValue) }
}

/// What a terminal is told (ISO 8583, DE 39).
enum CardResponseCode: String, Sendable, CaseIterable {
  case approved = "00"
  /// The issuer says no without a reason: of an authorization that was reversed before it came.
  case doNotHonour = "05"
  /// For less than was asked for, to a terminal that takes that.
  case partlyApproved = "10"
  case unknownCard = "14"
  case lostCard = "41"
  case stolenCard = "43"
  case insufficientFunds = "51"
  case expiredCard = "54"
  /// The account does not process transactions yet.
  case notPermitted = "57"
  /// More than the tenant lets a card pay at once or in a day.
  case exceedsLimit = "61"
  /// Locked, still being made, or of a customer who is not on the account any more.
  case restrictedCard = "62"
}
