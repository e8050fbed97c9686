import Kit
import Ledger
import Storage

/// What a tenant's kinds of account cost and bring, managed by operators. They count from the day on
/// which they are set.
package struct AccountTerms: Sendable {
  let core: CoreDependencies
  let ledger: Ledger
  let tenants: FinapticTenants

  /// Customers' products, by their codes.
  /// - Throws: `Problem` not found.
  package func list(of tenant: Int) async throws -> [LedgerProduct] {
    _ = try await tenants.find(tenant)
    return try await core.database.read { tx in
      try LedgerStore(tx).products(tenant: BankAccount.ledgerTenant(tenant)).filter { $0.kind == .customer }
    }
  }

  /// - Parameters:
  ///   - yearlyInterest: in millionths of the balance; nil leaves it.
  ///   - monthlyFee: in minor units; nil leaves it.
  ///   - approval: the id of a second person's approval of it; nil asks for one where the tenant demands it.
  /// - Returns: what is waited for; nil when the terms are set.
  /// - Throws: `Problem` not found; validation; those of `FourEyesGate.pass`.
  @discardableResult
  package func set(
    _ code: String, of tenant: Int, yearlyInterest: Int64?, monthlyFee: Int64?, approval: String? = nil,
    by actor: String
  ) async throws -> AskedApproval? {
    let found = try await tenants.find(tenant)
    return try await core.database.write(retrying: .outdated) { [core, ledger] tx in
      let name = BankAccount.ledgerTenant(tenant)
      guard let known = try LedgerStore(tx).product(code, tenant: name), known.kind == .customer else {
        throw Problem.notFound
      }
      let terms = LedgerProduct(
        tenant: name, code: code, kind: .customer, currency: known.currency, availableMin: known.availableMin,
        yearlyInterestMillionths: yearlyInterest ?? known.yearlyInterestMillionths,
        monthlyFee: monthlyFee ?? known.monthlyFee)
      let gate = FourEyesGate(core: core)
      let asked = FourEyesGate.Asked(
        action: .terms, subject: "\(name)/\(code)", version: 0, request: Self.words(terms),
        standing: "before \(Self.words(known))", chain: "tenant-\(tenant)")
      let passage = try gate.pass(
        asked, if: FourEyesPolicyStore(tx).policy(of: found).demands(.terms),
        key: gate.key(ofCommand: approval, tenant: found, in: tx), of: found, by: actor, in: tx)
      switch passage {
      case .waiting(let approval): return approval
      case .done: throw FourEyesGate.alreadyUsed
      case .open: break
      }
      try ledger.put(terms, in: tx)
      try core.note(
        "terms.set", "tenant-\(tenant)", by: actor,
        [
          "product": code, "interest": "\(terms.yearlyInterestMillionths)", "fee": "\(terms.monthlyFee)",
        ], in: tx)
      return nil
    }
  }

  private static func words(_ terms: LedgerProduct) -> String {
    let fee = Money(terms.monthlyFee, terms.currency)
    return "interest \(terms.yearlyInterestMillionths) millionths a year, fee \(fee.decimal) \(fee.currency) a month"
  }
}
