// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// What customers are told of their transactions: one event for each customer on the account (finaptic §8.9).
struct TransactionEvents: Sendable {
  static let topic = "finaptic.transactions"

  let core: CoreDependencies
  let audience: TransactionAudience

  @Sendable
  func perform(_ item: OutboxItem) async throws {
    let names = item.payload.split(separator: ",").map { $0.split(separator: " ").map(String.init) }
    guard names.allSatisfy({ $0.count == 2 }) else { throw Unreadable() }
    let events = try await core.database.look { [core] tx in
      let rows = try BankTransactionStore(tx, vault: core.vault).named(names.map { ($0[0], .init(rawValue: $0[1])) })
      let parties = try LedgerStore(tx).parties(on: Array(Set(rows.map(\.account))))
      return rows.flatMap { row in
        (parties[row.account] ?? []).map { TransactionCreatedEvent(row, customer: $0.party, vault: core.vault) }
      }
    }
    if !events.isEmpty { try await audience.tell(events) }
  }

  struct Unreadable: FinalFailure {}
}

/// A transaction that one customer is told of.
package struct TransactionCreatedEvent: Sendable, Hashable {
  /// The same for the same transaction and customer, however often it is told.
  package let id: String
  package let customer: String
  package let transaction: BankTransaction

  init(_ transaction: BankTransaction, customer: String, vault: Vault) {
    let digest = vault.digest("\(transaction.id) \(transaction.account) \(customer)", for: "finaptic transaction event")
    id = EventID.uuid(of: digest)
    (self.customer, self.transaction) = (customer, transaction)
  }
}

/// A UUID that follows from a digest (RFC 9562, version 8).
enum EventID {
  /// - Parameter digest: in hexadecimal digits, at least 32.
  static func uuid(of digest: String) -> String {
    var digits = Array(digest.prefix(32))
    (digits[12], digits[16]) = ("8", "a")
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}

/// Passes events of transactions on: to phones, to the tenant's server. The same events may come again, each under its
/// id.
package struct TransactionAudience: Sendable {
  package let tell: @Sendable ([TransactionCreatedEvent]) async throws -> Void

  package init(tell: @escaping @Sendable ([TransactionCreatedEvent]) async throws -> Void) { self.tell = tell }

  /// Passes nothing on: customers look themselves.
  package static let none = TransactionAudience { _ in }
}
