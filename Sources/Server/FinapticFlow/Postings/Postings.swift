// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage

/// What a bank's own systems book (finaptic §3.9): credits, debits, corrections, reversals and holds. The caller's key
/// is the books' key, so that the same posting is booked once for ever. One that is more than the tenant lets one
/// person or program move waits for a second (`FourEyesGate`): the caller repeats it when that one has agreed.
package struct Postings: Sendable {
  private static let referenceMax = 35
  /// Payments by card, Interac and between banks go back on their own ways, which count what went back.
  private static let reversible: [BankTransaction.Kind] = [
    .transfer, .deposit, .withdrawal, .correction, .interest, .fee,
  ]

  static func isReversible(_ transfer: LedgerTransfer) -> Bool {
    transfer.declined == nil && transfer.order.hold == nil
      && reversible.map(\.rawValue).contains(transfer.order.kind)
      && !transfer.order.key.hasPrefix(BankPayment.keyPrefix)
  }

  let core: CoreDependencies
  let ledger: Ledger
  /// How many days back a value date may lie.
  let valueDaysBackMax: Int64
  private var gate: FourEyesGate { FourEyesGate(core: core) }

  // MARK: Booking

  /// - Parameters:
  ///   - key: of the caller and the call.
  ///   - client: who books, as in the audit log.
  /// - Throws: `Problem` validation; not found; conflict, also those of `FourEyesGate.pass`. A posting that is declined
  ///   is an answer, and so is one that waits for a second person or for its value date.
  func post(
    _ asked: PostingBodies.Posting, key: String, of tenant: FinapticTenant, by client: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Answer {
    let purpose = try PostingPurpose(given: asked.purpose)
    let reason = try PostingReason(given: asked.reason)
    let reference = try Self.reference(asked.reference)
    let amount = try amount(asked.amount)
    let own = InternalAccounts.account(purpose.own, tenant: tenant.id)
    let account = try account(asked.account_id, beside: own, of: tenant, in: tx)
    let valueDate = try Self.valueDate(asked.value_date)
    let order = purpose.order(
      of: amount, on: account.id, tenant: tenant.id, key: "post \(key)",
      valueDay: valueDate.map { Int64($0.daysSince1970) })
    let scheduled = ScheduledPostingStore(tx, vault: core.vault)
    if let known = try scheduled.find(key: order.key, of: tenant.id) {
      guard known.order == order else { throw Problem(posting: .keyReused) }
      return .scheduled(.init(known))
    }
    if try LedgerStore(tx).transfer(under: order.key, of: order.tenant) == nil {
      let isToCome = try isToCome(order.valueDay, on: account)
      guard !isToCome || account.account.stop != .closed else {
        throw Problem(.conflict, "account-closed", "The account is closed.")
      }
      let what = ProposedPosting(.posting, amount, reason, purpose: purpose, valueDate: valueDate, reference: reference)
      if let waiting = try waits(what, on: account, key: key, of: tenant, by: client, in: tx) { return waiting }
      if isToCome {
        let posting = ScheduledPosting(
          id: .init(core.world), tenant: tenant.id, account: account.id, purpose: purpose, reason: reason, order: order,
          reference: reference, maker: client, orderedAt: core.world.now(), state: .scheduled, version: 1)
        return .scheduled(try schedule(posting, in: tx))
      }
    }
    let note = try reference.map { try BankTransaction.Particulars(clearingReference: $0).note }
    var facts = ["purpose": purpose.rawValue, "reason": reason.rawValue]
    facts["valueDate"] = valueDate?.description
    return try book(order, note, "posting.booked", facts, on: account.id, of: tenant, by: client, in: tx)
  }

  /// Books the opposite of a transfer, once for ever, no matter who asks. A try that is declined stands for its key
  /// alone: with another key it is tried anew.
  /// - Parameters:
  ///   - id: of a transfer on an account of the tenant.
  ///   - key: of the caller and the call.
  /// - Throws: `Problem` not found; validation; conflict `not-reversible` for what was declined, is no transfer between
  ///   accounts, deposit or booking of the bank, belongs to a payment from or to another bank, or is between the bank's
  ///   own accounts; those of `FourEyesGate.pass`.
  func reverse(
    _ id: String, _ asked: PostingBodies.Reason, key: String, of tenant: FinapticTenant, by client: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Answer {
    let (reason, store) = (try PostingReason(given: asked.reason), LedgerStore(tx))
    let name = BankAccount.ledgerTenant(tenant.id)
    guard let former = try store.transfer(.init(rawValue: id)), former.order.tenant == name else {
      throw Problem.notFound
    }
    let accounts = try [former.order.credit, former.order.debit].compactMap {
      try AccountStore(tx).find($0, tenant: tenant.id)
    }
    guard Self.isReversible(former), let account = accounts.first else {
      throw Problem(.conflict, "not-reversible", "Nothing was booked that could be reversed.")
    }
    try store.lock([former.order.debit, former.order.credit])
    // In the release before, the prefix was the whole key.
    let prefix = "reverse \(former.id)"
    if let booked = try store.booked(lifecycle: former.lifecycle, keyPrefix: prefix) {
      return .outcome(try PostingBodies.Outcome(.done(booked)))
    }
    let order = TransferOrder(
      .reversal, tenant: tenant.id, key: "\(prefix) \(key)", debit: former.order.credit, credit: former.order.debit,
      amount: former.order.amount, lifecycle: former.lifecycle)
    if try store.transfer(under: order.key, of: name) == nil {
      guard let present = try AccountStore(tx).find(account.id, tenant: tenant.id) else { throw Problem.notFound }
      let interest = InternalAccounts.account(.interest, tenant: tenant.id)
      let what = ProposedPosting(
        .reversal, order.amount, reason, about: former.id.rawValue,
        isInterest: [order.debit, order.credit].contains(interest))
      if let waiting = try waits(what, on: present, key: key, of: tenant, by: client, in: tx) { return waiting }
    }
    return try book(
      order, nil, "posting.reversed", ["reverses": former.id.rawValue, "reason": reason.rawValue], on: account.id,
      of: tenant, by: client, in: tx)
  }

  private func book(
    _ order: TransferOrder, _ note: Data?, _ action: String, _ facts: [String: String], on account: BankAccount.ID,
    of tenant: FinapticTenant, by client: String, in tx: any SQLTransaction
  ) throws -> PostingBodies.Answer {
    let isNew = try LedgerStore(tx).transfer(under: order.key, of: order.tenant) == nil
    let answer = try ledger.transfer(order, note: note, in: tx)
    let outcome = try PostingBodies.Outcome(answer)
    if isNew {
      if outcome.status == PostingBodies.Outcome.booked {
        try PostingLimitStore(tx).count(
          order.amount, by: client, tenant: tenant.id, on: Ledger.day(of: core.world.now()))
      }
      let all = facts.merging(["transfer": outcome.transaction_id, "status": outcome.status]) { $1 }
      try core.note(action, "account-\(account)", by: client, all, in: tx)
    }
    return .outcome(outcome)
  }

  // MARK: Holding

  /// - Throws: as `post`.
  func hold(
    _ asked: PostingBodies.Hold, key: String, of tenant: FinapticTenant, by client: String, in tx: any SQLTransaction
  ) throws -> PostingBodies.Answer {
    let reason = try PostingReason(given: asked.reason)
    let amount = try amount(asked.amount)
    let own = InternalAccounts.account(.cash, tenant: tenant.id)
    let account = try account(asked.account_id, beside: own, of: tenant, in: tx)
    let end = try asked.expires_at.map { text in
      guard let end = Instant(rfc3339: text), end > core.world.now() else {
        throw Problem.validation([.init("/expires_at", "range", "An instant that is to come.")])
      }
      return end
    }
    let order = TransferOrder(
      .withdrawal, tenant: tenant.id, key: "post \(key)", debit: account.id, credit: own, amount: amount)
    let isNew = try LedgerStore(tx).hold(under: order.key, of: order.tenant) == nil
    if isNew {
      let what = ProposedPosting(.hold, amount, reason, about: asked.expires_at)
      if let waiting = try waits(what, on: account, key: key, of: tenant, by: client, in: tx) { return waiting }
    }
    let outcome = try PostingBodies.Outcome(ledger.hold(HoldOrder(order, until: end), in: tx))
    guard isNew else { return .outcome(outcome) }
    // Held money is out of its owner's reach as booked money is. A release gives nothing back to the day.
    if outcome.status == PostingBodies.Outcome.held {
      try PostingLimitStore(tx).count(amount, by: client, tenant: tenant.id, on: Ledger.day(of: core.world.now()))
    }
    try core.note(
      "posting.held", "account-\(account.id)", by: client,
      ["reason": reason.rawValue, "hold": outcome.transaction_id, "status": outcome.status], in: tx)
    return .outcome(outcome)
  }

  /// Gives back what a posting held; a hold of a card's payment is the network's.
  /// - Throws: `Problem` not found; validation; conflict `hold-ended`, and those of `FourEyesGate.pass`.
  func release(
    _ id: String, _ asked: PostingBodies.Reason, key: String, of tenant: FinapticTenant, by client: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Answer {
    let (reason, name) = (try PostingReason(given: asked.reason), BankAccount.ledgerTenant(tenant.id))
    guard let hold = try LedgerStore(tx).hold(.init(rawValue: id)), hold.order.tenant == name,
      hold.order.key.hasPrefix("post ")
    else { throw Problem.notFound }
    try LedgerStore(tx).lock([hold.order.account, hold.order.counterparty])
    // The lock came after the look: what was released meanwhile is seen here.
    let isOpen = try LedgerStore(tx).hold(hold.id)?.state == .open
    if isOpen {
      guard let account = try AccountStore(tx).find(hold.order.account, tenant: tenant.id) else {
        throw Problem.notFound
      }
      let what = ProposedPosting(.release, hold.order.amount, reason, about: hold.id.rawValue)
      if let waiting = try waits(what, on: account, key: key, of: tenant, by: client, in: tx) { return waiting }
    }
    let outcome = try PostingBodies.Outcome(ledger.release(hold.id, tenant: name, in: tx))
    if isOpen {
      try core.note(
        "posting.released", "account-\(hold.order.account)", by: client,
        ["reason": reason.rawValue, "hold": hold.id.rawValue], in: tx)
    }
    return .outcome(outcome)
  }

  // MARK: The second person

  /// What is booked, as the second person sees it.
  private struct ProposedPosting {
    let action: BankAct.Action
    let amount: Money
    let reason: PostingReason
    var purpose: PostingPurpose?
    /// From when on it counts; nil for the day on which it is booked.
    var valueDate: WireDate?
    /// What it reverses or releases, or when a hold ends.
    var about: String?
    var reference: String?
    /// Whether it corrects interest.
    var isInterest: Bool

    init(
      _ action: BankAct.Action, _ amount: Money, _ reason: PostingReason, purpose: PostingPurpose? = nil,
      valueDate: WireDate? = nil, about: String? = nil, reference: String? = nil, isInterest: Bool = false
    ) {
      (self.action, self.amount, self.reason) = (action, amount, reason)
      (self.purpose, self.valueDate, self.about, self.reference) = (purpose, valueDate, about, reference)
      self.isInterest = isInterest || purpose?.own == .interest
    }

    /// The reference is the only free text, so it is the last; `FinapticAccountRepository` reads it.
    var request: String {
      let words = [
        "amount \(amount.decimal) \(amount.currency)", purpose.map { "purpose \($0.rawValue)" },
        "reason \(reason.rawValue)", valueDate.map { "value date \($0)" },
        about.map { "about \($0)" }, reference.map { "reference \($0)" },
      ]
      return words.compactMap(\.self).joined(separator: "; ")
    }
  }

  /// - Parameter account: locked, as it is now.
  /// - Returns: nil when it may be booked now.
  private func waits(
    _ what: ProposedPosting, on account: BankAccount, key: String, of tenant: FinapticTenant, by maker: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Answer? {
    // A second person is not asked for what could not be booked anyway.
    if what.action != .release { try PostingLimitStore(tx).check(what.amount, by: maker, tenant: tenant.id) }
    let policy = try FourEyesPolicyStore(tx).policy(of: tenant)
    let isDemanded =
      what.isInterest && policy.demands(.interest)
      || policy.demandsSecond(for: what.amount.minorUnits, in: what.amount.currency)
    let asked = FourEyesGate.ProposedAct(
      action: what.action, subject: account.id.rawValue, version: account.account.sequence, request: what.request,
      condition: "account \(account.status)", person: try account.keyHolder(in: tx), chain: "account-\(account.id)")
    switch try gate.pass(asked, if: isDemanded, key: key, of: tenant, by: maker, in: tx) {
    case .open: return nil
    case .done: throw FourEyesGate.alreadyUsed
    case .waiting(let approval): return .waiting(.init(approval))
    }
  }

  // MARK: Reading what is asked

  func amount(_ asked: FinapticAPI.Amount) throws -> Money {
    guard asked.currency == InternalAccounts.currency,
      let amount = Money(decimal: asked.amount, currency: asked.currency), amount.minorUnits > 0
    else {
      throw Problem.validation([
        .init("/amount", "range", "More than 0, at most two decimals, in \(InternalAccounts.currency).")
      ])
    }
    return amount
  }

  /// Locks the account and the bank's own one, and tells how it is behind the lock.
  private func account(
    _ name: String, beside own: LedgerAccount.ID, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> BankAccount {
    let store = AccountStore(tx)
    // The tenant is checked before the lock, so that a client cannot delay bookings of another tenant.
    guard let id = name.canonicalUUID.map({ BankAccount.ID(rawValue: $0) }),
      try store.find(id, tenant: tenant.id) != nil
    else { throw Problem.validation([.init("/account_id", "unknown", "An account of the tenant.")]) }
    try LedgerStore(tx).lock([id, own])
    guard let account = try store.find(id, tenant: tenant.id) else { throw Problem.notFound }
    return account
  }

  /// As ISO 20022 limits references: Max35Text.
  static func reference(_ text: String?) throws -> String? {
    guard let text else { return nil }
    guard (1...referenceMax).contains(text.count), text.allSatisfy({ $0.isASCII && !$0.isNewline && $0 >= " " }) else {
      throw Problem.validation([.init("/reference", "format", "1 to \(referenceMax) ASCII characters.")])
    }
    return text
  }
}

extension BankAccount {
  /// The user under whose key what is said of the account is sealed: of the first owner who is not erased.
  func keyHolder(in tx: any SQLTransaction) throws -> String? {
    for owner in owners {
      if let user = try FinapticUserStore.id(ofCustomer: owner, in: tx) { return user.rawValue }
    }
    return nil
  }
}
