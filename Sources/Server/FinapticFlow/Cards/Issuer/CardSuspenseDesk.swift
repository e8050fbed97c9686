import Kit
import Ledger
import Storage

/// What a person decides about money on the suspense account for cards.
package struct CardSuspenseDesk: Sendable {
  static let listMax = 500

  let core: CoreDependencies
  let settlement: CardSettlement

  /// The oldest first.
  package func waiting(of tenant: Int) async throws -> [CardSuspense] {
    try await core.database.read { try CardSuspenseStore($0).waiting(of: tenant, limit: Self.listMax) }
  }

  /// Takes what the bank paid for the customer from an account, or gives an account what is the customer's.
  /// - Parameters:
  ///   - account: nil for the card's.
  ///   - approval: the id of a second person's approval of it; nil asks for one where the tenant demands it.
  /// - Returns: what is waited for; nil when it is booked.
  /// - Throws: `Problem` not found; conflict `not-suspended`, `declined`; those of `Settlement.pass`.
  package func resolve(
    _ id: CardSuspense.ID, on account: BankAccount.ID? = nil, of tenant: Int, approval: String? = nil,
    by actor: String
  ) async throws -> AskedApproval? {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      guard let found = try TenantStore(tx).find(tenant),
        let seen = try CardSuspenseStore(tx).find(id, tenant: tenant),
        let target = try AccountStore(tx).find(account ?? seen.account, tenant: tenant)
      else { throw Problem.notFound }
      // The payment's row before the accounts', as messages of the issuer take them.
      let payment = try seen.payment.flatMap { try CardPaymentStore(tx, vault: core.vault).take($0) }
      try settlement.lock(target.id, of: tenant, in: tx)
      guard var item = try CardSuspenseStore(tx).find(id, tenant: tenant) else { throw Problem.notFound }
      guard cardSuspenseFlow.allows(.resolved, from: item.state) else {
        throw CardSuspenseMachine().refusal(of: .resolved, in: item.state)
      }
      let asked = FourEyesGate.Asked(
        action: .settleCard, subject: item.id.rawValue, version: item.version,
        request: """
          amount \(item.money.decimal) \(item.money.currency); \(item.direction.rawValue); \(item.reason.rawValue); \
          account \(target.id)
          """, person: try target.keyHolder(in: tx), chain: "card-suspense-\(item.id)")
      let key = try FourEyesGate(core: core).key(ofCommand: approval, tenant: found, in: tx)
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
}
