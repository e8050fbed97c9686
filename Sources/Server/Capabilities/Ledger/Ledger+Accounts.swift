// SPDX-License-Identifier: Apache-2.0

import Kit
import ReferenceData
import Storage

/// Accounts: opened, activated, shared, looked at.
extension Ledger {
  /// Accounts, entries or holds of one page.
  package static let pageMax = 200
  private static let nameMax = 100
  /// Owners of one account.
  package static let ownersMax = 10

  /// Keeps a product as it is from a day on; kind and currency of one that is there stay.
  /// - Parameter day: days since 1970-01-01 (UTC), not after today and not ended yet; nil is today.
  /// - Throws: `Problem` validation.
  package func put(_ product: LedgerProduct, from day: Int64? = nil, in tx: any SQLTransaction) throws {
    guard Self.isKept(product.code), Self.isKept(product.tenant) else {
      throw Problem.validation([.init("/code", "length", "1 to \(Self.textMax) bytes.")])
    }
    guard Currency.with(code: product.currency) != nil else {
      throw Problem.validation([.init("/currency", "unknown", "A currency of ISO 4217.")])
    }
    guard (product.availableMin ?? 0) <= 0, (0...1_000_000).contains(product.yearlyInterestMillionths),
      product.monthlyFee >= 0
    else { throw Problem.validation([.init("", "range", "No bound above zero, no rate above 100 %, no fee below 0.")]) }
    let store = LedgerStore(tx)
    if let known = try store.product(product.code, tenant: product.tenant) {
      guard known.kind == product.kind, known.currency == product.currency else {
        throw Problem(.conflict, "product-differs", "The product is of another kind or currency.")
      }
    }
    try store.put(product, on: day ?? Self.day(of: world.now()))
  }

  /// Opens an account; the same id with the same product and owners is the same account.
  /// - Throws: `Problem` validation; unprocessable `unknown-product`; conflict `account-exists`.
  package func open(_ opening: LedgerOpening, in tx: any SQLTransaction) throws -> LedgerAccount {
    let (store, now) = (LedgerStore(tx), world.now())
    guard Self.isKept(opening.id.rawValue), opening.name.unicodeScalars.count <= Self.nameMax,
      opening.name.allSatisfy({ !$0.isNewline && $0 != "\0" })
    else { throw Problem.validation([.init("/name", "length", "At most \(Self.nameMax) characters.")]) }
    guard let product = try store.product(opening.product, tenant: opening.tenant) else {
      throw Problem(.unprocessable, "unknown-product", "There is no such product.")
    }
    let owners = Set(opening.owners)
    guard product.kind == .house ? owners.isEmpty : (1...Self.ownersMax).contains(owners.count),
      owners.allSatisfy(Self.isKept)
    else { throw Problem.validation([.init("/owners", "count", "A customer's account has an owner, no other has.")]) }
    if try store.insert(opening, of: product, at: now) {
      for owner in owners.sorted() { _ = try store.insert(owner, as: .owner, on: opening.id, at: now) }
    }
    guard let account = try store.account(opening.id), account.tenant == opening.tenant,
      account.product == opening.product, try owners.isSubset(of: store.parties(.owner, on: opening.id))
    else { throw Problem(.conflict, "account-exists", "There is another account of that id.") }
    return account
  }

  /// Lets an account book; there is no way back.
  /// - Throws: `Problem` not-found.
  package func activate(
    _ id: LedgerAccount.ID, tenant: String, in tx: any SQLTransaction
  ) throws -> LedgerAccount {
    let store = LedgerStore(tx)
    guard let account = try store.account(id), account.tenant == tenant else { throw Problem.notFound }
    guard try store.activate(id) else { return account }
    return try store.account(id) ?? account
  }

  /// - Returns: false when the party has a role on the account already.
  /// - Throws: `Problem` not-found.
  package func add(
    _ party: String, as role: LedgerRole, to id: LedgerAccount.ID, tenant: String, in tx: any SQLTransaction
  ) throws -> Bool {
    let store = LedgerStore(tx)
    guard Self.isKept(party), let account = try store.account(id), account.tenant == tenant,
      account.kind == .customer
    else { throw Problem.notFound }
    return try store.insert(party, as: role, on: id, at: world.now())
  }

  /// Transactions that book on the account from now on see it: they wait for this one, or, where they see an earlier
  /// moment, run again.
  /// - Returns: false when the party is not authorized on the account; an owner stays.
  package func removeAuthorized(
    _ party: String, from id: LedgerAccount.ID, in tx: any SQLTransaction
  ) throws -> Bool {
    let store = LedgerStore(tx)
    return try store.touch(id) && store.delete(party, as: .authorized, on: id)
  }

  // MARK: Looking

  /// An account of a tenant; nil for another's and for none alike.
  package func account(_ id: LedgerAccount.ID, tenant: String) async throws -> LedgerAccount? {
    guard Self.isKept(id.rawValue) else { return nil }
    return try await database.read { try LedgerStore($0).account(id) }.flatMap { $0.tenant == tenant ? $0 : nil }
  }

  /// Accounts that a party owns or may use, by id.
  /// - Parameter after: the last one of the page before; nil for the first page.
  package func accounts(
    of party: String, after: LedgerAccount.ID? = nil, limit: Int
  ) async throws -> [PartyAccount] {
    try await database.read {
      try LedgerStore($0).accounts(of: party, after: after, limit: min(max(limit, 1), Self.pageMax))
    }
  }

  /// Which entries of an account are looked at, and from where.
  package struct EntryPage: Sendable {
    /// Booked at this instant or later.
    package var from: LedgerTime?
    /// Booked before this instant.
    package var to: LedgerTime?
    /// Number of the entry after which the page begins, in its direction; nil for the first page.
    package var after: Int64?
    package var newestFirst = true
    package var limit = Ledger.pageMax

    package init() {}
  }

  /// A page of an account's entries. Numbers never change, so entries that are booked meanwhile shift nothing: who
  /// follows the pages sees each entry once.
  package func entries(of id: LedgerAccount.ID, _ page: EntryPage) async throws -> [LedgerEntry] {
    try await database.read { tx in
      let store = LedgerStore(tx)
      var (first, end) = (Int64(1), Int64.max)
      if let from = page.from { first = try store.firstSequence(of: id, at: from) }
      if let to = page.to { end = try store.firstSequence(of: id, at: to) }
      if let after = page.after {
        if page.newestFirst { end = min(end, after) } else { first = max(first, after &+ 1) }
      }
      guard first < end else { return [] }
      return try store.entries(
        of: id, in: first..<end, newestFirst: page.newestFirst, limit: min(max(page.limit, 1), Self.pageMax))
    }
  }
}
