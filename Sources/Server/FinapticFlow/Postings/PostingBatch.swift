// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

extension PostingBodies {
  /// Many postings for one purpose and reason.
  struct Batch: Decodable, Sendable {
    struct Order: Decodable, Sendable {
      /// A UUID, as the `Idempotency-Key` of a posting that is sent by itself.
      let key: String
      let account_id: String
      let amount: FinapticAPI.Amount
      let reference: String?
    }

    let purpose: String
    let reason: String
    let orders: [Order]
  }

  enum BatchAnswer: Sendable {
    case results(Results)
    /// Nothing is booked yet: the same call books them once the second person has agreed.
    case waiting(Waiting)
  }

  /// What became of each order, in the order in which they were sent.
  struct Results: Encodable, Sendable { let results: [BatchResult] }

  struct BatchResult: Encodable, Sendable {
    let key: String
    /// BOOKED, DECLINED or REFUSED. What is refused is kept nowhere.
    let status: String
    var transaction_id: String?
    /// A word of the books for what was declined.
    var declined: String?
    /// The code of a problem for what was refused.
    var problem: String?
  }
}

extension Postings {
  /// Postings of one call.
  static let ordersMax = 1000

  /// A call as the books take it.
  struct Batch: Sendable {
    let asked: PostingBodies.Batch
    let purpose: PostingPurpose
    let reason: PostingReason
    /// The problem of an order that cannot be read.
    let orders: [Result<Order, any Error>]

    struct Order: Sendable {
      let order: TransferOrder
      let note: Data?
    }
  }

  /// Reads a call before its transaction, so that other calls can book meanwhile.
  /// - Parameter client: whose keys they are.
  /// - Throws: `Problem` validation.
  func batch(_ asked: PostingBodies.Batch, of client: String, _ tenant: FinapticTenant) throws -> Batch {
    let (purpose, reason) = (try PostingPurpose(given: asked.purpose), try PostingReason(given: asked.reason))
    guard (1...Self.ordersMax).contains(asked.orders.count) else {
      throw Problem.validation([.init("/orders", "range", "1 to \(Self.ordersMax) orders.")])
    }
    let (own, books) = (InternalAccounts.account(purpose.own, tenant: tenant.id), BankAccount.ledgerTenant(tenant.id))
    return Batch(
      asked: asked, purpose: purpose, reason: reason,
      orders: asked.orders.map { order in
        Result {
          // The bank's own accounts have other names.
          guard let key = order.key.canonicalUUID, let account = order.account_id.canonicalUUID else {
            throw Problem.validation([.init("/orders", "malformed", "Keys and accounts are UUIDs.")])
          }
          return Batch.Order(
            order: purpose.order(
              of: try amount(order.amount), on: .init(rawValue: account), beside: own, books: books,
              key: "post \(client) \(key)"),
            note: try Self.reference(order.reference).map {
              try BankTransaction.Particulars(clearingReference: $0).note
            })
        }
      })
  }

