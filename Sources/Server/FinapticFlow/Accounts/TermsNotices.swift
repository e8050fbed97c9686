// SPDX-License-Identifier: Apache-2.0
import Delivery
import Kit
import Ledger
import Storage

/// Owes the notices of changed terms to the owners of accounts: a mail, which is the durable one, and a push beside it.
/// An owner without a user, or who was erased, is counted, and the desk is told.
struct TermsNotices: Sendable {
  let core: CoreDependencies

  /// An account that has the notice is passed over, and so is one that was opened after the change began.
  /// - Parameter noticeDays: days after the mail from which on the change may count for the account.
  /// - Returns: owners whom no mail reaches; `tellDesk` then belongs into the same transaction.
  func owe(
    _ kind: TermsNotice.Kind, of change: TermsChange, to ids: [BankAccount.ID], noticeDays: Int64,
    in tx: any SQLTransaction
  ) throws -> Int {
    var unreached = 0
    let (store, ledger) = (TermsChangeStore(tx), LedgerStore(tx))
    let accounts = try ledger.accounts(ids).filter { $0.stop != .closed }
    // Only customers who were told of a change are told that it does not come. Of one that began, only accounts that it
    // waits for: the others have its terms. It may have begun since it was read.
    let heard: Set<BankAccount.ID> =
      switch (kind, try store.find(change.id, of: change.tenant)?.state) {
      case (.withdrawn, _): try store.told(ids, of: change.id, .announced)
      case (.announced, .effective): try store.waiting(change, among: ids)
      case (.announced, _): Set(ids)
      }
    let owners = try ledger.parties(on: ids).mapValues { $0.filter { $0.role == .owner }.map(\.party) }
    let users = try FinapticUserStore.reachable(Set(owners.values.joined()).sorted(), in: tx)
    let carriers = try PushChannelStore(tx, vault: core.vault).carriers(among: users.sorted(), tenant: change.tenant)
    for account in accounts where heard.contains(account.id) {
      let own = owners[account.id] ?? []
      let reached = own.filter(users.contains)
      let notice = TermsNotice(
        change: change, kind: kind, account: account.id, madeAt: core.world.now(), noticeDays: noticeDays,
        unreached: own.count - reached.count)
      guard try store.insert(notice) else { continue }
      unreached += notice.unreached
      for customer in reached {
        try core.outbox.enqueue(
          TermsChanges.topic, subject: change.id.rawValue,
          payload: "\(kind.rawValue) \(change.tenant) \(account.id) \(customer)", in: tx)
        guard carriers.contains(customer) else { continue }
        try PushNotices.owe(
          .terms(change.id, on: account.id, kind), to: customer, tenant: change.tenant, vault: core.vault,
          outbox: core.outbox, in: tx)
      }
    }
    return unreached
  }

  /// Tells a customer who opens an account of the change that is announced for it. They agree to it with the account,
  /// so it counts from its day on.
  func owe(onOpening account: BankAccount.ID, of product: String, _ tenant: Int, in tx: any SQLTransaction) throws {
    guard let change = try TermsChangeStore(tx).announced(product, of: tenant) else { return }
    guard try owe(.announced, of: change, to: [account], noticeDays: 1, in: tx) > 0 else { return }
    try tellDesk(of: change, by: "system", in: tx)
  }

  /// Opens the case of owners whom no mail reaches, of accounts that could not be told and of those that a change waits
  /// for, or ends it.
  func tellDesk(of change: TermsChange, by actor: String, in tx: any SQLTransaction) throws {
    let store = TermsChangeStore(tx)
    try store.lock(change.id)
    let (owners, accounts) = (try store.unreached(change.id), try store.deadLetteredCount(change.id))
    let waiting = try store.waiting(change)
    var work = AwaitedWork(
      "finaptic-terms-notice", tenant: BankAccount.ledgerTenant(change.tenant), subject: change.id.rawValue,
      person: change.id.rawValue)
    work.chain = "finaptic-tenant-\(change.tenant)"
    if owners > 0 { work.reasons.append("owners-without-user:\(owners)") }
    if accounts > 0 { work.reasons.append("accounts-not-told:\(accounts)") }
    if waiting > 0 { work.reasons.append("accounts-waiting:\(waiting)") }
    if work.reasons.isEmpty {
      try core.cases.conclude(work, outcome: "told", on: DecisionBasis(), by: actor, in: tx)
    } else {
      try core.cases.open(work, formerly: nil, by: actor, in: tx)
    }
  }
}
