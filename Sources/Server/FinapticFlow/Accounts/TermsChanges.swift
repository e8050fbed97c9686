// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage

/// Tells holders of accounts that terms will change (PSD2, article 54: at the latest two months before). `AccountTerms`
/// announces changes and lets them begin.
package struct TermsChanges: Sendable {
  static let topic = "finaptic.termsNotice"
  /// Where nothing is set: two months, which are 62 days at most.
  package static let noticeDays: Int64 = 62
  /// Changes, or notices of an account, in one list.
  package static let listMax = 100

  let core: CoreDependencies
  let tenants: FinapticTenants
  let messenger: Messenger

  private var machine: TermsChangeMachine { TermsChangeMachine() }
  private var desk: TermsNotices { TermsNotices(core: core) }

  // MARK: What the bank does

  /// The newest first.
  package func list(of tenant: Int) async throws -> [TermsChange] {
    _ = try await tenants.find(tenant)
    return try await core.database.read { try TermsChangeStore($0).list(of: tenant, limit: Self.listMax) }
  }

  /// A change with what waits for it.
  package struct Counted: Sendable {
    package let change: TermsChange
    /// Owners whom no mail reaches.
    package let owners: Int
    /// Accounts that could not be told.
    package let deadLettered: Int
    /// Accounts for which it has not begun, because their owners are not told yet.
    package let waiting: Int
  }

  /// The newest first.
  package func counted(of tenant: Int) async throws -> [Counted] {
    let changes = try await list(of: tenant)
    return try await core.database.read { tx in try changes.map { try Self.counted($0, in: tx) } }
  }

  private static func counted(_ change: TermsChange, in tx: any SQLTransaction) throws -> Counted {
    let store = TermsChangeStore(tx)
    return Counted(
      change: change, owners: try store.unreached(change.id), deadLettered: try store.deadLetteredCount(change.id),
      waiting: try store.waiting(change))
  }

  /// A change whose case a member of staff has before them, with the accounts of `unnotifiedAccounts`. The look is
  /// audited.
  /// - Throws: `Problem` not found.
  package func look(
    _ id: TermsChange.ID, of tenant: Int, by actor: String
  ) async throws -> (change: Counted, unnotified: [UnnotifiedAccount]) {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let change = try TermsChangeStore(tx).find(id, of: tenant) else { throw Problem.notFound }
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try core.note(
        "terms.seen", "tenant-\(tenant)", by: actor, ["change": id.rawValue, "why": why], in: tx)
      return (try Self.counted(change, in: tx), try Self.unnotifiedAccounts(id, in: tx))
    }
  }

  /// How many days before its day a change has to be announced.
  /// - Throws: `Problem` not found; validation for more than a year.
  package func setNoticeDays(_ days: Int64, of tenant: Int, by actor: String) async throws {
    _ = try await tenants.find(tenant)
    guard (0...366).contains(days) else {
      throw Problem.validation([.init("/notice_days", "range", "0 to 366.")])
    }
    try await core.database.write(retrying: .outdated) { [core] tx in
      try TermsChangeStore(tx).setNoticeDays(days, of: tenant)
      try core.note("terms.notice_days", "tenant-\(tenant)", by: actor, ["days": "\(days)"], in: tx)
    }
  }

  /// Takes an announcement back, before its day. Customers who were told of it are told of that.
  /// - Throws: `Problem` not found; conflict `terms-change-ended`.
  package func withdraw(_ id: TermsChange.ID, of tenant: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core, machine, desk] tx in
      let store = TermsChangeStore(tx)
      guard var change = try store.find(id, of: tenant) else { throw Problem.notFound }
      // Its day has begun, whether or not a node has seen that.
      guard change.fromDay > Ledger.day(of: core.world.now()) else {
        throw machine.refusal(of: .withdrawn, in: change.state)
      }
      // First: a node that tells the announcement now ends before this, or does not tell it.
      try store.end(.announced, of: id)
      try store.clearDeadLetter(id, .announced)
      try core.mover.move(&change, on: .withdrawn, of: machine, by: actor, in: tx)
      try store.begin(.withdrawn, of: id)
      try desk.tellDesk(of: change, by: "system", in: tx)
    }
  }

  /// What holders of an account were told, the oldest first.
  /// - Throws: `Problem` not found.
  package func notices(on account: BankAccount.ID, of tenant: Int) async throws -> [TermsNotice] {
    try await core.database.read { tx in
      guard try AccountStore(tx).find(account, tenant: tenant) != nil else { throw Problem.notFound }
      return try TermsChangeStore(tx).notices(on: account, limit: Self.listMax)
    }
  }

  /// An account of which owners were not told of a change, or not all of them.
  package struct UnnotifiedAccount: Sendable, Equatable {
    package let account: BankAccount.ID
    package let kind: TermsNotice.Kind
    /// Owners without a user.
    package var owners = 0
    /// When the first owner was told.
    package var sentAt: Instant?
    /// Why the account could not be told: one word; nil for one that is told.
    package var fault: String?
  }

  /// Accounts of which owners were not told of a change, by id: those that could not be told first.
  /// - Throws: `Problem` not found.
  package func unnotifiedAccounts(_ id: TermsChange.ID, of tenant: Int) async throws -> [UnnotifiedAccount] {
    try await core.database.read { tx in
      guard try TermsChangeStore(tx).find(id, of: tenant) != nil else { throw Problem.notFound }
      return try Self.unnotifiedAccounts(id, in: tx)
    }
  }

  private static func unnotifiedAccounts(
    _ id: TermsChange.ID, in tx: any SQLTransaction
  ) throws -> [UnnotifiedAccount] {
    let store = TermsChangeStore(tx)
    let deadLettered = try store.deadLettered(id, limit: listMax).map {
      UnnotifiedAccount(account: $0.account, kind: $0.kind, fault: $0.reason)
    }
    let unnotified = try store.unnotified(id, limit: listMax).map {
      UnnotifiedAccount(account: $0.account, kind: $0.kind, owners: $0.unreached, sentAt: $0.sentAt)
    }
    return deadLettered + unnotified
  }

  /// Notes that the bank told every owner of an account by itself, such as by letter.
  /// - Throws: `Problem` not found, also for an account that no notice waits on.
  package func toldByBank(
    _ account: BankAccount.ID, of id: TermsChange.ID, tenant: Int, by actor: String
  ) async throws {
    try await core.database.write(retrying: .outdated) { [core, desk] tx in
      let store = TermsChangeStore(tx)
      guard let change = try store.find(id, of: tenant),
        try store.toldByBank(account, of: id, at: core.world.now())
      else { throw Problem.notFound }
      try core.note("terms.told", "account-\(account)", by: actor, ["change": id.rawValue], in: tx)
      try desk.tellDesk(of: change, by: actor, in: tx)
    }
  }

  // MARK: What time does

  /// Owes the notices of every change that was announced or withdrawn, a page of accounts in one transaction. Tenants
  /// and changes do not wait for each other. An account that cannot be told is dead-lettered by itself and tried again
  /// every hour.
  /// - Throws: `PartialFailure` with the tenants whose notices are not all owed and the accounts that were
  ///   dead-lettered now, after the others were done.
  package func tell() async throws {
    var failures: [PartialFailure.Part] = []
    for tenant in try await tenants.list() {
      do { try await retryDeadLettered(of: tenant.id) } catch let error as CancellationError { throw error } catch {
        failures.append(.init(["tenant": "\(tenant.id)", "duty": "notice"], error: error))
      }
      for round in try await core.database.read({ try TermsChangeStore($0).rounds(of: tenant.id) }) {
        do { try await tell(round, &failures) } catch let error as CancellationError { throw error } catch {
          failures.append(.init(["tenant": "\(tenant.id)", "duty": "notice"], error: error))
        }
      }
    }
    guard failures.isEmpty else { throw PartialFailure(failures) }
  }

  private func tell(_ first: TermsChangeStore.NotificationRun, _ failures: inout [PartialFailure.Part]) async throws {
    var (round, isDone) = (first, false)
    // Another node was faster, or the change was withdrawn.
    do {
      while !isDone {
        try Task.checkCancellation()
        let ids = try await core.database.read { [round] tx in
          try LedgerStore(tx).accountIDs(
            tenant: BankAccount.ledgerTenant(round.change.tenant), product: round.change.product, after: round.after,
            limit: Ledger.pageMax)
        }
        isDone = ids.count < Ledger.pageMax
        failures += try await tell(round, ids, isLast: isDone)
        round = .init(change: round.change, kind: round.kind, after: ids.last ?? round.after)
      }
    } catch SQLError.outdated { return }
  }

  /// Owes the notices of one page of accounts.
  /// - Returns: those that were dead-lettered now.
  /// - Throws: `SQLError.outdated`.
  private func tell(
    _ round: TermsChangeStore.NotificationRun, _ ids: [BankAccount.ID], isLast: Bool
  ) async throws -> [PartialFailure.Part] {
    do {
      try await core.database.write(.readCommitted) { [desk] tx in
        let store = TermsChangeStore(tx)
        try store.advance(round, to: ids.last, isDone: isLast)
        let days = max(1, try store.noticeDays(of: round.change.tenant) ?? Self.noticeDays)
        let unreached = try desk.owe(round.kind, of: round.change, to: ids, noticeDays: days, in: tx)
        if unreached > 0 || isLast { try desk.tellDesk(of: round.change, by: "system", in: tx) }
      }
      return []
    } catch { guard Ledger.isOfARow(error) else { throw error } }
    // One account voids the transaction of all: each gets its own.
    var deadLettered: [PartialFailure.Part] = []
    for id in ids {
      let part = try await tell(id, of: round.change, round.kind) { store, _ in
        try store.advance(round, to: round.after, isDone: false)
      }
      deadLettered += part.map { [$0] } ?? []
    }
    try await core.database.write(.readCommitted) { [desk] tx in
      try TermsChangeStore(tx).advance(round, to: ids.last, isDone: isLast)
      if isLast { try desk.tellDesk(of: round.change, by: "system", in: tx) }
    }
    return deadLettered
  }

  /// Tells one account, or dead-letters it.
  /// - Parameter claim: keeps a withdrawal of the change out until the end of the transaction.
  /// - Returns: what is told of an account that was dead-lettered now.
  private func tell(
    _ id: BankAccount.ID, of change: TermsChange, _ kind: TermsNotice.Kind,
    claim: @escaping @Sendable (TermsChangeStore, Instant) throws -> Void
  ) async throws -> PartialFailure.Part? {
    let now = core.world.now()
    do {
      try await core.database.write(.readCommitted) { [desk] tx in
        let store = TermsChangeStore(tx)
        try claim(store, now)
        let days = max(1, try store.noticeDays(of: change.tenant) ?? Self.noticeDays)
        let unreached = try desk.owe(kind, of: change, to: [id], noticeDays: days, in: tx)
        let isCleared = try store.clearDeadLetter(id, change.id, kind)
        if unreached > 0 || isCleared { try desk.tellDesk(of: change, by: "system", in: tx) }
      }
      return nil
    } catch {
      guard Ledger.isOfARow(error) else { throw error }
      let part = PartialFailure.Part(
        ["tenant": "\(change.tenant)", "account": "\(id)", "duty": "notice"], error: error)
      let isNew = try await core.database.write(.readCommitted) { [desk] tx in
        let store = TermsChangeStore(tx)
        try claim(store, now)
        let isNew = try store.deadLetter(.init(change: change.id, kind: kind, account: id, reason: part.error), at: now)
        if isNew { try desk.tellDesk(of: change, by: "system", in: tx) }
        return isNew
      }
      return isNew ? part : nil
    }
  }

  private func retryDeadLettered(of tenant: Int) async throws {
    let due = core.world.now() - Ledger.deadLetterRest
    let deadLettered = try await core.database.read { tx in
      let store = TermsChangeStore(tx)
      return try store.deadLettered(of: tenant, triedBefore: due, limit: Ledger.pageMax).compactMap { one in
        try store.find(one.change, of: tenant).map { (one, $0) }
      }
    }
    for (one, change) in deadLettered {
      do {
        _ = try await tell(one.account, of: change, one.kind) { try $0.claim(one, at: $1) }
      } catch SQLError.outdated {}
    }
  }

  // MARK: The mail

  /// Nothing for a customer who is gone or was erased. The same notice has the same id in every repetition.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ").map(String.init)
    guard words.count == 4, let kind = TermsNotice.Kind(rawValue: words[0]), let tenant = Int(words[1]) else {
      throw Unreadable()
    }
    let now = core.world.now()
    let due = try await core.database.read { [core] tx -> (Message, TermsNotice)? in
      let account = BankAccount.ID(rawValue: words[2])
      guard var notice = try TermsChangeStore(tx).notice(kind, of: .init(rawValue: item.subject), on: account),
        notice.change.tenant == tenant, let bank = try TenantStore(tx).find(tenant),
        let name = try LedgerStore(tx).account(account)?.name,
        let user = try FinapticUserStore(tx, vault: core.vault).find(customer: words[3], tenant: tenant)?.user,
        !user.profile.email.isEmpty
      else { return nil }
      notice.sentAt = notice.sentAt ?? now
      let (text, locale) = TermsTexts.of(try ClientProfileStore(tx, vault: core.vault).locale(of: words[3]))
      var message = Message(
        .email, to: user.profile.email, subject: "\(bank.name): \(text.title)", body: text.body(notice, on: name),
        locale: locale)
      message.id = "terms-\(notice.change.id)-\(kind.rawValue)-\(account)-\(user.id)"
      message.template = "terms-\(kind.rawValue)"
      (message.about, message.tenant) = (user.id.rawValue, TenantID("finaptic", "\(tenant)"))
      return (message, notice)
    }
    guard let (message, notice) = due else { return }
    try await messenger.send(message)
    try await core.database.write(retrying: .outdated) { try TermsChangeStore($0).sent(notice, at: now) }
  }

  struct Unreadable: FinalFailure {}
}

extension BankAccountBodies {
  struct TermsNotices: Encodable {
    let notices: [TermsNotice]
  }

  /// What holders of an account were told of a change of its terms.
  struct TermsNotice: Encodable {
    let change_id, kind, from, told_at, monthly_fee, currency: String
    let yearly_interest_millionths: Int64

    init(_ notice: FinapticFlow.TermsNotice) {
      let change = notice.change
      (change_id, kind, from) = (change.id.rawValue, notice.kind.rawValue, "\(notice.from)")
      (told_at, monthly_fee, currency) = (notice.madeAt.rfc3339, change.fee.decimal, change.currency)
      yearly_interest_millionths = change.yearlyInterest
    }
  }
}
