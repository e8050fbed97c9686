// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import Storage

/// Transfers between two accounts that a customer may use, and what customers see of transfers (finaptic §8.7).
struct TransferService: Sendable {
  let core: CoreDependencies
  let ledger: Ledger
  private let parties: SharedQuery<TransferParties.Accounts, TransferParties>

  init(core: CoreDependencies, ledger: Ledger) {
    (self.core, self.ledger, parties) = (core, ledger, TransferParties.query(in: core.database))
  }

  // MARK: Moving money

  /// - Parameter key: the same key is the same transfer, for ever.
  /// - Throws: `Problem` invalid argument; permission denied for an account that is not the customer's;
  ///   aborted for a key that another transfer has. A transfer that is declined is no error.
  func initiate(
    _ request: FinapticAPI.InitiateTransferRequest, key: String, for customer: String, of tenant: FinapticTenant
  ) async throws -> FinapticAPI.InitiateTransferResponse {
    let asked = try Self.checked(request)
    let orderKey = Self.orderKey(key, of: customer)
    return try await parties.find(.init(source: asked.source, destination: asked.destination)) { found in
      guard let found, found.both.contains(customer) else { throw Self.forbidden }
      let payee = try await found.payee.name(core)
      guard let amount = asked.amount else { return try await beyond(asked, under: orderKey, to: payee, of: tenant) }
      let order = TransferOrder(
        .transfer, tenant: tenant.id, key: orderKey, debit: asked.source, credit: asked.destination, amount: amount)
      // The ledger looks the customer up again in its commit: until then an owner may take them off an account.
      switch try await ledger.transfer(order, by: customer) {
      case .done(let transfer): return Self.answer(transfer, to: payee, "")
      case .declined(let transfer, let reason): return Self.answer(transfer, to: payee, Self.text(reason))
      case .refused(let refusal): throw Self.problem(refusal)
      }
    }
  }

  /// What the ledger knows an order by: two customers' keys never meet.
  private static func orderKey(_ key: String, of customer: String) -> String { "transfer \(customer) \(key)" }

  private struct Asked: Sendable {
    let source: BankAccount.ID
    let destination: BankAccount.ID
    /// Nil for one that is more than `Money` reads.
    let amount: Money?
  }

  private static func checked(_ request: FinapticAPI.InitiateTransferRequest) throws -> Asked {
    var check = InputCheck()
    let given = request.fundTransfer
    let isBeyond =
      InputCheck.clean(given?.currency) == InternalAccounts.currency
      && given.map { Money.isBeyond(decimal: $0.amount, currency: InternalAccounts.currency) } ?? false
    let amount = isBeyond ? nil : check.amount(given, "fundTransfer")
    let source = check.id(request.sourceAccountId, "sourceAccountId")
    let destination = check.id(request.destinationAccountId, "destinationAccountId")
    if let source, source == destination {
      check.refuse("destinationAccountId", "same", "Another account than the source.")
    }
    try check.end()
    guard amount != nil || isBeyond, let source, let destination else { throw Problem.unexpected }
    return Asked(source: .init(rawValue: source), destination: .init(rawValue: destination), amount: amount)
  }

  /// More than the books can write is more than is available, so that it is declined as any such order. Nothing of it
  /// is kept: its id is made of its key, so that a repetition gets the same answer.
  /// - Throws: `Problem` aborted for a key that another transfer has; invalid argument where it might be available.
  private func beyond(
    _ asked: Asked, under key: String, to payee: String?, of tenant: FinapticTenant
  ) async throws -> FinapticAPI.InitiateTransferResponse {
    try await core.database.read { tx in
      guard let source = try AccountStore(tx).find(asked.source, tenant: tenant.id),
        let destination = try AccountStore(tx).find(asked.destination, tenant: tenant.id)
      else { throw Self.forbidden }
      guard try LedgerStore(tx).transfer(under: key, of: BankAccount.ledgerTenant(tenant.id)) == nil else {
        throw Self.problem(.keyReused)
      }
      guard source.account.availableBalance.minorUnits < Money.beyondDecimal else {
        throw Self.problem(.outOfRange)
      }
      // As the ledger has it.
      let reason: LedgerDecline =
        if !source.isActive || !destination.isActive {
          .accountInactive
        } else if source.account.stop == .closed || destination.account.stop == .closed {
          .accountClosed
        } else { source.account.stop == nil ? .insufficientFunds : .accountFrozen }
      let id = InvitationIdentity.uuid(core.vault.digest("\(tenant.id) \(key)", for: "finaptic transfer beyond"))
      return Self.answer(id, lifecycle: id, .declined, to: payee, Self.text(reason))
    }
  }

