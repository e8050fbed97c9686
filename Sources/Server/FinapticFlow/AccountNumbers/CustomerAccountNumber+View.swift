// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Payments
import ReferenceData

extension CustomerAccountNumber {
  /// As apps and a bank's own systems see it.
  package var view: FinapticAPI.AccountNumber {
    .init(
      country: country, institution: bank, transit: branch.isEmpty ? nil : branch, number: account, iban: iban?.text)
  }

  /// As messages to other banks name it.
  var inMessages: AccountNumber { iban.map(AccountNumber.iban) ?? .other(text) }
}
