// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// What a person decides about money on the suspense account for cards.
package struct CardSuspenseService: Sendable {
  static let listMax = 500

  let core: CoreDependencies
  let settlement: CardSettlement

  /// The oldest first.
  package func waiting(of tenant: Int) async throws -> [CardSuspense] {
    try await core.database.read { try CardSuspenseStore($0).waiting(of: tenant, limit: Self.listMax) }
  }

  /// One that a person looks at, which the audit keeps.
  /// - Throws: `Problem` not found.
  package func look(_ id: CardSuspense.ID, of tenant: Int, by actor: String) async throws -> CardSuspense {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let found = try CardSuspenseStore(tx).find(id, tenant: tenant) else { throw Problem.missing(.cardMessage) }
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try core.note("cardSuspense.seen", "card-suspense-\(id)", by: actor, ["why": why], in: tx)
      return found
    }
  }

  /// Takes what the bank paid for the customer from an account, or gives an account what is the customer's.
  /// - Parameters:
  ///   - account: nil for the card's.
  ///   - key: by which a second person is asked where the tenant demands it.
  /// - Returns: what is waited for; nil when it is booked.
  /// - Throws: `Problem` not found; conflict `not-suspended`, `declined`; those of `Settlement.pass`.
  package func resolve(
    _ id: CardSuspense.ID, on account: BankAccount.ID? = nil, of tenant: Int,
    under key: ActKey = .command(approval: nil), by actor: String
  ) async throws -> RequestedApproval? {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      guard let found = try TenantStore(tx).find(tenant),
        let seen = try CardSuspenseStore(tx).find(id, tenant: tenant),
        let target = try AccountStore(tx).find(account ?? seen.account, tenant: tenant)
      else { throw Problem.notFound }
      // The payment's row before the accounts', as messages of the issuer take them.
      let payment = try seen.payment.flatMap { try CardPaymentStore(tx, vault: core.vault).take($0) }
      try settlement.lock(target.id, of: tenant, in: tx)
      guard var item = try CardSuspenseStore(tx).find(id, tenant: tenant) else { throw Problem.missing(.cardMessage) }
      guard cardSuspenseFlow.allows(.resolved, from: item.state) else {
        throw CardSuspenseMachine().refusal(of: .resolved, in: item.state)
      }
      let asked = FourEyesGate.ProposedAct(
        action: .settleCard, subject: item.id.rawValue, version: item.version,
        request: Self.words(item, on: target.id), person: try target.keyHolder(in: tx),
        chain: "card-suspense-\(item.id)")
      let key = try FourEyesGate(core: core).key(key, of: asked, tenant: found, by: actor, in: tx)
      if let waiting = try Settlement.pass(asked, moving: item.money, key: key, of: found, by: actor, core, in: tx) {
        return waiting
      }
      let order = CardSettlement.Order(
        key: "card-suspense \(item.id)", tenant: tenant, account: target.id, payment: item.payment, amount: item.money,
        lifecycle: payment?.lifecycle,
        // Where the customer shopped is told to the people of the card's account only.
        note: target.id == item.account ? try payment?.particulars.note : nil)
      let isDone =
        item.direction == .owed
        ? try settlement.transfer(order, .purchase, order.account, order.suspense, in: tx)
        : try settlement.transfer(order, .refund, order.suspense, order.account, in: tx)
      guard isDone != nil else { throw Problem(.conflict, "declined", "The account does not book this.") }
      try core.mover.move(
        &item, on: .resolved, of: CardSuspenseMachine(), by: actor, facts: ["account": target.id.rawValue], in: tx)
      return nil
    }
  }

  // MARK: Writing off

  /// Gives up what the bank paid for a customer, or keeps what no customer can be given: it is booked against the bank's
  /// fees, once for ever. Takes a second person, whatever it moves.
  /// - Parameter key: by which the second person is asked.
  /// - Throws: `Problem` not found; conflict `not-suspended`; those of `Settlement.pass`.
  func writeOff(
    _ id: CardSuspense.ID, because reason: PostingReason, under key: ActKey, of tenant: FinapticTenant,
    by actor: String,
    in tx: any SQLTransaction
  ) throws -> PostingBodies.Answer {
    let (suspense, fees) = (CardSuspense.ledger(tenant.id), InternalAccounts.account(.fees, tenant: tenant.id))
    guard try CardSuspenseStore(tx).find(id, tenant: tenant.id) != nil else { throw Problem.missing(.cardMessage) }
    try LedgerStore(tx).lock([suspense, fees])
    guard var item = try CardSuspenseStore(tx).find(id, tenant: tenant.id) else { throw Problem.missing(.cardMessage) }
    let isOwed = item.direction == .owed
    let order = TransferOrder(
      .correction, tenant: tenant.id, key: "card-suspense write-off \(item.id)", debit: isOwed ? fees : suspense,
      credit: isOwed ? suspense : fees, amount: item.money)
    guard try LedgerStore(tx).transfer(under: order.key, of: order.tenant) == nil else {
      return .outcome(try PostingBodies.Outcome(settlement.ledger.transfer(order, in: tx)))
    }
    guard cardSuspenseFlow.allows(.writtenOff, from: item.state) else {
      throw CardSuspenseMachine().refusal(of: .writtenOff, in: item.state)
    }
    let asked = FourEyesGate.ProposedAct(
      action: .writeOffCard, subject: item.id.rawValue, version: item.version,
      request: "\(Self.words(item, on: item.account)); because \(reason.rawValue)",
      person: try AccountStore(tx).find(item.account, tenant: tenant.id)?.keyHolder(in: tx),
      chain: "card-suspense-\(item.id)")
    let gateKey = try FourEyesGate(core: core).key(key, of: asked, tenant: tenant, by: actor, in: tx)
    if let waiting = try Settlement.pass(
      asked, moving: item.money, isForTwo: true, key: gateKey, of: tenant, by: actor, core, in: tx)
    {
      return .waiting(.init(waiting))
    }
    let outcome = try PostingBodies.Outcome(settlement.ledger.transfer(order, in: tx))
    guard outcome.status == PostingBodies.Outcome.booked else { throw Problem.unexpected }
    item.writtenOff = isOwed ? item.amount : 0
    try core.mover.move(
      &item, on: .writtenOff, of: CardSuspenseMachine(), by: actor,
      facts: ["reason": reason.rawValue, "transfer": outcome.transaction_id], in: tx)
    return .outcome(outcome)
  }

  /// For operators and members of staff.
  /// - Parameter reason: a raw value of `PostingReason`.
  /// - Returns: what is waited for; nil when it is booked.
  /// - Throws: as above; validation.
  package func writeOff(
    _ id: CardSuspense.ID, because reason: String, of tenant: Int, under key: ActKey, by actor: String
  ) async throws -> RequestedApproval? {
    let reason = try PostingReason(given: reason)
    return try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      guard let found = try TenantStore(tx).find(tenant) else { throw Problem.missing(.tenant) }
      let answer = try writeOff(id, because: reason, under: key, of: found, by: actor, in: tx)
      guard case .waiting(let waiting) = answer else { return nil }
      return waiting.approval
    }
  }

  /// What a second person reads of the item.
  private static func words(_ item: CardSuspense, on account: BankAccount.ID) -> String {
    "amount \(item.money.decimal) \(item.money.currency); \(item.direction.rawValue); \(item.reason.rawValue); "
      + "account \(account)"
  }
}
