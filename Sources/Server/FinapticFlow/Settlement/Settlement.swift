// SPDX-License-Identifier: Apache-2.0

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
  ///   - books: which kind of message tells of money that came in; nil leaves that as it is, both at first.
  ///   - ordersTo: BIC of the bank that keeps the account, where it takes payments as orders (pain.001);
  ///     nil leaves that as it is, and an empty one ends it.
  ///   - characters: what payments to other banks may have in them; nil leaves that as it is, basic Latin at first.
  /// - Throws: `Problem` not found; validation.
  package func set(
    _ number: String, currency: String, bic: String, books: BookingMessages? = nil, ordersTo: String? = nil,
    characters: MessageCharacters? = nil, of tenant: Int, by actor: String
  ) async throws {
    guard (1...34).contains(number.unicodeScalars.count), number.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.validation([.init("/account", "length", "1 to 34 characters.")])
    }
    guard Currency.with(code: currency) != nil else {
      throw Problem.validation([.init("/currency", "unknown", "A currency of ISO 4217.")])
    }
    guard let bic = BIC(bic) else { throw Problem.validation([.init("/bic", "format", "A BIC of ISO 9362.")]) }
    guard ordersTo.map({ $0.isEmpty || BIC($0) != nil }) ?? true else {
      throw Problem.validation([.init("/orders_to", "format", "A BIC of ISO 9362.")])
    }
    try await core.database.write(retrying: .outdated) { [core, ledger] tx in
      guard let found = try TenantStore(tx).find(tenant) else { throw Problem.missing(.tenant) }
      let former = try SettlementStore(tx).all(of: tenant).first { $0.currency == currency }
      let books = books ?? former?.books ?? .both
      let orders = (ordersTo ?? former?.ordersTo).flatMap { $0.isEmpty ? nil : $0 }
      let account = SettlementAccount(
        tenant: tenant, currency: currency, number: number, bic: bic.text, books: books, ordersTo: orders,
        characters: characters ?? former?.characters ?? .basicLatin)
      guard account.canOrder(as: found.name) else { throw SettlementAccount.cannotOrder }
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
      try core.note(
        "tenant.settlement", "tenant-\(tenant)", by: actor,
        [
          "currency": currency, "books": books.rawValue, "orders": orders == nil ? "pacs.008" : "pain.001",
          "characters": account.characters.rawValue,
        ], in: tx)
    }
  }

  package func accounts(of tenant: Int) async throws -> [SettlementAccount] {
    try await core.database.read { try SettlementStore($0).all(of: tenant) }
  }

  /// What a person moves by hand: within their own limits, and with a second one above what the tenant lets one move.
  /// - Parameters:
  ///   - asked: of the payment or account that is locked.
  ///   - isForTwo: whether a second person is asked whatever it moves.
  ///   - key: under which the second person is asked, as `FourEyesGate` knows it.
  /// - Returns: what is waited for; nil when it is to be done in this transaction, in which it is counted.
  /// - Throws: `Problem` forbidden `over-limit`; those of `FourEyesGate.pass`; conflict `approval-used`.
  static func pass(
    _ asked: FourEyesGate.ProposedAct, moving amount: Money, isForTwo: Bool = false, key: String,
    of tenant: FinapticTenant, by actor: String, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws -> RequestedApproval? {
    let limits = PostingLimitStore(tx)
    // A second person is not asked for what could not be booked anyway.
    try limits.check(amount, by: actor, tenant: tenant.id)
    let isDemanded =
      try isForTwo
      || FourEyesPolicyStore(tx).policy(of: tenant)
        .demandsSecond(for: amount.minorUnits, in: amount.currency)
    switch try FourEyesGate(core: core).pass(asked, if: isDemanded, key: key, of: tenant, by: actor, in: tx) {
    case .waiting(let approval): return approval
    case .done: throw FourEyesGate.alreadyUsed
    case .open: break
    }
    try limits.count(amount, by: actor, tenant: tenant.id, on: Ledger.day(of: core.world.now()))
    return nil
  }

  static func account(_ currency: String, of tenant: Int, in tx: any SQLTransaction) throws -> SettlementAccount {
    guard let found = try SettlementStore(tx).all(of: tenant).first(where: { $0.currency == currency }) else {
      throw Problem(.unprocessable, "no-settlement-account", "The tenant does not settle in this currency.")
    }
    return found
  }
}
