import FinapticWire
import Kit
import Ledger
import Storage

/// Moves money between two accounts that a customer may use (finaptic §8.7).
struct TransferCommands: Sendable {
  let parts: FinapticDependencies

  /// - Parameter key: the same key is the same transfer, for ever.
  /// - Throws: `Problem` invalid argument; permission denied for an account that is not the customer's, or is none;
  ///   aborted for a key that another transfer has. Too little money is an answer.
  func initiate(
    _ request: FinapticAPI.InitiateTransferRequest, key: String, for customer: String, of tenant: FinapticTenant
  ) async throws -> FinapticAPI.InitiateTransferResponse {
    let asked = try Self.checked(request)
    let payee = try await parts.database.look { [parts] tx in
      let access = AccountAccess(tx, tenant: tenant.id, customer: customer)
      guard try access.find(asked.source) != nil, let destination = try access.find(asked.destination) else {
        throw Self.forbidden
      }
      return try TransferReading(parts: parts).ownerName(of: destination, in: tx)
    }
    let order = BankOrder(
      .transfer, tenant: tenant.id, key: "transfer \(customer) \(key)", debit: asked.source,
      credit: asked.destination, amount: asked.amount)
    // Looked up again in the commit: until then somebody may be taken off an account.
    switch try await parts.bookings.transfer(order, by: customer) {
    case .done(let transfer): return Self.answer(transfer, to: payee, "")
    case .declined(let transfer, let reason): return Self.answer(transfer, to: payee, Self.text(reason))
    case .refused(let refusal): throw Self.problem(refusal)
    }
  }

  private struct Asked: Sendable {
    let source: BankAccount.ID
    let destination: BankAccount.ID
    let amount: Money
  }

  private static func checked(_ request: FinapticAPI.InitiateTransferRequest) throws -> Asked {
    var check = InputCheck()
    let amount = check.amount(request.fundTransfer, "fundTransfer")
    let source = check.id(request.sourceAccountId, "sourceAccountId")
    let destination = check.id(request.destinationAccountId, "destinationAccountId")
    if let source, source == destination {
      check.refuse("destinationAccountId", "same", "Another account than the source.")
    }
    try check.end()
    guard let amount, let source, let destination else { throw Problem.unexpected }
    return Asked(source: .init(rawValue: source), destination: .init(rawValue: destination), amount: amount)
  }

  private static func answer(
    _ transfer: LedgerTransfer, to payee: String?, _ reason: String
  ) -> FinapticAPI.InitiateTransferResponse {
    let id = transfer.id.rawValue
    return .init(
      details: .init(
        transactionId: id, lifecycleTransactionId: transfer.lifecycle,
        status: (transfer.declined == nil ? TransferStatus.completed : .declined).rawValue,
        customerRole: TransferRole.initiator.rawValue, transferType: TransferType.internalTransfer.rawValue,
        counterparty: payee.map { .init(legalName: $0) }, clearingSystemRefNumber: id),
      reason: reason)
  }

  private static func text(_ reason: LedgerDecline) -> String {
    switch reason {
    case .accountInactive: "One of the accounts is not active yet."
    case .insufficientFunds: "Less is available on the account than was to be transferred."
    }
  }

  private static func problem(_ refusal: LedgerRefusal) -> Problem {
    switch refusal {
    case .keyReused:
      Problem.finaptic(.aborted, "This Idempotency-Key was used with another body.")
    case .unknownAccount, .notParty: forbidden
    case .currencyDiffers:
      Problem.finapticFields([.init("fundTransfer.currency", "currency", "The currency of both accounts.")])
    case .amountNotPositive, .outOfRange, .exceedsHold:
      Problem.finapticFields([.init("fundTransfer.amount", "range", "An amount that the accounts can hold.")])
    case .sameAccount:
      Problem.finapticFields([.init("destinationAccountId", "same", "Another account than the source.")])
    case .textTooLong, .unknownHold, .holdEnded: Problem.unexpected
    }
  }

  private static let forbidden = Problem.finaptic(
    .permissionDenied, "Both accounts have to be ones that you own or may use.")
}

extension InputCheck {
  /// Money that is moved: more than nothing, in whole cents of the one currency that there is (finaptic §10.2).
  mutating func amount(_ given: FinapticAPI.Amount?, _ path: String) -> Money? {
    guard let given = required(given, path, true) else { return nil }
    let currency = InputCheck.clean(given.currency)
    if currency != BankHouse.currency { refuse("\(path).currency", "currency", "\(BankHouse.currency) only.") }
    guard let money = Money(decimal: given.amount, currency: BankHouse.currency), money.minorUnits > 0 else {
      refuse("\(path).amount", "range", "More than 0, with two decimals at most.")
      return nil
    }
    return currency == BankHouse.currency ? money : nil
  }
}
