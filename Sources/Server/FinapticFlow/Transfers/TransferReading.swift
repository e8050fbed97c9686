import FinapticWire
import Kit
import Storage

/// What customers see of transfers (finaptic §8.7).
struct TransferReading {
  let parts: FinapticDependencies

  /// The latest state of a transfer, by the id of any of its steps.
  /// - Throws: `Problem` invalid transaction for one that is none, is no transfer, or is on nobody's account of theirs.
  func details(
    _ request: FinapticAPI.TransactionRequest, for customer: String, of tenant: FinapticTenant,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.TransferDetails {
    var check = InputCheck()
    let id = check.id(request.transactionId, "transactionId")
    try check.end()
    guard let id, let leg = try leg(of: .init(rawValue: id), for: customer, tenant.id, in: tx) else {
      throw Self.unknown
    }
    // A first step is answered by what it came to.
    guard let settled = leg.settledBy, let last = try self.leg(of: settled, for: customer, tenant.id, in: tx) else {
      return try view(leg, in: tx)
    }
    return try view(last, in: tx)
  }

  /// The leg on an account that the customer may see, the debit when both are.
  private func leg(
    of id: BankTransaction.ID, for customer: String, _ tenant: Int, in tx: any SQLTransaction
  ) throws -> BankTransaction? {
    let accounts = AccountStore(tx)
    return try BankTransactionStore(tx, vault: parts.vault).legs(of: id, tenant: tenant).first {
      try TransferType(kind: $0.kind) != nil && accounts.role(of: customer, on: $0.account) != nil
    }
  }

  private func view(_ leg: BankTransaction, in tx: any SQLTransaction) throws -> FinapticAPI.TransferDetails {
    guard let type = TransferType(kind: leg.kind) else { throw Self.unknown }
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
      let profile = try ClientProfileStore(tx, vault: parts.vault).find(owner), !profile.legalName.isEmpty
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
    let tokens = PageTokens(parts.vault, "listTargetAccounts", "\(tenant.id)", customer, type)
    let after = try tokens.position(request.pageToken).map { BankAccount.ID(rawValue: $0) }
    // One more than asked for tells whether there is another page.
    let found = try AccountStore(tx).all(of: customer, tenant: tenant.id, after: after, limit: size + 1)
    let page = found.prefix(size)
    return .init(
      accounts: page.filter(\.isActive).map { .init(id: $0.id.rawValue, sourceDomain: BankAccount.domain) },
      nextPageToken: found.count > size ? try page.last.map { try tokens.token($0.id.rawValue) } : nil)
  }

  private static let unknown = Problem.finaptic(
    .transInvalidTransaction, "There is no such transfer on an account of yours.",
    fields: [.init("transactionId", "transaction", "The id of a transfer.")])
}
