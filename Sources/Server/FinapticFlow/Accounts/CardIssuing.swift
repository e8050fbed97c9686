// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The port to the cards: issues one with an account, in the transaction that opens it.
package struct CardIssuing: Sendable {
  package struct Order: Sendable {
    /// Id of the card to be: what the application's answer names.
    package let card: String
    package let product: ProductBundle.Product
    package let tenant: Int
    /// The account that it pays from.
    package let account: BankAccount.ID
    /// Its holder.
    package let customer: String
    /// Name and billing address.
    package let profile: ClientProfile
  }

  package let issue: @Sendable (Order, any SQLTransaction) throws -> Void

  package init(issue: @escaping @Sendable (Order, any SQLTransaction) throws -> Void) { self.issue = issue }
}
