// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// What becomes of the money of a customer who is erased.
package enum ErasureMoney: String, Sendable, CaseIterable {
  /// The bank hands it out, such as by cheque: it goes to the bank's cash.
  case payout
  /// The bank gives up what the customer owes, or keeps what is left: it is booked against the bank's fees.
  case writeOff = "write-off"
}

/// Looks for the money of a customer before they are erased, and ends it in the transaction that erases them, once a
/// second person agreed.
struct ErasureSettlement: Sendable {
  /// Interac transfers that wait for one customer: more than the limits of years let through.
  private static let transfersMax = 10_000
  /// How long a payment to another bank counts as on its way. Banks return what they cannot credit within a few banking
  /// days (three in the SEPA credit transfer scheme); weekends and holidays come on top.
  static let returnsWithin = Duration.days(10)

  let core: CoreDependencies
  let stops: AccountStops
  let incoming: IncomingTransferCommands

  /// The money of a customer: on accounts that end with them, and what waits for them or is on its way outside.
  struct Found: Sendable {
    let accounts: [BankAccount]
    /// What has grown on them and is not booked yet, in whole minor units.
    let interest: [BankAccount.ID: Int64]
    let waiting: [IncomingTransferStore.Waiting]
    /// To other banks, which may return it.
    let leaving: [RightsStore.ReturnablePayment]

    var isNone: Bool {
      waiting.isEmpty && leaving.isEmpty
        && accounts.allSatisfy { $0.account.actual == 0 && $0.account.held == 0 && interest[$0.id] ?? 0 == 0 }
    }
  }

  /// Locks the accounts.
  func find(_ subject: FinapticErasure.Subject, in tx: any SQLTransaction) throws -> Found {
    try LedgerStore(tx).lock(Set(subject.accounts))
    return try find(subject, countingInterest: true, in: tx)
  }

  private func find(
    _ subject: FinapticErasure.Subject, countingInterest: Bool, in tx: any SQLTransaction
  ) throws -> Found {
    let store = AccountStore(tx)
    let accounts = try subject.accounts.compactMap { try store.find($0, tenant: subject.tenant) }
      .filter { $0.account.stop != .closed }
    let now = core.world.now()
    // What is over goes back by itself.
    let waiting = try subject.customer.map {
      try IncomingTransferStore(tx, vault: core.vault).waiting(for: $0, at: now, limit: Self.transfersMax)
    }
    return Found(
      accounts: accounts,
      interest: countingInterest
        ? try accounts.filter(\.isActive).reduce(into: [:]) { $0[$1.id] = try stops.accrued(on: $1, in: tx) } : [:],
      waiting: waiting ?? [],
      leaving: try RightsStore(tx, vault: core.vault).leaving(
        from: subject.accounts, tenant: subject.tenant, since: now - Self.returnsWithin))
  }

  /// Closes the accounts of a customer that have no money, so that none comes to them when they have no owner any more.
  func closeEmpty(_ subject: FinapticErasure.Subject, by actor: String, in tx: any SQLTransaction) throws {
    try LedgerStore(tx).lock(Set(subject.accounts))
    for account in try subject.accounts.compactMap({ try AccountStore(tx).find($0, tenant: subject.tenant) })
    where account.receives && account.account.actual == 0 && account.account.held == 0 {
      try stops.endEmpty(account, by: actor, in: tx)
    }
  }

  /// A user whose key is gone was erased before, with their money: that is found again in a copy that was restored, and
  /// the erasure is only repeated there.
  /// - Throws: `Problem` conflict `card-payments-open`.
  func isOpen(_ subject: FinapticErasure.Subject, in tx: any SQLTransaction) throws -> Bool {
    guard try core.vault.hasSubjectKey(of: subject.user.rawValue, in: tx) else { return false }
    let found = try find(subject, in: tx)
    try CardMatterStore(tx).refuseOpen(on: subject.accounts)
    return !found.isNone
  }

  /// - Parameter approval: the id of a second person's approval; nil asks for one.
  /// - Returns: what is waited for; nil when the money is ended and the customer can be erased.
  /// - Throws: `Problem` conflict `card-payments-open`, `account-has-holds`, `payout-refused`; those of
  ///   `FourEyesGate.pass`.
  func settle(
    _ subject: FinapticErasure.Subject, by way: ErasureMoney, approval: String?, actor: String,
    in tx: any SQLTransaction
  ) throws -> RequestedApproval? {
    guard let tenant = try TenantStore(tx).find(subject.tenant) else { throw Problem.notFound }
    let found = try find(subject, in: tx)
    // Behind the lock of the accounts, which what waits on suspense takes and writes, too: a snapshot from before it
    // runs again.
    try CardMatterStore(tx).refuseOpen(on: subject.accounts)
    guard !found.isNone else { return nil }
    guard found.accounts.allSatisfy({ $0.account.held == 0 }) else {
      throw Problem(.conflict, "account-has-holds", "Money is held on an account: settle or release it first.")
    }
    let gate = FourEyesGate(core: core)
    let asked = FourEyesGate.ProposedAct(
      action: .erase, subject: subject.user.rawValue, version: 0, request: "erasure with \(way.rawValue)",
      condition: Self.words(found).joined(separator: "; "), person: subject.user.rawValue,
      chain: found.accounts.first.map { "account-\($0.id)" } ?? "user-\(subject.user)")
    let outcome = try gate.pass(
      asked, key: gate.key(ofCommand: approval, tenant: tenant, in: tx), of: tenant, by: actor, in: tx)
    switch outcome {
    case .waiting(let approval): return approval
    case .done: throw FourEyesGate.alreadyUsed
    case .open(let permit):
      for transfer in found.waiting {
        try incoming.giveBack(transfer.number, by: actor, in: tx)
      }
      for account in found.accounts where account.isActive {
        try stops.end(account, by: way, of: tenant, actor: actor, with: permit, in: tx)
      }
      return nil
    }
  }

  // MARK: In words

  private static let interestWord = " interest "

  /// How the money stands, as the second person is told.
  private static func words(_ found: Found) -> [String] {
    let balances = found.accounts.map { one in
      let balance = one.account.actualBalance
      let text = "account \(one.id) \(one.status) \(balance.decimal) \(balance.currency) entry \(one.account.sequence)"
      // With a balance it grows every day, and is ended with it.
      guard balance.minorUnits == 0, let interest = found.interest[one.id], interest > 0 else { return text }
      return text + interestWord + Money(interest, balance.currency).decimal
    }
    let waiting = found.waiting.map {
      "Interac \($0.number.rawValue) \($0.amount.decimal) \($0.amount.currency) goes back"
    }
    return balances + waiting
      + found.leaving.map { "payment \($0.id) \($0.amount.decimal) \($0.amount.currency) is on its way" }
  }

  /// Whether the money of a customer is as the second person was told, as far as it can be read without a change:
  /// interest that only grew is found when the act is carried out.
  func stands(_ act: BoundAct, of subject: FinapticErasure.Subject, in tx: any SQLTransaction) throws -> Bool {
    let told = act.content.components(separatedBy: "; ").dropFirst().map { part in
      part.firstRange(of: Self.interestWord).map { String(part[..<$0.lowerBound]) } ?? part
    }
    return told == Self.words(try find(subject, countingInterest: false, in: tx))
  }
}