  private static func answer(
    _ transfer: LedgerTransfer, to payee: String?, _ reason: String
  ) -> FinapticAPI.InitiateTransferResponse {
    answer(
      transfer.id.rawValue, lifecycle: transfer.lifecycle, transfer.declined == nil ? .completed : .declined, to: payee,
      reason)
  }

  private static func answer(
    _ id: String, lifecycle: String, _ status: TransferStatus, to payee: String?, _ reason: String
  ) -> FinapticAPI.InitiateTransferResponse {
    .init(
      details: .init(
        transactionId: id, lifecycleTransactionId: lifecycle, status: status.rawValue,
        customerRole: TransferRole.initiator.rawValue, transferType: TransferType.internalTransfer.rawValue,
        counterparty: payee.map { .init(legalName: $0) }, clearingSystemRefNumber: id),
      reason: reason)
  }

  private static func text(_ reason: LedgerDecline) -> String {
    switch reason {
    case .accountInactive: "One of the accounts is not active yet."
    case .accountFrozen: "Nothing may leave the account: ask the bank."
    case .accountClosed: "One of the accounts is closed."
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

  // MARK: Looking

  /// The latest state of a transfer, by the id of any of its steps or by the key of the call that ordered it.
  /// - Throws: `Problem` invalid argument unless one of them is given; invalid transaction for one that is not
  ///   a transfer on an account of the customer's, and for a key under which nothing was booked.
  func details(
    _ request: FinapticAPI.TransferDetailsRequest, for customer: String, of tenant: FinapticTenant,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.TransferDetails {
    guard let id = try transaction(request, of: customer, tenant.id, in: tx),
      let leg = try leg(of: id, for: customer, tenant.id, in: tx)
    else { throw Self.unknownTransfer }
    // A first step is answered by what it came to.
    guard let settled = leg.settledBy, let last = try self.leg(of: settled, for: customer, tenant.id, in: tx) else {
      return try view(leg, in: tx)
    }
    return try view(last, in: tx)
  }

  /// The transaction that is asked for; nil for a key under which nothing was booked.
  private func transaction(
    _ request: FinapticAPI.TransferDetailsRequest, of customer: String, _ tenant: Int, in tx: any SQLTransaction
  ) throws -> BankTransaction.ID? {
    var check = InputCheck()
    let key = check.id(request.idempotencyKey, "idempotencyKey", isRequired: false)
    let id = check.id(request.transactionId, "transactionId", isRequired: request.idempotencyKey == nil)
    if key != nil, id != nil { check.refuse("idempotencyKey", "one-of", "Either this or transactionId.") }
    try check.end()
    guard let key else { return id.map { .init(rawValue: $0) } }
    return try LedgerStore(tx).transfer(
      under: Self.orderKey(key, of: customer), of: BankAccount.ledgerTenant(tenant)
    ).map { .init(rawValue: $0.id.rawValue) }
  }

  /// The leg on an account that the customer may see, the debit when both are.
  private func leg(
    of id: BankTransaction.ID, for customer: String, _ tenant: Int, in tx: any SQLTransaction
  ) throws -> BankTransaction? {
    let accounts = AccountStore(tx)
    return try BankTransactionStore(tx, vault: core.vault).legs(of: id, tenant: tenant).first {
      try TransferType(kind: $0.kind) != nil && accounts.role(of: customer, on: $0.account) != nil
    }
  }

  private func view(_ leg: BankTransaction, in tx: any SQLTransaction) throws -> FinapticAPI.TransferDetails {
    guard let type = TransferType(kind: leg.kind) else { throw Self.unknownTransfer }
    let isInternal = type == .internalTransfer
    var name = leg.particulars?.counterparty
    if isInternal {
      let destination = try AccountStore(tx).find(leg.isCredit ? leg.account : leg.counterpart, tenant: leg.tenant)
      name = try destination.flatMap { try ownerName(of: $0, in: tx) }
    }
    return FinapticAPI.TransferDetails(
      transactionId: leg.id.rawValue, lifecycleTransactionId: leg.lifecycle,
      status: TransferStatus(of: leg).rawValue,
      customerRole: (isInternal ? TransferRole.initiator : .recipient).rawValue, transferType: type.rawValue,
      counterparty: name.map { .init(legalName: $0) },
      clearingSystemRefNumber: leg.particulars?.clearingReference ?? leg.id.rawValue,
      remittance: leg.particulars?.remittance)
  }

  /// Legal name of an account's first owner; nil when nothing is kept of them any more.
  func ownerName(of account: BankAccount, in tx: any SQLTransaction) throws -> String? {
    guard let owner = account.owners.first,
      let profile = try ClientProfileStore(tx, vault: core.vault).find(owner), !profile.legalName.isEmpty
    else { return nil }
    return profile.legalName
  }

  // MARK: Targets

  /// Accounts of the customer's that a transfer of a type can go to: those that book.
  /// - Throws: `Problem` invalid argument.
  func targets(
    _ request: FinapticAPI.ListTargetAccountsRequest, for customer: String, of tenant: FinapticTenant,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.TargetAccountsResponse {
    var check = InputCheck()
    let type = check.text(request.transferType, "transferType", isRequired: true, "A type of transfers.") {
      TransferType(rawValue: $0) != nil
    }
    let size = check.pageSize(request.pageSize)
    try check.end()
    guard let type, let size else { throw Problem.unexpected }
    let tokens = PageTokens(core.vault, "listTargetAccounts", "\(tenant.id)", customer, type)
    let after = try tokens.position(request.pageToken).map { BankAccount.ID(rawValue: $0) }
    // One more than asked for tells whether there is another page.
    let found = try AccountStore(tx).all(of: customer, tenant: tenant.id, after: after, limit: size + 1)
    let page = found.prefix(size)
    return .init(
      accounts: page.filter(\.books).map { .init(id: $0.id.rawValue, sourceDomain: BankAccount.domain) },
      nextPageToken: found.count > size ? try page.last.map { try tokens.token($0.id.rawValue) } : nil)
  }

  private static let unknownTransfer = Problem.finaptic(
    .transInvalidTransaction, "There is no such transfer on an account of yours.",
    fields: [.init("transactionId", "transaction", "The id of a transfer.")])
}

extension InputCheck {
  /// Money that is moved: more than nothing, in whole cents of the one currency that there is (finaptic §10.2).
  mutating func amount(_ given: FinapticAPI.Amount?, _ path: String) -> Money? {
    guard let given = required(given, path, true) else { return nil }
    let currency = InputCheck.clean(given.currency)
    if currency != InternalAccounts.currency {
      refuse("\(path).currency", "currency", "\(InternalAccounts.currency) only.")
    }
    guard let money = Money(decimal: given.amount, currency: InternalAccounts.currency), money.minorUnits > 0 else {
      refuse("\(path).amount", "range", "More than 0, with two decimals at most.")
      return nil
    }
    return currency == InternalAccounts.currency ? money : nil
  }
}

/// How a transfer stands, in the words of the wire (finaptic §4.4).
enum TransferStatus: String, Sendable {
  case declined = "DECLINED"
  case completed = "COMPLETED"
  case pending = "PENDING"

  init(of leg: BankTransaction) {
    switch leg.state {
    case .pending: self = .pending
    case .cancelled: self = .declined
    case .posted, .unknown: self = leg.category == .declined ? .declined : .completed
    }
  }
}

/// What the customer is in a transfer, in the words of the wire (finaptic §4.4).
enum TransferRole: String, Sendable {
  case initiator = "INITIATOR"
  case recipient = "RECIPIENT"
}

/// What kind of transfer it is, in the words of the wire (finaptic §4.4).
enum TransferType: String, Sendable {
  case internalTransfer = "INTERNAL_ACCOUNT_TO_ACCOUNT"
  case interacAutodeposit = "INTERAC_AUTODEPOSIT"
  case interacPayment = "INTERAC_REGULAR_PAYMENT"

  /// Nil for what is no transfer.
  /// - Parameter kind: a `BankTransaction.Kind`.
  init?(kind: String) {
    switch BankTransaction.Kind(rawValue: kind) {
    case .transfer: self = .internalTransfer
    case .autodeposit: self = .interacAutodeposit
    case .interacPayment: self = .interacPayment
    case .deposit, .purchase, .refund, .chargeback, .interest, .fee, .withdrawal, .correction, .reversal, nil:
      return nil
    }
  }
}
