import Kit
import Ledger
import Storage

/// The one door to the bank's books: an order becomes the ledger's transfer or hold, the transactions that customers see
/// and the news of them, all in one commit.
///
/// The forms without a transaction join the commit of everybody who asks at the same time; after `SQLError.busy`,
/// `.unreachable` or `.uncertain` a caller asks again with the same key.
package struct Bookings: Sendable {
  package typealias Particulars = BankTransaction.Particulars

  let ledger: Ledger

  package init(_ ledger: Ledger) { self.ledger = ledger }

  // MARK: Joined

  /// - Parameter customer: who has to own or be allowed to use both accounts when it is booked.
  package func transfer(
    _ order: BankOrder, _ particulars: Particulars? = nil, by customer: String? = nil
  ) async throws -> LedgerAnswer<LedgerTransfer> {
    try await ledger.transfer(order.transfer, note: particulars, by: customer)
  }

  /// - Parameter end: when the hold ends by itself.
  package func hold(
    _ order: BankOrder, until end: Instant?, _ particulars: Particulars? = nil
  ) async throws -> LedgerAnswer<LedgerHold> { try await ledger.hold(order.hold(until: end), note: particulars) }

  /// - Parameter minorUnits: nil for the whole of it.
  package func settle(
    _ hold: LedgerHold.ID, tenant: Int, key: String, kind: BankOrder.Kind, minorUnits: Int64? = nil,
    _ particulars: Particulars? = nil
  ) async throws -> LedgerAnswer<LedgerTransfer> {
    try await ledger.settle(Self.settlement(hold, tenant, key, kind, minorUnits), note: particulars)
  }

  package func release(_ hold: LedgerHold.ID, tenant: Int) async throws -> LedgerAnswer<LedgerHold> {
    try await ledger.release(hold, tenant: BankAccount.ledgerTenant(tenant))
  }

  // MARK: In a caller's transaction

  package func transfer(
    _ order: BankOrder, _ particulars: Particulars? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerTransfer> { try ledger.transfer(order.transfer, note: particulars, in: tx) }

  package func hold(
    _ order: BankOrder, until end: Instant?, _ particulars: Particulars? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerHold> { try ledger.hold(order.hold(until: end), note: particulars, in: tx) }

  package func settle(
    _ hold: LedgerHold.ID, tenant: Int, key: String, kind: BankOrder.Kind, minorUnits: Int64? = nil,
    _ particulars: Particulars? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerTransfer> {
    try ledger.settle(Self.settlement(hold, tenant, key, kind, minorUnits), note: particulars, in: tx)
  }

  package func release(
    _ hold: LedgerHold.ID, tenant: Int, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerHold> { try ledger.release(hold, tenant: BankAccount.ledgerTenant(tenant), in: tx) }

  private static func settlement(
    _ hold: LedgerHold.ID, _ tenant: Int, _ key: String, _ kind: BankOrder.Kind, _ minorUnits: Int64?
  ) -> SettlementOrder {
    SettlementOrder(
      tenant: BankAccount.ledgerTenant(tenant), key: key, kind: kind.rawValue, hold: hold, minorUnits: minorUnits)
  }
}
