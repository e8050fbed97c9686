import Kit
import Storage

/// Keys the books: every entry has a seal, an HMAC-SHA-256 cut to 128 bits (NIST SP 800-107 §5.1) over itself, its
/// transfer and the seal of the entry before it on its account. Who has the database's password and not the key ring
/// can neither add an entry nor change, move or remove one in the middle unseen. That the last ones are all there is
/// what checkpoints prove.
package struct LedgerSeal: Sendable {
  private static let digits = 32
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
    // No text of the books holds a NUL.
    let texts =
      [
        "entry", previous ?? "", account.rawValue, "\(sequence)", "\(amount)", "\(balance)", transfer.id.rawValue,
        "\(transfer.at.microseconds)", order.tenant, order.key, order.kind, order.domain, order.lifecycle ?? "",
        order.hold?.rawValue ?? "", order.debit.rawValue, order.credit.rawValue, "\(order.amount.minorUnits)",
        order.amount.currency, "\(transfer.sequences?.debit ?? 0)", "\(transfer.sequences?.credit ?? 0)",
      ]
    // Entries of before value dates keep their seals.
    return digest(texts + (order.valueDay.map { ["value \($0)"] } ?? []))
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
    String(vault.digest(texts.joined(separator: "\u{0}"), for: "ledger").prefix(Self.digits))
  }
}
