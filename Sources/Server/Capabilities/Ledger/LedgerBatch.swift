// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Orders that are carried out together, decided one after the other in memory. It reads and writes nothing: what it
/// has to know is put in before, and what is to be written is taken out after.
struct LedgerBatch: Sendable {
  struct Key: Hashable, Sendable {
    let tenant: String
    let key: String
  }

  /// That a party has a role on an account, whichever it is.
  struct Part: Hashable, Sendable {
    let party: String
    let account: LedgerAccount.ID
  }

  /// What of an account decides, and changes.
  struct Head: Sendable {
    let tenant: String
    let kind: LedgerProduct.Kind
    let currency: String
    let state: LedgerAccount.State
    let stop: LedgerStop?
    let availableMin: Int64?
    var actual: Int64
    var held: Int64
    var sequence: Int64
    var lastAt: LedgerTime
    /// Of its last entry that has one.
    var seal: String?
    var isChanged = false
  }

  /// A transfer to be written, with the balances after it.
  struct Booked: Sendable {
    let transfer: LedgerTransfer
    /// Nil when it was declined.
    let balances: (debit: Int64, credit: Int64)?
    /// Of its entries; nil too where the books are not sealed.
    var seals: (debit: String, credit: String)?
  }

  let now: LedgerTime
  let seal: LedgerSeal?
  var heads: [LedgerAccount.ID: Head] = [:]
  /// Parts that orders ask for, and that there are.
  var parts: Set<Part> = []
  /// Transfers that have a key of the batch, from before and from the batch itself.
  var transfers: [Key: LedgerTransfer] = [:]
  var holds: [LedgerHold.ID: LedgerHold] = [:]
  var holdKeys: [Key: LedgerHold.ID] = [:]

  private(set) var booked: [Booked] = []
  private(set) var events: [LedgerEvent] = []
  private(set) var newHolds: [LedgerHold.ID] = []
  private(set) var endedHolds: [LedgerHold.ID] = []
  private(set) var changed: [LedgerAccount.ID] = []

  init(now: LedgerTime, seal: LedgerSeal?) { (self.now, self.seal) = (now, seal) }

  mutating func carryOut(_ order: LedgerOrder) -> LedgerOutcome {
    switch order {
    case .transfer(let id, let order, let note, let party): .transfer(transfer(order, as: id, note, by: party))
    case .hold(let id, let order, let note): .hold(hold(order, as: id, note))
    case .settle(let id, let order, let note): .transfer(settle(order, as: id, note))
    case .release(let id, let tenant): .hold(release(id, tenant: tenant))
    }
  }

  // MARK: Orders

  private mutating func transfer(
    _ order: TransferOrder, as id: LedgerTransfer.ID, _ note: Data?, by party: String?
  ) -> LedgerAnswer<LedgerTransfer> {
    let key = Key(tenant: order.tenant, key: order.key)
    if let known = transfers[key] { return known.order == order ? known.answer : .refused(.keyReused) }
    guard [order.key, order.kind, order.domain, order.lifecycle ?? "-"].allSatisfy(Ledger.isKept) else {
      return .refused(.textTooLong)
    }
    if let refusal = refusal(order.amount, order.debit, order.credit, tenant: order.tenant) { return .refused(refusal) }
    if let party, ![order.debit, order.credit].allSatisfy({ parts.contains(Part(party: party, account: $0)) }) {
      return .refused(.notParty)
    }
    return book(order, as: id, under: key, releasing: 0, note)
  }

  private mutating func hold(
    _ order: HoldOrder, as id: LedgerHold.ID, _ note: Data?
  ) -> LedgerAnswer<LedgerHold> {
    let key = Key(tenant: order.tenant, key: order.key)
    if let known = holdKeys[key].flatMap({ holds[$0] }) {
      return known.order == order ? known.answer : .refused(.keyReused)
    }
    guard [order.key, order.kind, order.domain].allSatisfy(Ledger.isKept) else { return .refused(.textTooLong) }
    if let refusal = refusal(order.amount, order.account, order.counterparty, tenant: order.tenant) {
      return .refused(refusal)
    }
    guard let head = heads[order.account], let other = heads[order.counterparty] else {
      return .refused(.unknownAccount)
    }
    let (held, overflows) = head.held.addingReportingOverflow(order.amount.minorUnits)
    guard !overflows, head.available(without: order.amount.minorUnits) != nil else { return .refused(.outOfRange) }
    let decline = decline(order.amount.minorUnits, from: head, to: other)
    let at = max(now, head.lastAt.next)
    let hold = LedgerHold(
      id: id, order: order, at: at, state: decline == nil ? .open : .declined, endedAt: decline == nil ? nil : at,
      declined: decline)
    change(order.account) {
      $0.lastAt = at
      if decline == nil { $0.held = held }
    }
    holds[id] = hold
    holdKeys[key] = id
    newHolds.append(id)
    happen(.hold(hold), order.account, order.counterparty, note)
    return hold.answer
  }

