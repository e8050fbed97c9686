// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Keys the books: every entry has a seal, an HMAC-SHA-256 cut to 128 bits (NIST SP 800-107 §5.1) over itself, its
/// transfer and the seal of the entry before it on its account. Who has the database's password and not the key ring
/// can neither add an entry nor change, move or remove one in the middle unseen. That the last ones are all there is
/// what checkpoints prove.
package struct LedgerSeal: Sendable {
  private static let digits = 32
  private static let purpose = "ledger"
  let vault: Vault

  package init(_ vault: Vault) { self.vault = vault }

  /// - Parameters:
  ///   - amount: of the entry: negative on the account that is debited.
  ///   - balance: of the account right after it.
  ///   - previous: the seal of the last entry of the account that has one; nil for the first.
  func seal(
    _ transfer: LedgerTransfer, on account: LedgerAccount.ID, sequence: Int64, amount: Int64, balance: Int64,
    after previous: String?
  ) -> String {
    let order = transfer.order
    // Every booking makes two: the parts are written one behind the other, without a text of each.
    return vault.digest(for: Self.purpose, digits: Self.digits) { bytes in
      bytes.append(contentsOf: "entry".utf8)
      bytes.append(part: previous ?? "")
      bytes.append(part: account.rawValue)
      for number in [sequence, amount, balance] { bytes.append(part: number) }
      bytes.append(part: transfer.id.rawValue)
      bytes.append(part: transfer.at.microseconds)
      bytes.append(part: order.tenant)
      bytes.append(part: order.key)
      bytes.append(part: order.kind)
      bytes.append(part: order.domain)
      bytes.append(part: order.lifecycle ?? "")
      bytes.append(part: order.hold?.rawValue ?? "")
      bytes.append(part: order.debit.rawValue)
      bytes.append(part: order.credit.rawValue)
      bytes.append(part: order.amount.minorUnits)
      bytes.append(part: order.amount.currency)
      bytes.append(part: transfer.sequences?.debit ?? 0)
      bytes.append(part: transfer.sequences?.credit ?? 0)
      // Entries from before there were value dates keep their seals.
      if let day = order.valueDay { bytes.append(part: "value \(day)") }
    }
  }

  /// Binds what an account held before its books were sealed.
  /// - Parameter entries: digest of all entries before the first sealed one.
  func beginning(of account: LedgerAccount.ID, from sequence: Int64, _ entries: String) -> String {
    digest(["beginning", account.rawValue, "\(sequence)", entries])
  }

  /// Adds an entry to a digest of several.
  func digest(_ entries: String, adding entry: LedgerEntry) -> String {
    digest([
      "before", entries,
      seal(
        entry.transfer, on: entry.account, sequence: entry.sequence, amount: entry.amount, balance: entry.balance,
        after: nil),
    ])
  }

  private func digest(_ texts: [String]) -> String {
    String(vault.digest(texts.joined(separator: "\u{0}"), for: Self.purpose).prefix(Self.digits))
  }
}

/// Parts of what is sealed, with a NUL between each two: no text of the books holds one.
extension [UInt8] {
  fileprivate mutating func append(part text: String) {
    append(0)
    append(contentsOf: text.utf8)
  }

  /// In decimal digits.
  fileprivate mutating func append(part number: Int64) {
    append(0)
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = count
    var rest = number.magnitude
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }
}