  /// Books many postings in one transaction. Each has its own key, the same as by itself, and its own answer: none that
  /// is declined or refused stops another. One that takes a second person by itself is refused. Where all together are
  /// more than the tenant lets one move, the whole call waits for a second person.
  /// - Parameter actor: who books, as in the audit log.
  /// - Throws: `Problem` forbidden `over-limit` when all of them together are more than the caller may book
  ///   on one day: then none is booked; those of `FourEyesGate.key` and `.pass`.
  func post(
    _ batch: Batch, _ tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws -> PostingBodies.BatchAnswer {
    let (asked, purpose) = (batch.asked, batch.purpose)
    let judge = try Judge(batch.orders.compactMap { try? $0.get().order }, purpose, tenant, by: actor, core, in: tx)
    var admitted: [(order: TransferOrder, note: Data?)] = []
    // The problem of each order; nil for those that go to the books.
    let problems = try batch.orders.map { order -> Problem? in
      do {
        let posting = try order.get()
        try judge.admit(posting.order, in: tx)
        admitted.append((posting.order, posting.note))
        return nil
      } catch let problem as Problem { return problem }
    }
    if let waiting = try waits(admitted.map(\.order), asked, tenant, by: actor, in: tx) {
      return .waiting(waiting)
    }
    let booked = try ledger.transfer(admitted, in: tx)
    try note(booked, purpose, batch.reason, tenant, by: actor, in: tx)
    var answers = booked.makeIterator()
    return .results(
      .init(
        results: try zip(asked.orders, problems).map { order, problem in
          if let problem { return .init(key: order.key, status: "REFUSED", problem: problem.code) }
          guard let next = answers.next() else { throw Problem.unexpected }
          return .init(order.key, next.answer)
        }))
  }

  /// Asks for a second person where what is new of the orders is together more than the tenant lets one move.
  /// - Returns: nil when they may be booked now.
  private func waits(
    _ orders: [TransferOrder], _ asked: PostingBodies.Batch, _ tenant: FinapticTenant, by actor: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Waiting? {
    let policy = try FourEyesPolicyStore(tx).policy(of: tenant)
    // Of several under one key, whichever the books take.
    let amounts = Dictionary(orders.map { ($0.key, $0.amount.minorUnits) }) { max($0, $1) }
    let all = try Self.sum(Array(amounts.values))
    guard policy.demandsSecond(for: all.minorUnits, in: all.currency) else { return nil }
    let known = try LedgerStore(tx).known(among: orders)
    let new = try Self.sum(amounts.filter { !known.contains($0.key) }.map(\.value))
    guard policy.demandsSecond(for: new.minorUnits, in: new.currency) else { return nil }
    // A second person is not asked for what could not be booked anyway.
    let day = try PostingLimitStore(tx).limit(of: actor, in: new.currency, tenant: tenant.id)?.day
    guard new.minorUnits <= day ?? .max else { throw PostingLimit.exceeded }
    // A batch has no key of its own: the same call finds what it asked for, and asks anew for what was refused, has
    // expired or is another sum now.
    let parts =
      [asked.purpose, asked.reason]
      + asked.orders.flatMap {
        [$0.key, $0.account_id, $0.amount.amount, $0.amount.currency, $0.reference.map { "=\($0)" } ?? ""]
      }
    let digest = core.vault.digest(
      parts.map { "\($0.utf8.count):\($0)" }.joined(), for: "finaptic posting batch")
    let act = FourEyesGate.ProposedAct(
      action: .batch, subject: String(digest.prefix(32)), version: 0,
      request: "\(asked.orders.count) orders; sum \(all.decimal) \(all.currency); purpose \(asked.purpose); "
        + "reason \(asked.reason)", chain: "tenant-\(tenant.id)")
    let gate = FourEyesGate(core: core)
    let key = try gate.key(.desk, of: act, tenant: tenant, by: actor, in: tx)
    switch try gate.pass(act, key: key, of: tenant, by: actor, in: tx) {
    case .waiting(let approval): return .init(approval)
    case .open: return nil
    case .done: throw FourEyesGate.alreadyUsed
    }
  }

  /// - Throws: `Problem` forbidden `over-limit` for more than an amount can be.
  private static func sum(_ amounts: [Int64]) throws -> Money {
    var sum: Int64 = 0
    for amount in amounts {
      let (next, overflows) = sum.addingReportingOverflow(amount)
      guard !overflows else { throw PostingLimit.exceeded }
      sum = next
    }
    return Money(sum, InternalAccounts.currency)
  }

  /// One line names every transfer that is new, as a posting by itself has a line of its own.
  private func note(
    _ answers: [(answer: LedgerAnswer<LedgerTransfer>, isNew: Bool)], _ purpose: PostingPurpose,
    _ reason: PostingReason, _ tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws {
    let new = answers.filter(\.isNew)
    guard !new.isEmpty else { return }
    let booked = new.compactMap { if case .done(let transfer) = $0.answer { transfer } else { nil } }
    let declined = new.compactMap { if case .declined(let transfer, _) = $0.answer { transfer } else { nil } }
    let sum = try Self.sum(booked.map(\.order.amount.minorUnits))
    if sum.minorUnits > 0 {
      try PostingLimitStore(tx).count(sum, by: actor, tenant: tenant.id, on: Ledger.day(of: core.world.now()))
    }
    var facts = ["purpose": purpose.rawValue, "reason": reason.rawValue]
    facts["booked"] = booked.map(\.id.rawValue).joined(separator: " ")
    facts["declined"] = declined.map(\.id.rawValue).joined(separator: " ")
    try core.note("posting.batch", "tenant-\(tenant.id)", by: actor, facts, in: tx)
  }

  /// What lets an order of many through to the books.
  private struct Judge {
    private let limit: PostingLimit?
    private let policy: FourEyesPolicy
    private let purpose: PostingPurpose
    private let scheduled: Set<String>
    private let accounts: Set<BankAccount.ID>

    init(
      _ orders: [TransferOrder], _ purpose: PostingPurpose, _ tenant: FinapticTenant, by actor: String,
      _ core: CoreDependencies, in tx: any SQLTransaction
    ) throws {
      limit = try PostingLimitStore(tx).limit(of: actor, in: InternalAccounts.currency, tenant: tenant.id)
      policy = try FourEyesPolicyStore(tx).policy(of: tenant)
      self.purpose = purpose
      scheduled = try ScheduledPostingStore(tx, vault: core.vault).known(orders.map(\.key), of: tenant.id)
      // Before the books lock them, so that a client cannot delay bookings of another tenant.
      accounts = try LedgerStore(tx).customers(
        among: Set(orders.map { purpose.account(of: $0) }), of: BankAccount.ledgerTenant(tenant.id))
    }

    /// - Throws: `Problem` for what is refused.
    func admit(_ order: TransferOrder, in tx: any SQLTransaction) throws {
      guard accounts.contains(purpose.account(of: order)) else { throw PostingBodies.BatchResult.unknownAccount }
      if scheduled.contains(order.key) { throw Problem(posting: .keyReused) }
      // What is in the books already is answered, whatever the bounds have become since.
      guard let problem = problem(order.amount),
        try LedgerStore(tx).transfer(under: order.key, of: order.tenant) == nil
      else { return }
      throw problem
    }

    private func problem(_ amount: Money) -> Problem? {
      if amount.minorUnits > min(limit?.posting ?? .max, limit?.day ?? .max) { return PostingLimit.exceeded }
      let isDemanded = purpose.own == .interest && policy.demands(.interest)
      guard isDemanded || policy.demandsSecond(for: amount.minorUnits, in: amount.currency) else { return nil }
      return Problem(.conflict, "second-person-needed", "A second person agrees to one posting that is sent by itself.")
    }
  }
}

extension PostingPurpose {
  /// The customer's account of an order for this purpose.
  fileprivate func account(of order: TransferOrder) -> BankAccount.ID { isCredit ? order.credit : order.debit }
}

extension PostingBodies.BatchResult {
  fileprivate static let unknownAccount = Problem(.notFound, "unknown-account", "An account of the tenant.")

  fileprivate init(_ key: String, _ answer: LedgerAnswer<LedgerTransfer>) {
    switch answer {
    case .done(let transfer): self.init(key: key, status: "BOOKED", transaction_id: transfer.id.rawValue)
    case .declined(let transfer, let reason):
      self.init(key: key, status: "DECLINED", transaction_id: transfer.id.rawValue, declined: reason.rawValue)
    case .refused(let refusal): self.init(key: key, status: "REFUSED", problem: Problem(posting: refusal).code)
    }
  }
}
