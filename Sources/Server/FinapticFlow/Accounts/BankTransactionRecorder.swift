// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Records what the ledger did as the transactions that customers see, in the ledger's own commit.
struct BankTransactionRecorder: LedgerRecorder {
  let vault: Vault
  let outbox: Outbox

  func record(_ events: [LedgerEvent], in tx: any SQLTransaction) throws {
    let store = BankTransactionStore(tx, vault: vault)
    var rows: [BankTransaction] = []
    for event in events { rows += Self.rows(event) }
    try store.insert(rows)
    // A transfer between two customers has no note, and needs no key.
    let noted = events.filter { $0.note != nil }
    let keys = try noted.isEmpty ? [:] : AccountKeyStore(tx, vault: vault).all(of: noted)
    for event in events {
      let under = keys.isEmpty ? [] : event.customerAccounts.compactMap { keys[$0.id] }
      switch event.action {
      case .transfer(let transfer):
        if let note = event.note { try store.put(note, of: .init(rawValue: transfer.id.rawValue), under: under) }
        if let hold = transfer.order.hold, transfer.declined == nil {
          try store.settle(.init(rawValue: hold.rawValue), by: .init(rawValue: transfer.id.rawValue))
        }
      case .hold(let hold):
        if let note = event.note { try store.put(note, of: .init(rawValue: hold.id.rawValue), under: under) }
      case .release(let hold): try store.cancel(.init(rawValue: hold.id.rawValue))
      }
    }
    try announce(rows, in: store)
  }

  /// A purchase that the card refused before the ledger was asked: declined, posted, with the amount that was asked for
  /// and an unchanged balance (finaptic §8.6).
  /// - Parameters:
  ///   - id: of the transaction, made before its commit.
  ///   - order: what the ledger would have been asked for.
  func recordDeclined(
    _ id: BankTransaction.ID, _ order: TransferOrder, of tenant: Int, _ particulars: BankTransaction.Particulars,
    at now: Instant, in tx: any SQLTransaction
  ) throws {
    guard let stamp = try LedgerStore(tx).stamp(order.debit, at: LedgerTime(now)) else { throw Problem.unexpected }
    let store = BankTransactionStore(tx, vault: vault)
    let row = BankTransaction(
      id: id, account: order.debit, tenant: tenant, lifecycle: id.rawValue, kind: order.kind, category: .declined,
      state: .posted, amount: Money(-order.amount.minorUnits, order.amount.currency), actual: stamp.actual,
      available: stamp.actual - stamp.held, counterpart: order.credit, domain: order.domain, entry: nil, at: stamp.at,
      settledBy: nil, particulars: nil)
    try store.insert([row])
    let key = try AccountKeyStore(tx, vault: vault).key(of: order.debit, tenant: tenant)
    try store.put(try particulars.note, of: id, under: [key].compactMap(\.self))
    try announce([row], in: store)
  }

  /// Transactions of one row of the outbox: twice as many as a joined commit has orders.
  private static let announcedMax = 512

  /// Owes the events of all transactions of a commit by as few rows of the outbox as possible.
  ///
  /// Most customers have no device here, and most tenants no endpoint. For their transactions no row is written, so
  /// that the worker has none to lease. A device or endpoint that is added later is told of the next transaction.
  private func announce(_ all: [BankTransaction], in store: BankTransactionStore) throws {
    let rows = try store.heard(all)
    for start in stride(from: 0, to: rows.count, by: Self.announcedMax) {
      let some = rows[start..<min(start + Self.announcedMax, rows.count)]
      let names = some.map { "\($0.id) \($0.account)" }
      try outbox.enqueue(
        TransactionEvents.topic, subject: rows[start].id.rawValue, payload: names.joined(separator: ","), in: store.tx)
    }
  }

  /// One for each customer's account that the event is about. Accounts of the bank itself have no readers, and who was
  /// to get what was declined does not hear of it.
  static func rows(_ event: LedgerEvent) -> [BankTransaction] {
    switch event.action {
    case .transfer(let transfer):
      guard let tenant = FinapticTenantName(transfer.order.tenant)?.tenant else { return [] }
      let debit = leg(of: transfer, event.debit, event.credit.id, tenant)
      return transfer.declined == nil
        ? [debit, leg(of: transfer, event.credit, event.debit.id, tenant)].compactMap(\.self)
        : [debit].compactMap(\.self)
    case .hold(let hold):
      guard let tenant = FinapticTenantName(hold.order.tenant)?.tenant, event.debit.kind == .customer else {
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
    of transfer: LedgerTransfer, _ balance: LedgerEvent.Balance, _ other: LedgerAccount.ID, _ tenant: Int
  ) -> BankTransaction? {
    guard balance.kind == .customer else { return nil }
    let (order, isDebit) = (transfer.order, balance.id == transfer.order.debit)
    let kind = BankTransaction.Kind(rawValue: order.kind)
    let category: BankTransaction.Category =
      if transfer.declined != nil { .declined } else if kind == nil { .productNotDefined } else {
        isDebit ? .debit : kind?.credit ?? .credit
      }
    return BankTransaction(
      id: .init(rawValue: transfer.id.rawValue), account: balance.id, tenant: tenant, lifecycle: transfer.lifecycle,
      kind: order.kind, category: category, state: kind == nil ? .unknown : .posted,
      amount: Money(isDebit ? -order.amount.minorUnits : order.amount.minorUnits, order.amount.currency),
      actual: balance.actual, available: balance.available, counterpart: other, domain: order.domain,
      entry: isDebit ? transfer.sequences?.debit : transfer.sequences?.credit, at: transfer.at, settledBy: nil,
      particulars: nil)
  }
}
