// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import Ledger

/// What `ledger balance` prints.
struct BalanceReport: Encodable {
  let account: String
  let product: String
  let state: String
  let currency: String
  let actual: String
  let held: String
  let available: String
  let entries: Int64

  init(_ account: LedgerAccount) {
    self.account = account.id.rawValue
    (product, state, currency) = (account.product, account.state.rawValue, account.currency)
    actual = account.actualBalance.decimal
    held = Money(account.held, account.currency).decimal
    available = account.availableBalance.decimal
    entries = account.sequence
  }

  var text: String {
    """
    \(account), \(product), \(state)
    actual \(actual) \(currency), held \(held), available \(available), \(entries) entries
    """
  }
}

/// What `ledger statement` prints.
struct StatementReport: Encodable {
  struct Entry: Encodable {
    let sequence: Int64
    let at: String
    /// YYYY-MM-DD, the day from which on it counts for interest.
    let valueDate: String
    let kind: String
    let transfer: String
    let amount: String
    let balance: String
  }

  let account: String
  let currency: String
  let from: String
  let to: String
  let opening: String
  let debits: String
  let credits: String
  let closing: String
  let isFinal: Bool
  let entries: [Entry]

  init(_ statement: LedgerStatement, _ entries: [LedgerEntry]) {
    let currency = statement.account.currency
    func text(_ minorUnits: Int64) -> String { Money(minorUnits, currency).decimal }
    func text(_ sum: Int128) -> String { Money.decimal(sum, currency) }
    account = statement.account.id.rawValue
    self.currency = currency
    (from, to) = (statement.from.instant.rfc3339, statement.to.instant.rfc3339)
    (opening, debits) = (text(statement.opening), text(statement.debits))
    (credits, closing) = (text(statement.credits), text(statement.closing))
    isFinal = statement.isFinal
    self.entries = entries.map {
      Entry(
        sequence: $0.sequence, at: $0.transfer.at.instant.rfc3339, valueDate: $0.transfer.valueDate,
        kind: $0.transfer.order.kind,
        transfer: $0.transfer.id.rawValue, amount: text($0.amount), balance: text($0.balance))
    }
  }

  var text: String {
    let lines = entries.map {
      "\($0.sequence)  \($0.at)  \($0.valueDate)  \($0.kind)  \($0.transfer)  \($0.amount)  \($0.balance)"
    }
    return
      ([
        "\(account), \(currency), from \(from) to \(to)\(isFinal ? "" : ", not final yet")", "opening \(opening)",
      ] + lines + ["out \(debits), in \(credits), closing \(closing)"]).joined(separator: "\n")
  }
}

extension LedgerTransfer {
  /// YYYY-MM-DD.
  var valueDate: String { WireDate(daysSince1970: Int(valueDay)).description }
}

extension LedgerVerification {
  /// How much was checked, and what came of it.
  var summary: String {
    let counts = [
      accounts.counted("account", "accounts"), transfers.counted("transfer", "transfers"), "\(declined) declined",
      entries.counted("entry", "entries"), openHolds.counted("open hold", "open holds"),
      checkpoints.counted("checkpoint", "checkpoints"),
    ]
    let verdict = faults.isEmpty ? "the books are right" : faults.count.counted("fault", "faults")
    return "\(counts.joined(separator: ", ")): \(verdict)."
  }
}
