// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import GatehouseWire
import Kit
import Ledger

/// What a bank books by itself: what it is for says which of the bank's own accounts stands against it and whether the
/// customer's account gets money or gives it.
enum PostingPurpose: String, Sendable, CaseIterable {
  /// Money that came in: cash, a cheque, a payment of a rail that the bank runs by itself.
  case deposit = "DEPOSIT"
  case withdrawal = "WITHDRAWAL"
  case adjustmentCredit = "ADJUSTMENT_CREDIT"
  case adjustmentDebit = "ADJUSTMENT_DEBIT"
  case interestCredit = "INTEREST_CREDIT"
  case interestDebit = "INTEREST_DEBIT"
  case feeRefund = "FEE_REFUND"
  case feeCharge = "FEE_CHARGE"

  init(given: String) throws {
    guard let purpose = Self(rawValue: given) else {
      throw Problem.validation([
        .init("/purpose", "unknown", "One of \(Self.allCases.map(\.rawValue).joined(separator: ", ")).")
      ])
    }
    self = purpose
  }

  var own: InternalAccounts.Kind {
    switch self {
    case .deposit, .withdrawal, .adjustmentCredit, .adjustmentDebit: .cash
    case .interestCredit, .interestDebit: .interest
    case .feeRefund, .feeCharge: .fees
    }
  }

  /// What the books are asked for.
  /// - Parameter valueDay: days since 1970-01-01; nil for the day of the booking.
  func order(
    of amount: Money, on account: LedgerAccount.ID, tenant: Int, key: String, valueDay: Int64? = nil
  ) -> TransferOrder {
    order(
      of: amount, on: account, beside: InternalAccounts.account(own, tenant: tenant),
      books: BankAccount.ledgerTenant(tenant), key: key, valueDay: valueDay)
  }

  /// The same for many of one tenant.
  /// - Parameters:
  ///   - own: the bank's own account for this purpose.
  ///   - books: what the ledger calls the tenant.
  func order(
    of amount: Money, on account: LedgerAccount.ID, beside own: LedgerAccount.ID, books: String, key: String,
    valueDay: Int64? = nil
  ) -> TransferOrder {
    TransferOrder(
      tenant: books, key: key, kind: kind.rawValue, domain: kind.domain, debit: isCredit ? own : account,
      credit: isCredit ? account : own, amount: amount, valueDay: valueDay)
  }

  var isCredit: Bool {
    switch self {
    case .deposit, .adjustmentCredit, .interestCredit, .feeRefund: true
    case .withdrawal, .adjustmentDebit, .interestDebit, .feeCharge: false
    }
  }

  var kind: BankTransaction.Kind {
    switch self {
    case .deposit: .deposit
    case .withdrawal: .withdrawal
    case .adjustmentCredit, .adjustmentDebit, .interestCredit, .interestDebit, .feeRefund, .feeCharge: .correction
    }
  }
}

/// Why a bank books something by itself, as it stands in the audit log.
package enum PostingReason: String, Sendable, CaseIterable {
  case customerPayment = "CUSTOMER_PAYMENT"
  case bankError = "BANK_ERROR"
  case goodwill = "GOODWILL"
  case complaint = "COMPLAINT"
  case fraud = "FRAUD"
  case legalOrder = "LEGAL_ORDER"
  case migration = "MIGRATION"
  case reconciliation = "RECONCILIATION"

  init(given: String?) throws {
    guard let reason = given.flatMap(Self.init) else {
      throw Problem.validation([
        .init("/reason", "unknown", "One of \(Self.allCases.map(\.rawValue).joined(separator: ", ")).")
      ])
    }
    self = reason
  }
}

/// What a bank's systems send and get. Members are in snake case and read strictly.
enum PostingBodies {
  struct Posting: Decodable, Sendable {
    let purpose: String
    let account_id: String
    let amount: FinapticAPI.Amount
    let reason: String
    /// What the bank's own system calls it; the account's people see it.
    let reference: String?
    /// YYYY-MM-DD, from when on it counts for interest; nil for the day on which it is booked. One to come waits.
    let value_date: String?
  }

  struct Reason: Decodable, Sendable { let reason: String }

  struct Hold: Decodable, Sendable {
    let account_id: String
    let amount: FinapticAPI.Amount
    let reason: String
    /// When it ends by itself; nil for never.
    let expires_at: String?
  }

  /// What was booked or declined, or what waits for a second person or for its value date.
  enum Answer: Sendable {
    case outcome(Outcome)
    case waiting(Waiting)
    case scheduled(Scheduled)
  }