  private mutating func settle(
    _ order: SettlementOrder, as id: LedgerTransfer.ID, _ note: Data?
  ) -> LedgerAnswer<LedgerTransfer> {
    guard let hold = holds[order.hold], hold.order.tenant == order.tenant else { return .refused(.unknownHold) }
    let held = hold.order.amount
    let amount = Money(order.minorUnits ?? held.minorUnits, held.currency)
    var transfer = TransferOrder(
      tenant: order.tenant, key: order.key, kind: order.kind, domain: hold.order.domain, debit: hold.order.account,
      credit: hold.order.counterparty, amount: amount, lifecycle: hold.id.rawValue)
    transfer.hold = hold.id
    let key = Key(tenant: order.tenant, key: order.key)
    if let known = transfers[key] { return known.order == transfer ? known.answer : .refused(.keyReused) }
    guard Ledger.isKept(order.key), Ledger.isKept(order.kind) else { return .refused(.textTooLong) }
    guard hold.state == .open else { return .refused(.holdEnded) }
    guard amount.minorUnits > 0 else { return .refused(.amountNotPositive) }
    guard amount.minorUnits <= held.minorUnits else { return .refused(.exceedsHold) }
    let answer = book(transfer, as: id, under: key, releasing: held.minorUnits, note)
    if case .done = answer { end(hold.id, .settled) }
    return answer
  }

  private mutating func release(_ id: LedgerHold.ID, tenant: String) -> LedgerAnswer<LedgerHold> {
    guard let hold = holds[id], hold.order.tenant == tenant else { return .refused(.unknownHold) }
    switch hold.state {
    case .released: return .done(hold)
    case .settled, .declined: return .refused(.holdEnded)
    case .open:
      change(hold.order.account) { $0.held -= hold.order.amount.minorUnits }
      end(id, .released)
      guard let released = holds[id] else { return .refused(.unknownHold) }
      happen(.release(released), hold.order.account, hold.order.counterparty, nil)
      return .done(released)
    }
  }

  // MARK: Decisions

  /// What makes an order one that the books could not keep, in the order in which a caller is told.
  private func refusal(
    _ amount: Money, _ debit: LedgerAccount.ID, _ credit: LedgerAccount.ID, tenant: String
  ) -> LedgerRefusal? {
    guard amount.minorUnits > 0 else { return .amountNotPositive }
    guard debit != credit else { return .sameAccount }
    guard let from = heads[debit], let to = heads[credit], from.tenant == tenant, to.tenant == tenant else {
      return .unknownAccount
    }
    return from.currency == amount.currency && to.currency == amount.currency ? nil : .currencyDiffers
  }

  /// - Parameter isSettlement: what was held before an account was frozen was promised to others.
  private func decline(
    _ amount: Int64, from debit: Head, to credit: Head, isSettlement: Bool = false
  ) -> LedgerDecline? {
    guard debit.state == .active, credit.state == .active else { return .accountInactive }
    guard debit.stop != .closed, credit.stop != .closed else { return .accountClosed }
    guard debit.stop == nil || isSettlement else { return .accountFrozen }
    guard let least = debit.availableMin else { return nil }
    return (debit.available(without: amount) ?? .min) >= least ? nil : .insufficientFunds
  }

