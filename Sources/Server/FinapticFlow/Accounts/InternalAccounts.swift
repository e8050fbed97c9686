// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// The bank's own accounts and what it offers: every tenant has the same ones, made when they are first needed.
package struct InternalAccounts: Sendable {
  package static let currency = "CAD"

  /// Where money that is no customer's is.
  package enum Kind: String, Sendable, CaseIterable {
    case cash
    /// What the Interac network brings.
    case interac
    /// What the card network takes and gives back.
    case cards
    case interest
    case fees

    var product: String { "house.\(rawValue)" }
  }

  let ledger: Ledger

  package init(_ ledger: Ledger) { self.ledger = ledger }

  /// The id of one of them.
  package static func account(_ own: Kind, tenant: Int) -> LedgerAccount.ID {
    .init(rawValue: "\(BankAccount.ledgerTenant(tenant)):\(own.rawValue)")
  }

  /// Makes the products and own accounts of a tenant; those that are there stay as they are.
  package func prepare(_ tenant: Int, in tx: any SQLTransaction) throws {
    let (name, store) = (BankAccount.ledgerTenant(tenant), LedgerStore(tx))
    for own in Kind.allCases {
      if try store.product(own.product, tenant: name) == nil {
        try ledger.put(
          .init(tenant: name, code: own.product, kind: .house, currency: Self.currency, availableMin: nil), in: tx)
      }
      _ = try ledger.open(
        .init(id: Self.account(own, tenant: tenant), tenant: name, product: own.product, name: own.rawValue), in: tx)
    }
    for product in AccountProduct.standard where try store.product(product.code, tenant: name) == nil {
      try ledger.put(product.terms(of: name), in: tx)
    }
  }
}

/// What kind of account a bundle opens.
package struct AccountProduct: Sendable, Hashable {
  /// As in `current_account.v39`.
  package let code: String
  /// What customers see it by.
  package let name: String
  package let yearlyInterestMillionths: Int64
  package let monthlyFee: Int64

  package static let current = AccountProduct(
    code: "current_account.v39", name: "Current account", yearlyInterestMillionths: 0, monthlyFee: 0)
  /// The account behind a prepaid card.
  package static let prepaid = AccountProduct(
    code: "prepaid_account.v12", name: "Prepaid account", yearlyInterestMillionths: 0, monthlyFee: 0)
  package static let standard = [current, prepaid]

  func terms(of tenant: String) -> LedgerProduct {
    LedgerProduct(
      tenant: tenant, code: code, kind: .customer, currency: InternalAccounts.currency,
      yearlyInterestMillionths: yearlyInterestMillionths, monthlyFee: monthlyFee)
  }
}
