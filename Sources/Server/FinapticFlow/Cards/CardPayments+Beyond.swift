// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import Storage

/// Purchases of more than the books can write (finaptic §11.4): the form of the amount is right, and no account has it.
extension CardPayments {
  /// - Returns: what stands for any amount that is nothing but too much; nil for every other one.
  static func beyond(_ amount: FinapticAPI.Amount?) -> Money? {
    guard let amount, amount.currency == InternalAccounts.currency,
      Money.isBeyond(decimal: amount.amount, currency: amount.currency)
    else { return nil }
    return Money(Money.beyondDecimal, amount.currency)
  }

  /// Declined as any purchase for which there is too little. Nothing of it is kept, since its amount cannot be written;
  /// a repetition under the same key gets the same answer.
  /// - Parameter refusal: why the card does not pay, whatever its account has.
  /// - Throws: `Problem` invalid argument where it might be available.
  func declinedBeyond(
    _ card: PaymentCard, _ refusal: CardResponseCode?, new: New, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> Outcome {
    guard let source = try AccountStore(tx).find(card.account, tenant: tenant.id) else { throw Problem.unexpected }
    let mayPay = source.isActive && source.account.stop == nil
    guard refusal != nil || !mayPay || source.account.availableBalance.minorUnits < Money.beyondDecimal else {
      throw Self.refused(.outOfRange)
    }
    let code = refusal ?? (mayPay ? .insufficientFunds : .notPermitted)
    return Outcome(
      lifecycleTransactionId: new.declined, transactionId: new.declined, responseCode: code.rawValue,
      id: new.id.rawValue)
  }
}
