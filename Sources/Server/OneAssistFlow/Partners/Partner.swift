// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// Who sells plans: a phone shop, a bank, a wallet.
package struct Partner: Sendable {
  package typealias ID = Identifier<Partner>

  package let id: ID
  package let tenant: String
  /// Whose credentials may act in its name.
  package let client: ServiceClient.ID
  /// Its number on the wire.
  package let code: Int64
  /// Its business units' numbers.
  package let units: Set<Int64>
  package let name: String
  /// Whether numbers of other countries than India are taken.
  package let isInternational: Bool
  package let webhookURL: String?
  package let createdAt: Instant

  /// By which its webhooks are known.
  package var webhooks: TenantID { TenantID("oneassist", id.rawValue) }
  var actor: String { "partner:\(id)" }
  var countries: SecondMobileNumber.Countries { isInternational ? .all : .india }
}

/// What a partner sells.
package struct Plan: Sendable {
  package let code: Int64
  package let name: String
  /// Whole units of the currency, tax included.
  package let price: Int64
  package let tax: Int64
  package let coverAmount: Int64
  package let months: Int
  /// Days from the purchase to the first day of cover.
  package let startsAfterDays: Int
  /// How old a bill may be.
  package let invoiceDaysMax: Int
  /// Which phones it is for, by what they cost.
  package let invoiceValues: ClosedRange<Int64>
  package let productCode: String

  package init(
    code: Int64, name: String, price: Int64, tax: Int64, coverAmount: Int64, months: Int, startsAfterDays: Int,
    invoiceDaysMax: Int, invoiceValues: ClosedRange<Int64>, productCode: String
  ) {
    (self.code, self.name, self.price, self.tax, self.coverAmount) = (code, name, price, tax, coverAmount)
    (self.months, self.startsAfterDays, self.invoiceDaysMax) = (months, startsAfterDays, invoiceDaysMax)
    (self.invoiceValues, self.productCode) = (invoiceValues, productCode)
  }
}
