import Kit
import Ledger
import Storage

/// Tells customers of a purchase that the card refused before the books were asked: declined, posted, with the amount
/// that was asked for and an unchanged balance (finaptic §8.6).
struct DeclinedPurchase: Sendable {
  let parts: FinapticDependencies

  /// - Parameter id: of the transaction, made before its commit.
  func record(
    _ id: String, _ order: BankOrder, _ particulars: BankTransaction.Particulars, in tx: any SQLTransaction
  ) throws {
    guard let stamp = try LedgerStore(tx).stamp(order.debit, at: LedgerTime(parts.world.now())) else {
      throw Problem.unexpected
    }
    let store = BankTransactionStore(tx, vault: parts.vault)
    let row = BankTransaction(
      id: .init(rawValue: id), account: order.debit, tenant: order.tenant, lifecycle: id, kind: order.kind.rawValue,
      category: .declined, state: .posted, amount: Money(-order.amount.minorUnits, order.amount.currency),
      actual: stamp.actual, available: stamp.actual - stamp.held, counterpart: order.credit, domain: order.kind.domain,
      entry: nil, at: stamp.at, settledBy: nil, particulars: nil)
    try store.insert([row])
    try store.put(particulars, of: row.id)
    try TransactionNews.enqueue([row], parts.outbox, in: tx)
  }
}