  /// A posting that waits for its value date, or what became of it.
  struct Scheduled: Encodable, Sendable {
    let posting_id: String
    /// SCHEDULED, BOOKED, DECLINED or WITHDRAWN.
    let status: String
    let value_date: String
    let purpose: String
    let account_id: String
    let amount: FinapticAPI.Amount
    let reason: String
    let reference: String?
    let ordered_at: String
    let transaction_id: String?
    /// A word of the books for what was declined.
    let declined: String?

    init(_ posting: ScheduledPosting) {
      (posting_id, status) = (posting.id.rawValue, posting.state.rawValue.uppercased())
      value_date = WireDate(daysSince1970: Int(posting.valueDay)).description
      (purpose, account_id) = (posting.purpose.rawValue, posting.account.rawValue)
      (amount, reason, reference) = (posting.order.amount.wire, posting.reason.rawValue, posting.reference)
      ordered_at = posting.orderedAt.rfc3339
      (transaction_id, declined) = (posting.transfer?.rawValue, posting.declined)
    }
  }

  struct ScheduledList: Encodable, Sendable { let postings: [Scheduled] }

  /// Money of cards that no account took.
  struct CardSuspenseItem: Encodable, Sendable {
    let item_id: String
    /// OWED: the bank paid it for the customer. DUE: the bank got what is the customer's.
    let direction: String
    /// A word of `CardSuspense.Reason`.
    let reason: String
    let account_id: String
    let amount: FinapticAPI.Amount
    let since: String

    init(_ item: CardSuspense) {
      (item_id, direction) = (item.id.rawValue, item.direction.rawValue.uppercased())
      (reason, account_id) = (item.reason.rawValue, item.account.rawValue)
      (amount, since) = (item.money.wire, item.since.rfc3339)
    }
  }

  struct CardSuspenseList: Encodable, Sendable { let items: [CardSuspenseItem] }

  /// Nothing is booked yet: the same call, under the same key, books it once the second person has agreed.
  struct Waiting: Encodable, Sendable {
    let status = "AWAITING_APPROVAL"
    let approval_id: String
    let expires_at: String
    /// Not on the wire.
    let approval: RequestedApproval

    enum CodingKeys: CodingKey { case status, approval_id, expires_at }

    init(_ approval: RequestedApproval) {
      (approval_id, expires_at) = (approval.id, approval.expiresAt.rfc3339)
      self.approval = approval
    }
  }

  struct Outcome: Encodable, Sendable {
    static let (booked, held) = ("BOOKED", "HELD")

    /// BOOKED, HELD, RELEASED or DECLINED.
    let status: String
    let transaction_id: String
    let lifecycle_id: String
    /// A word of the books for what was declined.
    let declined: String?
    let amount: FinapticAPI.Amount

    init(_ answer: LedgerAnswer<LedgerTransfer>) throws {
      switch answer {
      case .done(let transfer): self.init(Self.booked, transfer)
      case .declined(let transfer, _): self.init("DECLINED", transfer)
      case .refused(let refusal): throw Problem(posting: refusal)
      }
    }

    private init(_ status: String, _ transfer: LedgerTransfer) {
      (self.status, transaction_id, lifecycle_id) = (status, transfer.id.rawValue, transfer.lifecycle)
      (declined, amount) = (transfer.declined?.rawValue, transfer.order.amount.wire)
    }

    init(_ answer: LedgerAnswer<LedgerHold>) throws {
      switch answer {
      case .done(let hold): self.init(hold.state == .released ? "RELEASED" : Self.held, hold)
      case .declined(let hold, _): self.init("DECLINED", hold)
      case .refused(let refusal): throw Problem(posting: refusal)
      }
    }

    private init(_ status: String, _ hold: LedgerHold) {
      (self.status, transaction_id, lifecycle_id) = (status, hold.id.rawValue, hold.id.rawValue)
      (declined, amount) = (hold.declined?.rawValue, hold.order.amount.wire)
    }
  }
}

extension Problem {
  /// Why the books could not keep a posting.
  init(posting refusal: LedgerRefusal) {
    switch refusal {
    case .keyReused:
      self.init(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another posting.")
    case .holdEnded: self.init(.conflict, "hold-ended", "The hold was settled, released or declined before.")
    case .unknownHold: self = .notFound
    case .outOfRange, .amountNotPositive, .currencyDiffers, .exceedsHold:
      self = .validation([.init("/amount", "range", "Not an amount that the account can hold.")])
    case .unknownAccount, .sameAccount, .notParty, .textTooLong: self = .unexpected
    }
  }
}
