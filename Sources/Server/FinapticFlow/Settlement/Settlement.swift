import Foundation
import Kit
import Ledger
import Payments
import ReferenceData
import Storage

/// The accounts at other banks over which a tenant settles, and the money of which the owner is not known.
package struct Settlement: Sendable {
  /// Items of one list.
  package static let listMax = 500

  let core: CoreDependencies
  let ledger: Ledger

  // MARK: Accounts

  /// Names the account at another bank over which a tenant settles a currency, and makes the bank's own accounts.
  /// - Parameters:
  ///   - number: as the statements of the other bank write it, up to 34 characters.
  ///   - bic: of the tenant (ISO 9362).
  /// - Throws: `Problem` not found; validation.
  package func set(
    _ number: String, currency: String, bic: String, of tenant: Int, by actor: String
  ) async throws {
    guard (1...34).contains(number.unicodeScalars.count), number.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.validation([.init("/account", "length", "1 to 34 characters.")])
    }
    guard Currency.with(code: currency) != nil else {
      throw Problem.validation([.init("/currency", "unknown", "A currency of ISO 4217.")])
    }
    guard let bic = BIC(bic) else { throw Problem.validation([.init("/bic", "format", "A BIC of ISO 9362.")]) }
    let account = SettlementAccount(tenant: tenant, currency: currency, number: number, bic: bic.text)
    try await core.database.write(retrying: .outdated) { [core, ledger] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
      let name = BankAccount.ledgerTenant(tenant)
      for (id, word) in [(account.ledger, "settlement"), (account.suspense, "suspense")] {
        let product = "house.\(word).\(currency)"
        if try LedgerStore(tx).product(product, tenant: name) == nil {
          try ledger.put(
            .init(tenant: name, code: product, kind: .house, currency: currency, availableMin: nil), in: tx)
        }
        _ = try ledger.open(.init(id: id, tenant: name, product: product, name: "\(word) \(currency)"), in: tx)
      }
      try SettlementStore(tx).put(account)
      try core.note("tenant.settlement", "tenant-\(tenant)", by: actor, ["currency": currency], in: tx)
    }
  }

  package func accounts(of tenant: Int) async throws -> [SettlementAccount] {
    try await core.database.read { try SettlementStore($0).all(of: tenant) }
  }

  /// What one person moves by hand.
  /// - Throws: `Problem` forbidden `over-limit` for what the tenant lets two persons move only; not found.
  static func checkLimit(_ amount: Money, of tenant: Int, in tx: any SQLTransaction) throws {
    guard let tenant = try TenantStore(tx).find(tenant) else { throw Problem.notFound }
    guard try !FourEyesPolicyStore(tx).policy(of: tenant).demandsSecond(for: amount.minorUnits, in: amount.currency)
    else { throw Problem(.forbidden, "over-limit", "This is more than one person of this tenant may move.") }
  }

  static func account(_ currency: String, of tenant: Int, in tx: any SQLTransaction) throws -> SettlementAccount {
    guard let found = try SettlementStore(tx).all(of: tenant).first(where: { $0.currency == currency }) else {
      throw Problem(.unprocessable, "no-settlement-account", "The tenant does not settle in this currency.")
    }
    return found
  }

  // MARK: Money of which the owner is not known

  /// The oldest first.
  package func suspended(of tenant: Int) async throws -> [BankPayment] {
    try await core.database.read { [core] in
      try BankPaymentStore($0, vault: core.vault).suspended(tenant: tenant, limit: Self.listMax)
    }
  }

  /// Books money to the account whose it is.
  /// - Throws: `Problem` not found for payment or account; conflict `not-suspended`, `declined`; forbidden
  ///   `over-limit`.
  package func assign(
    _ id: BankPayment.ID, to account: BankAccount.ID, of tenant: Int, by actor: String
  ) async throws {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      var payment = try waiting(id, of: tenant, in: tx)
      guard let target = try AccountStore(tx).find(account, tenant: tenant) else { throw Problem.notFound }
      try Self.checkLimit(payment.amount, of: tenant, in: tx)
      let settlement = try Self.account(payment.amount.currency, of: tenant, in: tx)
      let particulars = BankTransaction.Particulars(
        counterparty: payment.content?.debtor,
        clearingReference: payment.content?.transactionID ?? payment.content?.endToEndID)
      try book(
        TransferOrder(
          .deposit, tenant: tenant, key: "bank-assign \(id) \(target.id)", debit: settlement.suspense,
          credit: target.id, amount: payment.amount), note: try particulars.note, in: tx)
      (payment.account, payment.content) = (target.id, nil)
      try core.mover.move(
        &payment, on: .assigned, of: BankPaymentMachine(vault: core.vault), by: actor,
        facts: ["account": target.id.rawValue], in: tx)
    }
  }

  /// Sends money back to the bank that it came from: a pacs.004 is owed from then on.
  /// - Parameter reason: nil for the one that says why it was suspended.
  /// - Throws: `Problem` not found; conflict `not-suspended`; forbidden `over-limit`.
  package func sendBack(
    _ id: BankPayment.ID, reason: ReturnReason?, of tenant: Int, by actor: String
  ) async throws {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      var payment = try waiting(id, of: tenant, in: tx)
      try Self.checkLimit(payment.amount, of: tenant, in: tx)
      let settlement = try Self.account(payment.amount.currency, of: tenant, in: tx)
      try book(
        TransferOrder(
          .reversal, tenant: tenant, key: "bank-return \(id)", debit: settlement.suspense, credit: settlement.ledger,
          amount: payment.amount), note: nil, in: tx)
      let code = reason ?? payment.suspense?.returnReason ?? .notSpecifiedByAgent
      (payment.returnReason, payment.owesFile) = (code.rawValue, true)
      try core.mover.move(
        &payment, on: .sentBack, of: BankPaymentMachine(vault: core.vault), by: actor,
        facts: ["reason": code.rawValue], in: tx)
    }
  }

  private func waiting(
    _ id: BankPayment.ID, of tenant: Int, in tx: any SQLTransaction
  ) throws -> BankPayment {
    guard let payment = try BankPaymentStore(tx, vault: core.vault).find(id, tenant: tenant) else {
      throw Problem.notFound
    }
    guard payment.state == .suspended else {
      throw Problem(.conflict, "not-suspended", "The money of this payment does not wait any more.")
    }
    return payment
  }

  private func book(_ order: TransferOrder, note: Data?, in tx: any SQLTransaction) throws {
    try LedgerStore(tx).lock([order.debit, order.credit])
    switch try ledger.transfer(order, note: note, in: tx) {
    case .done: return
    case .declined: throw Problem(.conflict, "declined", "The account does not take the money.")
    case .refused(let refusal): throw Problem(posting: refusal)
    }
  }
}
