import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// What a bank's own systems book (finaptic §3.9): credits, debits, corrections, reversals and holds. The caller's key is
/// the books' key, so that the same posting is booked once for ever. No single one is more than the tenant's limit.
package struct Postings: Sendable {
  private static let referenceMax = 35
  /// Payments by card and Interac go back on their own ways, which count what went back.
  private static let reversible: [BankTransaction.Kind] = [
    .transfer, .deposit, .withdrawal, .correction, .interest, .fee,
  ]

  let core: CoreDependencies
  let ledger: Ledger

  // MARK: Booking

  /// - Parameters:
  ///   - key: of the caller and the call.
  ///   - client: whose limit counts, as in the audit log.
  /// - Throws: `Problem` validation; not found; forbidden `over-limit`; conflict. A posting that is declined is an answer.
  func post(
    _ asked: PostingBodies.Posting, key: String, of tenant: FinapticTenant, by client: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Outcome {
    guard let purpose = PostingPurpose(rawValue: asked.purpose) else {
      let words = PostingPurpose.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem.validation([.init("/purpose", "unknown", "One of \(words).")])
    }
    let reason = try PostingReason(given: asked.reason)
    let reference = try Self.reference(asked.reference)
    let amount = try amount(asked.amount, of: tenant, in: tx)
    let account = try account(asked.account_id, of: tenant, in: tx)
    let own = InternalAccounts.account(purpose.own, tenant: tenant.id)
    let order = TransferOrder(
      purpose.kind, tenant: tenant.id, key: "post \(key)", debit: purpose.isCredit ? own : account.id,
      credit: purpose.isCredit ? account.id : own, amount: amount)
    let note = try reference.map { try BankTransaction.Particulars(clearingReference: $0).note }
    return try book(
      order, note, "posting.booked", ["purpose": purpose.rawValue, "reason": reason.rawValue], on: account.id,
      of: tenant, by: client, in: tx)
  }

  /// Books the opposite of a transfer, once for ever, whoever asks. A try that is declined stands for its key alone:
  /// with another key it is tried anew.
  /// - Parameters:
  ///   - id: of a transfer on an account of the tenant.
  ///   - key: of the caller and the call.
  /// - Throws: `Problem` not found; validation; conflict `not-reversible` for what was declined, is no transfer between
  ///   accounts, deposit or booking of the bank, or is between the bank's own accounts; forbidden `over-limit`.
  func reverse(
    _ id: String, _ asked: PostingBodies.Reason, key: String, of tenant: FinapticTenant, by client: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Outcome {
    let (reason, store) = (try PostingReason(given: asked.reason), LedgerStore(tx))
    let name = BankAccount.ledgerTenant(tenant.id)
    guard let former = try store.transfer(.init(rawValue: id)), former.order.tenant == name else {
      throw Problem.notFound
    }
    let accounts = try [former.order.credit, former.order.debit].compactMap {
      try AccountStore(tx).find($0, tenant: tenant.id)
    }
    guard former.declined == nil, former.order.hold == nil, Self.reversible.map(\.rawValue).contains(former.order.kind),
      let account = accounts.first
    else { throw Problem(.conflict, "not-reversible", "Nothing was booked that could be reversed.") }
    try Self.check(former.order.amount, of: tenant, in: tx)
    try store.lock([former.order.debit, former.order.credit])
    // In the release before, the prefix was the whole key.
    let prefix = "reverse \(former.id)"
    if let booked = try store.booked(lifecycle: former.lifecycle, keyPrefix: prefix) {
      return try PostingBodies.Outcome(.done(booked))
    }
    let order = TransferOrder(
      .reversal, tenant: tenant.id, key: "\(prefix) \(key)", debit: former.order.credit, credit: former.order.debit,
      amount: former.order.amount, lifecycle: former.lifecycle)
    return try book(
      order, nil, "posting.reversed", ["reverses": former.id.rawValue, "reason": reason.rawValue], on: account.id,
      of: tenant, by: client, in: tx)
  }

  private func book(
    _ order: TransferOrder, _ note: Data?, _ action: String, _ facts: [String: String], on account: BankAccount.ID,
    of tenant: FinapticTenant, by client: String, in tx: any SQLTransaction
  ) throws -> PostingBodies.Outcome {
    try LedgerStore(tx).lock([order.debit, order.credit])
    let isNew = try LedgerStore(tx).transfer(under: order.key, of: order.tenant) == nil
    let answer = try ledger.transfer(order, note: note, in: tx)
    let outcome = try PostingBodies.Outcome(answer)
    if isNew {
      let all = facts.merging(["transfer": outcome.transaction_id, "status": outcome.status]) { $1 }
      try core.note(action, "account-\(account)", by: client, all, in: tx)
    }
    return outcome
  }

  // MARK: Holding

  /// - Throws: as `post`.
  func hold(
    _ asked: PostingBodies.Hold, key: String, of tenant: FinapticTenant, by client: String, in tx: any SQLTransaction
  ) throws -> PostingBodies.Outcome {
    let reason = try PostingReason(given: asked.reason)
    let amount = try amount(asked.amount, of: tenant, in: tx)
    let account = try account(asked.account_id, of: tenant, in: tx)
    let end = try asked.expires_at.map { text in
      guard let end = Instant(rfc3339: text), end > core.world.now() else {
        throw Problem.validation([.init("/expires_at", "range", "An instant that is to come.")])
      }
      return end
    }
    let own = InternalAccounts.account(.cash, tenant: tenant.id)
    let order = TransferOrder(
      .withdrawal, tenant: tenant.id, key: "post \(key)", debit: account.id, credit: own, amount: amount)
    try LedgerStore(tx).lock([account.id, own])
    let isNew = try LedgerStore(tx).hold(under: order.key, of: order.tenant) == nil
    let outcome = try PostingBodies.Outcome(ledger.hold(HoldOrder(order, until: end), in: tx))
    guard isNew else { return outcome }
    try core.note(
      "posting.held", "account-\(account.id)", by: client,
      ["reason": reason.rawValue, "hold": outcome.transaction_id, "status": outcome.status], in: tx)
    return outcome
  }

  /// Gives back what a posting held; a hold of a card's payment is the network's.
  /// - Throws: `Problem` not found; validation; conflict `hold-ended`.
  func release(
    _ id: String, _ asked: PostingBodies.Reason, of tenant: FinapticTenant, by client: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Outcome {
    let (reason, name) = (try PostingReason(given: asked.reason), BankAccount.ledgerTenant(tenant.id))
    guard let hold = try LedgerStore(tx).hold(.init(rawValue: id)), hold.order.tenant == name,
      hold.order.key.hasPrefix("post ")
    else { throw Problem.notFound }
    let outcome = try PostingBodies.Outcome(ledger.release(hold.id, tenant: name, in: tx))
    if hold.state == .open {
      try core.note(
        "posting.released", "account-\(hold.order.account)", by: client,
        ["reason": reason.rawValue, "hold": hold.id.rawValue], in: tx)
    }
    return outcome
  }

  // MARK: Limits

  /// The most that one posting of a tenant may move, in minor units.
  /// - Throws: `Problem` not found; validation.
  package func setLimit(_ minorUnits: Int64, of tenant: Int, by actor: String) async throws {
    guard minorUnits >= 0 else { throw Problem.validation([.init("/limit", "range", "0 or more.")]) }
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
      try PostingPolicyStore(tx).setLimit(minorUnits, of: tenant)
      try core.note("tenant.postingLimit", "tenant-\(tenant)", by: actor, ["limit": "\(minorUnits)"], in: tx)
    }
  }

  /// - Throws: `Problem` forbidden `over-limit`.
  static func check(_ amount: Money, of tenant: FinapticTenant, in tx: any SQLTransaction) throws {
    guard try amount.minorUnits <= PostingPolicyStore(tx).limit(of: tenant.id) else {
      throw Problem(.forbidden, "over-limit", "This is more than one posting of this tenant may move.")
    }
  }

  // MARK: Reading what is asked

  private func amount(
    _ asked: FinapticAPI.Amount, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> Money {
    guard asked.currency == InternalAccounts.currency,
      let amount = Money(decimal: asked.amount, currency: asked.currency), amount.minorUnits > 0
    else {
      throw Problem.validation([
        .init("/amount", "range", "More than 0, at most two decimals, in \(InternalAccounts.currency).")
      ])
    }
    try Self.check(amount, of: tenant, in: tx)
    return amount
  }

  private func account(
    _ name: String, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> BankAccount {
    guard UUID(uuidString: name) != nil,
      let account = try AccountStore(tx).find(.init(rawValue: name.lowercased()), tenant: tenant.id)
    else { throw Problem.validation([.init("/account_id", "unknown", "An account of the tenant.")]) }
    return account
  }

  /// As ISO 20022 limits references: Max35Text.
  private static func reference(_ text: String?) throws -> String? {
    guard let text else { return nil }
    guard (1...referenceMax).contains(text.count), text.allSatisfy({ $0.isASCII && !$0.isNewline && $0 >= " " }) else {
      throw Problem.validation([.init("/reference", "format", "1 to \(referenceMax) ASCII characters.")])
    }
    return text
  }
}

/// Rows of `finaptic_posting_policy`.
package struct PostingPolicyStore {
  /// 10 000.00, until an operator says otherwise.
  static let standard: Int64 = 1_000_000
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-26 finaptic posting policy",
    """
    CREATE TABLE finaptic_posting_policy (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      amount_max BIGINT NOT NULL CHECK (amount_max >= 0)
    );
    """)

  func limit(of tenant: Int) throws -> Int64 {
    try tx.first("SELECT amount_max FROM finaptic_posting_policy WHERE tenant_id = \(tenant)")?.get("amount_max")
      ?? Self.standard
  }

  func setLimit(_ minorUnits: Int64, of tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_posting_policy (tenant_id, amount_max) VALUES (\(tenant), \(minorUnits))
      ON CONFLICT (tenant_id) DO UPDATE SET amount_max = excluded.amount_max
      """)
  }
}
