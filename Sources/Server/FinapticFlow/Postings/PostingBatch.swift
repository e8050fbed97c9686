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

  /// Books many postings in one transaction. Each has its own key, the same as by itself, and its own answer: none that
  /// is declined or refused stops another. What takes a second person is refused, for that one agrees to a single
  /// posting.
  /// - Parameters:
  ///   - client: whose keys they are.
  ///   - actor: who books, as in the audit log.
  /// - Throws: `Problem` validation; forbidden `over-limit` when all of them together are more than the caller may book
  ///   on one day: then none is booked.
  func post(
    _ asked: PostingBodies.Batch, of client: String, _ tenant: FinapticTenant, by actor: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Results {
    let (purpose, reason) = (try PostingPurpose(given: asked.purpose), try PostingReason(given: asked.reason))
    guard (1...Self.ordersMax).contains(asked.orders.count) else {
      throw Problem.validation([.init("/orders", "range", "1 to \(Self.ordersMax) orders.")])
    }
    let orders = asked.orders.map { order in Result { try posting(order, purpose, of: client, tenant) } }
    let judge = try Judge(orders.compactMap { try? $0.get().order }, purpose, tenant, by: actor, core, in: tx)
    var admitted: [(order: TransferOrder, note: Data?)] = []
    // The problem of each order; nil for those that go to the books.
    let problems = try orders.map { order -> Problem? in
      do {
        let posting = try order.get()
        try judge.admit(posting.order, in: tx)
        admitted.append(posting)
        return nil
      } catch let problem as Problem { return problem }
    }
    let booked = try ledger.transfer(admitted, in: tx)
    try note(booked, purpose, reason, tenant, by: actor, in: tx)
    var answers = booked.makeIterator()
    return .init(
      results: try zip(asked.orders, problems).map { order, problem in
        if let problem { return .init(key: order.key, status: "REFUSED", problem: problem.code) }
        guard let next = answers.next() else { throw Problem.unexpected }
        return .init(order.key, next.answer)
      })
  }

  private func posting(
    _ asked: PostingBodies.Batch.Order, _ purpose: PostingPurpose, of client: String, _ tenant: FinapticTenant
  ) throws -> (order: TransferOrder, note: Data?) {
    // The bank's own accounts have other names.
    guard let key = UUID(uuidString: asked.key), let account = UUID(uuidString: asked.account_id) else {
      throw Problem.validation([.init("/orders", "malformed", "Keys and accounts are UUIDs.")])
    }
    let order = purpose.order(
      of: try amount(asked.amount), on: .init(rawValue: account.uuidString.lowercased()), tenant: tenant.id,
      key: "post \(client) \(key.uuidString.lowercased())")
    let reference = try Self.reference(asked.reference)
    return (order, try reference.map { try BankTransaction.Particulars(clearingReference: $0).note })
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
    var sum: Int64 = 0
    for transfer in booked {
      let (next, overflows) = sum.addingReportingOverflow(transfer.order.amount.minorUnits)
      guard !overflows else { throw PostingLimit.exceeded }
      sum = next
    }
    if sum > 0 {
      try PostingLimitStore(tx).count(
        Money(sum, InternalAccounts.currency), by: actor, tenant: tenant.id, on: Ledger.day(of: core.world.now()))
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
