import Kit
import Ledger

/// A customers' account: its books are the ledger's, its people are customers of the tenant (finaptic §8.3).
package struct BankAccount: Sendable, Hashable {
  package typealias ID = LedgerAccount.ID

  package let account: LedgerAccount
  package let tenant: Int
  /// Ids of customers, at least one.
  package let owners: [String]
  /// Ids of customers, who see and use it as owners do, but invite nobody.
  package let authorizedUsers: [String]

  package var id: ID { account.id }
  /// Code of its product, as in `current_account.v39`.
  package var product: String { account.product }
  /// Whether it can process transactions; once it can, it always can.
  package var isActive: Bool { account.state == .active }
  /// Everybody who may see it.
  package var customers: [String] { owners + authorizedUsers }

  package func isOwned(by customer: String) -> Bool { owners.contains(customer) }
}

extension BankAccount {
  /// Which part of the bank keeps accounts, in the words of the wire.
  package static let domain = "core-banking"

  /// How the ledger names a tenant of this room.
  package static func ledgerTenant(_ tenant: Int) -> String { "finaptic-\(tenant)" }

  /// The tenant of a ledger's name; nil for one of another room.
  static func tenant(ofLedger name: String) -> Int? {
    guard name.hasPrefix("finaptic-") else { return nil }
    return Int(name.dropFirst("finaptic-".count))
  }
}
