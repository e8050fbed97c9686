import Kit
import Ledger
import Storage

/// Puts money that came by Interac onto an account, in the caller's transaction.
struct IncomingTransferBooking {
  let parts: FinapticDependencies

  /// The same transfer is booked once, whoever asks.
  /// - Throws: `Problem` unavailable when the books decline it, so that the network tries again.
  func book(
    _ transfer: IncomingTransfer, to account: BankAccount.ID, in tx: any SQLTransaction
  ) throws -> LedgerTransfer {
    let order = BankOrder(
      transfer.kind == .autodeposit ? .autodeposit : .interacPayment, tenant: transfer.tenant,
      key: "interac \(transfer.number)", debit: BankHouse.account(.interac, tenant: transfer.tenant), credit: account,
      amount: transfer.amount)
    var remittance = transfer.content.remittance
    if remittance == nil { remittance = transfer.content.senderMemo.map { .init(unstructured: .init(data: $0)) } }
    let particulars = BankTransaction.Particulars(
      counterparty: transfer.content.senderName, clearingReference: transfer.number.rawValue, remittance: remittance)
    guard case .done(let booked) = try parts.bookings.transfer(order, particulars, in: tx) else {
      throw Problem.unavailable
    }
    return booked
  }
}
