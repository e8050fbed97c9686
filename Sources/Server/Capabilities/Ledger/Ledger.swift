// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// The ledger of an institution: accounts, and money that goes between them by double entry.
///
/// What moves money goes through one function, `carryOut`: alone in a caller's transaction, or joined with the orders of
/// all callers at that time, which is much faster. A caller that asks again with the same key gets the same
/// answer, whatever happened in between: a crash, a lost connection, a second node.
package struct Ledger: Sendable {
  /// Bytes of a key, a kind, a domain or an id.
  package static let textMax = 200

  /// Holds that one transaction ends: it keeps their accounts for as long as it takes.
  private static let holdsOfSweep = 100

  /// How many commits run at once: while one waits for the disk the other is decided.
  private static let workersMax = 2

  package let database: any SQLDatabase
  let world: World
  /// Nil leaves entries without a seal.
  let seal: LedgerSeal?
  private let recorder: (any LedgerRecorder)?
  private let commits: GroupCommit<LedgerOrder, LedgerOutcome>

  /// - Parameters:
  ///   - seal: keys the books; nil for what only reads them, and for books that are not proved.
  ///   - recorder: records what is booked, in the same commit; nil without one.
  package init(
    database: any SQLDatabase, world: World, seal: LedgerSeal? = nil, workers: Int? = nil,
    recorder: (any LedgerRecorder)? = nil
  ) {
    self.database = database
    self.world = world
    self.seal = seal
    self.recorder = recorder
    let limits = GroupCommit<LedgerOrder, LedgerOutcome>.Limits(
      workersMax: workers ?? Self.workersMax)
    commits = GroupCommit(limits) { batch in
      do { return try await Self.commit(batch, database, world, seal, recorder) } catch SQLError.uncertain {
        // Whether it happened is found by its keys; where they cannot be looked up either, it stays unknown.
        do { return try await Self.commit(batch, database, world, seal, recorder) } catch is SQLError {
          throw SQLError.uncertain
        }
      }
    }
  }

  /// Orders that wait for a commit now.
  package var waitingCount: Int { commits.waitingCount }

  // MARK: Orders, joined

  /// Moves money. Answered once it is durable.
  /// - Parameters:
  ///   - note: for the recorder, when it is booked now and was not before; the ledger does not store it.
  ///   - party: who has to be a party of both accounts in the moment in which it is booked, whatever was looked up
  ///     before; nil for what is not asked for by one.
  /// - Throws: `SQLError.busy` when too much waits and `SQLError.locked` when others keep an account for too long:
  ///   nothing was moved then. After `SQLError.uncertain` the same key says whether it was.
  package func transfer(
    _ order: TransferOrder, note: Data? = nil, by party: String? = nil
  ) async throws -> LedgerAnswer<LedgerTransfer> {
    guard Self.isKept([order.tenant, order.key, order.kind, order.domain, order.lifecycle ?? "-"]) else {
      return .refused(.textTooLong)
    }
    guard Self.isKept([order.debit.rawValue, order.credit.rawValue]) else { return .refused(.unknownAccount) }
    return try await commits(.transfer(.init(world), order, note, by: party)).transfer
  }

  /// Keeps money back.
  /// - Throws: as `transfer`.
  package func hold(_ order: HoldOrder, note: Data? = nil) async throws -> LedgerAnswer<LedgerHold> {
    guard Self.isKept([order.tenant, order.key, order.kind, order.domain]) else { return .refused(.textTooLong) }
    guard Self.isKept([order.account.rawValue, order.counterparty.rawValue]) else { return .refused(.unknownAccount) }
    return try await commits(.hold(.init(world), order, note)).hold
  }

  /// Moves money that was held, wholly or in part, and releases the rest.
  /// - Throws: as `transfer`.
  package func settle(
    _ order: SettlementOrder, note: Data? = nil
  ) async throws -> LedgerAnswer<LedgerTransfer> {
    guard Self.isKept([order.tenant, order.key, order.kind]) else { return .refused(.textTooLong) }
    guard Self.isKept([order.hold.rawValue]) else { return .refused(.unknownHold) }
    return try await commits(.settle(.init(world), order, note)).transfer
  }

  /// Gives back what was held; once released, it stays so.
  /// - Throws: as `transfer`.
  package func release(_ id: LedgerHold.ID, tenant: String) async throws -> LedgerAnswer<LedgerHold> {
    guard Self.isKept([id.rawValue, tenant]) else { return .refused(.unknownHold) }
    return try await commits(.release(id, tenant: tenant)).hold
  }

  /// Several read the same accounts and change them, so each waits for the rows that it will change, and then sees what
  /// is committed.
  private static func commit(
    _ batch: GroupCommit<LedgerOrder, LedgerOutcome>.Batch, _ database: any SQLDatabase, _ world: World,
    _ seal: LedgerSeal?, _ recorder: (any LedgerRecorder)?
  ) async throws -> [LedgerOutcome] {
    try await database.write(.readCommitted) { tx in
      try batch.carryOut { try carryOut($0, world, seal, recorder, in: tx) }
    }
  }

  /// - Parameter isWanted: nothing is written where it is false of the outcomes.
  private static func carryOut(
    _ orders: [LedgerOrder], _ world: World, _ seal: LedgerSeal?, _ recorder: (any LedgerRecorder)?,
    in tx: any SQLTransaction, if isWanted: ([LedgerOutcome]) -> Bool = { _ in true }
  ) throws -> [LedgerOutcome] {
    let store = LedgerStore(tx)
    var batch = try store.load(orders, at: LedgerTime(world.now()), under: seal)
    let outcomes = orders.map { batch.carryOut($0) }
    guard isWanted(outcomes) else { return outcomes }
    try store.write(batch)
    if !batch.events.isEmpty { try recorder?.record(batch.events, in: tx) }
    return outcomes
  }

  // MARK: Orders in a caller's transaction

  /// Moves money together with whatever else the transaction does. Waits for others that use the same accounts; one that
  /// sees a moment of its own may have to run again.
  package func transfer(
    _ order: TransferOrder, note: Data? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerTransfer> {
    try carryOut(.transfer(.init(world), order, note, by: nil), in: tx).transfer
  }

  /// Moves money by many orders, one after the other, with a few statements for all of them. What is declined or
  /// refused stops none of the others.
  /// - Parameter note: as `transfer` takes it.
  /// - Returns: of each its answer, and whether the books keep it since this call and not since an earlier one.
  package func transfer(
    _ orders: [(order: TransferOrder, note: Data?)], in tx: any SQLTransaction
  ) throws -> [(answer: LedgerAnswer<LedgerTransfer>, isNew: Bool)] {
    let ids = orders.map { _ in LedgerTransfer.ID(world) }
    let asked = zip(orders, ids).map { LedgerOrder.transfer($1, $0.order, $0.note, by: nil) }
    return zip(try Self.carryOut(asked, world, seal, recorder, in: tx), ids).map { outcome, id in
      switch outcome.transfer {
      case .done(let kept), .declined(let kept, _): (outcome.transfer, kept.id == id)
      case .refused: (outcome.transfer, false)
      }
    }
  }

  package func hold(
    _ order: HoldOrder, note: Data? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerHold> { try carryOut(.hold(.init(world), order, note), in: tx).hold }

  package func settle(
    _ order: SettlementOrder, note: Data? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerTransfer> { try carryOut(.settle(.init(world), order, note), in: tx).transfer }

  package func release(
    _ id: LedgerHold.ID, tenant: String, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerHold> { try carryOut(.release(id, tenant: tenant), in: tx).hold }

  /// Moves money unless something declines it: then nothing is written, and no one is told.
  package func transferUnlessDeclined(
    _ order: TransferOrder, note: Data? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerTransfer> {
    try Self.carryOut(
      [.transfer(.init(world), order, note, by: nil)], world, seal, recorder, in: tx,
      if: { if case .done = $0[0].transfer { true } else { false } })[0].transfer
  }

  /// Holds another amount in place of what is held, more or less. Unless that is done the former hold stays, and
  /// nothing is written.
  /// - Parameter order: on the same account, under a key of its own.
  package func replace(
    _ hold: LedgerHold.ID, by order: HoldOrder, note: Data? = nil, in tx: any SQLTransaction
  ) throws -> LedgerAnswer<LedgerHold> {
    let outcomes = try Self.carryOut(
      [.release(hold, tenant: order.tenant), .hold(.init(world), order, note)], world, seal, recorder, in: tx,
      if: { outcomes in
        guard case .done = outcomes[0].hold, case .done = outcomes[1].hold else { return false }
        return true
      })
    if case .refused(let refusal) = outcomes[0].hold { return .refused(refusal) }
    return outcomes[1].hold
  }

  private func carryOut(_ order: LedgerOrder, in tx: any SQLTransaction) throws -> LedgerOutcome {
    try Self.carryOut([order], world, seal, recorder, in: tx)[0]
  }

  /// Ends holds whose time is over.
  /// - Returns: how many.
  @discardableResult
  package func sweepHolds() async throws -> Int {
    // A release is decided on its hold, whose row is locked: what else is booked on the accounts meanwhile is no reason
    // to begin anew.
    try await database.sweep(batch: Self.holdsOfSweep, isolation: .readCommitted) { [self] tx, limit in
      let overdue = try LedgerStore(tx).overdueHolds(at: world.now(), limit: limit)
      guard !overdue.isEmpty else { return 0 }
      _ = try Self.carryOut(overdue.map { .release($0.id, tenant: $0.order.tenant) }, world, seal, recorder, in: tx)
      return overdue.count
    }
  }

  /// Whether both engines can store a text, and it is no longer than `textMax`.
  static func isKept(_ text: String) -> Bool { (1...textMax).contains(text.utf8.count) && !text.holdsNUL }

  private static func isKept(_ texts: [String]) -> Bool { texts.allSatisfy { isKept($0) } }
}

/// Records what the ledger does in rows of another module.
package protocol LedgerRecorder: Sendable {
  /// Called with what just happened, inside its transaction: whatever it writes is there when the transfer is.
  func record(_ events: [LedgerEvent], in tx: any SQLTransaction) throws
}

/// One thing that the books did, with what its accounts were right after it. Events of one account come in the order of
/// their times.
package struct LedgerEvent: Sendable {
  package enum Action: Sendable, Hashable {
    /// Money moved, or was declined.
    case transfer(LedgerTransfer)
    /// Money is held back, or was declined.
    case hold(LedgerHold)
    /// A hold was given back, by its caller or by time.
    case release(LedgerHold)
  }

  /// An account right after the event.
  package struct Balance: Sendable, Hashable {
    package let id: LedgerAccount.ID
    package let kind: LedgerProduct.Kind
    package let actual: Int64
    package let held: Int64

    package var available: Int64 { actual - held }
  }

  package let action: Action
  /// Whose balance goes down, or would.
  package let debit: Balance
  package let credit: Balance
  /// What the caller passed with the order, in an encoding of its own: the ledger does not store it.
  package let note: Data?
}
