import Kit
import Ledger
import Storage

/// Writes down what the books did as customers will see it, in the books' own commit.
struct BookingJournal: Sendable {
  let vault: Vault
  let outbox: Outbox

  /// What `Ledger(booked:)` calls.
  @Sendable
  func record(_ events: [LedgerEvent], in tx: any SQLTransaction) throws {
    let store = BankTransactionStore(tx, vault: vault)
    var rows: [BankTransaction] = []
    for event in events { rows += Self.rows(event) }
    try store.insert(rows)
    for event in events {
      switch event.action {
      case .transfer(let transfer):
        try note(event, .init(rawValue: transfer.id.rawValue), store)
        if let hold = transfer.order.hold, transfer.declined == nil {
          try store.settle(.init(rawValue: hold.rawValue), by: .init(rawValue: transfer.id.rawValue))
        }
      case .hold(let hold): try note(event, .init(rawValue: hold.id.rawValue), store)
      case .release(let hold): try store.cancel(.init(rawValue: hold.id.rawValue))
      }
    }
    if !rows.isEmpty { try TransactionNews.enqueue(rows, outbox, in: tx) }
  }

  private func note(_ event: LedgerEvent, _ id: BankTransaction.ID, _ store: BankTransactionStore) throws {
    if let particulars = event.note as? BankTransaction.Particulars { try store.put(particulars, of: id) }
  }

  /// One for each customer's account that the event is about. Accounts of the bank itself have no readers, and who was
  /// to get what was declined does not hear of it.
  static func rows(_ event: LedgerEvent) -> [BankTransaction] {
    switch event.action {
    case .transfer(let transfer):
      guard let tenant = BankAccount.tenant(ofLedger: transfer.order.tenant) else { return [] }
      let debit = leg(of: transfer, event.debit, event.credit.id, tenant)
      return transfer.declined == nil
        ? [debit, leg(of: transfer, event.credit, event.debit.id, tenant)].compactMap(\.self)
        : [debit].compactMap(\.self)
    case .hold(let hold):
      guard let tenant = BankAccount.tenant(ofLedger: hold.order.tenant), event.debit.kind == .customer else {
        return []
      }
      let isDeclined = hold.declined != nil
      return [
        BankTransaction(
          id: .init(rawValue: hold.id.rawValue), account: event.debit.id, tenant: tenant,
          lifecycle: hold.id.rawValue, kind: hold.order.kind, category: isDeclined ? .declined : .authorized,
          state: isDeclined ? .posted : .pending,
          amount: Money(-hold.order.amount.minorUnits, hold.order.amount.currency), actual: event.debit.actual,
          available: event.debit.available, counterpart: event.credit.id, domain: hold.order.domain, entry: nil,
          at: hold.at, settledBy: nil, particulars: nil)
      ]
    case .release: return []
    }
  }

  private static func leg(
    of transfer: LedgerTransfer, _ standing: LedgerEvent.Standing, _ other: LedgerAccount.ID, _ tenant: Int
  ) -> BankTransaction? {
    guard standing.kind == .customer else { return nil }
    let (order, isDebit) = (transfer.order, standing.id == transfer.order.debit)
    let kind = BankOrder.Kind(rawValue: order.kind)
    let category: BankTransaction.Category =
      if transfer.declined != nil { .declined } else if kind == nil { .productNotDefined } else {
        isDebit ? .debit : kind?.credit ?? .credit
      }
    return BankTransaction(
      id: .init(rawValue: transfer.id.rawValue), account: standing.id, tenant: tenant, lifecycle: transfer.lifecycle,
      kind: order.kind, category: category, state: kind == nil ? .unknown : .posted,
      amount: Money(isDebit ? -order.amount.minorUnits : order.amount.minorUnits, order.amount.currency),
      actual: standing.actual, available: standing.available, counterpart: other, domain: order.domain,
      entry: isDebit ? transfer.sequences?.debit : transfer.sequences?.credit, at: transfer.at, settledBy: nil,
      particulars: nil)
  }
}
