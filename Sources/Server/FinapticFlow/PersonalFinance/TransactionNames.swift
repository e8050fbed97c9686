// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import Storage

/// Whom customers know a transaction by, and what it was for: looked up when it is shown, so that a name that was
/// erased or has changed is not kept with every transaction.
package struct TransactionNames {
  private let tx: any SQLTransaction
  private let vault: Vault
  private let tenant: FinapticTenant
  private let language: SpendingCategories.Language
  private var known: [LedgerAccount.ID: String] = [:]

  /// - Parameter customer: whose language it is shown in.
  package init(_ tx: any SQLTransaction, vault: Vault, tenant: FinapticTenant, customer: String) throws {
    (self.tx, self.vault, self.tenant) = (tx, vault, tenant)
    let profile = try ClientProfileStore(tx, vault: vault).find(customer)
    language = profile?.preferences?.language == "LANGUAGE_FR_CA" ? .french : .english
  }

  /// Merchant and place, or the other party's legal name.
  package mutating func transactor(of transaction: BankTransaction) throws -> String {
    if let merchant = transaction.particulars?.merchant {
      return [merchant.name, merchant.place].filter { !$0.isEmpty }.joined(separator: " ")
    }
    if let name = transaction.particulars?.counterparty { return name }
    switch BankTransaction.Kind(rawValue: transaction.kind) {
    case .interest, .fee, .deposit, .withdrawal, .correction, .reversal: return tenant.name
    case .transfer: return try owner(of: transaction.counterpart)
    default: return ""
    }
  }

  /// In the customer's language; empty for what is no purchase.
  package func category(of transaction: BankTransaction) -> String {
    guard let merchant = transaction.particulars?.merchant else { return "" }
    return SpendingCategories.shipped.name(of: merchant.categoryCode, in: language)
  }

  /// Legal name of the first owner; empty after an erasure.
  package mutating func owner(of account: LedgerAccount.ID) throws -> String {
    if let name = known[account] { return name }
    let owners = try LedgerStore(tx).parties(.owner, on: account)
    let name = try owners.first.flatMap { try ClientProfileStore(tx, vault: vault).find($0)?.legalName } ?? ""
    known[account] = name
    return name
  }

  mutating func view(_ transaction: BankTransaction) throws -> FinapticAPI.Transaction {
    transaction.view(transactor: try transactor(of: transaction), category: category(of: transaction))
  }
}