  /// - Parameter released: what a hold gives back in the same step.
  private mutating func book(
    _ order: TransferOrder, as id: LedgerTransfer.ID, under key: Key, releasing released: Int64,
    _ note: Data?
  ) -> LedgerAnswer<LedgerTransfer> {
    guard var debit = heads[order.debit], var credit = heads[order.credit] else { return .refused(.unknownAccount) }
    let amount = order.amount.minorUnits
    debit.held -= released
    let down = debit.actual.subtractingReportingOverflow(amount)
    let up = credit.actual.addingReportingOverflow(amount)
    // What is available has to fit too.
    guard !down.overflow, !up.overflow, debit.available(without: amount) != nil else { return .refused(.outOfRange) }
    if let reason = decline(amount, from: debit, to: credit, isSettlement: order.hold != nil) {
      let at = max(now, debit.lastAt.next)
      change(order.debit) { $0.lastAt = at }
      let transfer = LedgerTransfer(id: id, order: order, at: at, sequences: nil, declined: reason)
      return keep(Booked(transfer: transfer, balances: nil), under: key, note)
    }
    let at = max(now, debit.lastAt.next, credit.lastAt.next)
    (debit.actual, debit.sequence, debit.lastAt) = (down.partialValue, debit.sequence + 1, at)
    (credit.actual, credit.sequence, credit.lastAt) = (up.partialValue, credit.sequence + 1, at)
    let transfer = LedgerTransfer(
      id: id, order: order, at: at, sequences: .init(debit: debit.sequence, credit: credit.sequence), declined: nil)
    var booked = Booked(transfer: transfer, balances: (debit.actual, credit.actual))
    if let seal {
      let seals = (
        debit: seal.seal(
          transfer, on: order.debit, sequence: debit.sequence, amount: -amount, balance: debit.actual,
          after: debit.seal),
        credit: seal.seal(
          transfer, on: order.credit, sequence: credit.sequence, amount: amount, balance: credit.actual,
          after: credit.seal)
      )
      (debit.seal, credit.seal, booked.seals) = (seals.debit, seals.credit, seals)
    }
    change(order.debit) { $0 = debit }
    change(order.credit) { $0 = credit }
    return keep(booked, under: key, note)
  }

  // MARK: What changes

  private mutating func keep(
    _ booked: Booked, under key: Key, _ note: Data?
  ) -> LedgerAnswer<LedgerTransfer> {
    self.booked.append(booked)
    transfers[key] = booked.transfer
    happen(.transfer(booked.transfer), booked.transfer.order.debit, booked.transfer.order.credit, note)
    return booked.transfer.answer
  }

  private mutating func happen(
    _ action: LedgerEvent.Action, _ debit: LedgerAccount.ID, _ credit: LedgerAccount.ID, _ note: Data?
  ) {
    guard let from = heads[debit], let to = heads[credit] else { return }
    events.append(
      LedgerEvent(action: action, debit: from.balance(debit), credit: to.balance(credit), note: note))
  }

  private mutating func change(_ id: LedgerAccount.ID, _ body: (inout Head) -> Void) {
    guard var head = heads[id] else { return }
    let wasChanged = head.isChanged
    body(&head)
    head.isChanged = true
    heads[id] = head
    if !wasChanged { changed.append(id) }
  }

  private mutating func end(_ id: LedgerHold.ID, _ state: LedgerHold.State) {
    holds[id]?.state = state
    holds[id]?.endedAt = now
    if !newHolds.contains(id) { endedHolds.append(id) }
  }
}

extension LedgerBatch.Head {
  func balance(_ id: LedgerAccount.ID) -> LedgerEvent.Balance {
    .init(id: id, kind: kind, actual: actual, held: held)
  }

  /// What would be available; nil when that does not fit.
  func available(without amount: Int64) -> Int64? {
    let (free, first) = actual.subtractingReportingOverflow(held)
    let (rest, second) = free.subtractingReportingOverflow(amount)
    return first || second ? nil : rest
  }
}

extension LedgerTransfer {
  var answer: LedgerAnswer<LedgerTransfer> { declined.map { .declined(self, $0) } ?? .done(self) }
}

extension LedgerHold {
  var answer: LedgerAnswer<LedgerHold> { declined.map { .declined(self, $0) } ?? .done(self) }
}

/// One order of a batch.
enum LedgerOrder: Sendable {
  /// - `by`: who has to be a party of both accounts when it is booked; nil for what is not asked for by one.
  case transfer(LedgerTransfer.ID, TransferOrder, Data?, by: String?)
  case hold(LedgerHold.ID, HoldOrder, Data?)
  case settle(LedgerTransfer.ID, SettlementOrder, Data?)
  case release(LedgerHold.ID, tenant: String)
}

/// What became of one order of a batch.
enum LedgerOutcome: Sendable {
  case transfer(LedgerAnswer<LedgerTransfer>)
  case hold(LedgerAnswer<LedgerHold>)

  /// Of an order for a transfer or a settlement.
  var transfer: LedgerAnswer<LedgerTransfer> {
    guard case .transfer(let answer) = self else { preconditionFailure("A transfer's answer.") }
    return answer
  }

  /// Of an order for a hold or its release.
  var hold: LedgerAnswer<LedgerHold> {
    guard case .hold(let answer) = self else { preconditionFailure("A hold's answer.") }
    return answer
  }
}
