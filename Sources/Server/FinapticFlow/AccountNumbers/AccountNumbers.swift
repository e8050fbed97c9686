// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import ReferenceData
import Storage

/// Gives each account of a tenant a number of the institution's own, by which other banks name it (decision 173). It is
/// given with the account and stays for ever, also when the tenant numbers otherwise afterwards.
package struct AccountNumbers: Sendable {
  /// Numbers that are tried for one account.
  private static let triesMax = 100
  /// Serials that are tried for one number: in the Netherlands one in eleven has a number.
  private static let serialsMax = 1000
  /// How old a numbering is before no transaction runs any more that opened an account without seeing it.
  private static let settled = Duration.minutes(1)

  let core: CoreDependencies
  /// One for the whole process.
  var serials = SerialAllocator()

  package static let usedUp = Problem(
    .conflict, "account-numbers-used-up", "No number is left: number by another branch or with more digits.")

  private static let numberingTaken = Problem(
    .conflict, "numbering-taken", "Another tenant numbers, or has numbered, by this institution and branch.")

  // MARK: How a tenant numbers

  /// What an operator sees of it.
  package struct Overview: Sendable, Equatable {
    package let country, institution, transit: String
    /// Of an account.
    package let digits: Int
    package let isSequential: Bool
    /// Whether each account that was opened before the numbering has its number.
    package let isFilled: Bool
  }

  package func overview(of tenant: Int) async throws -> Overview? {
    try await core.database.read { tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
      return try AccountNumberStore(tx).numbering(of: tenant).map {
        Overview(
          country: $0.numbering.country, institution: $0.numbering.bank, transit: $0.numbering.branch,
          digits: $0.numbering.digits, isSequential: $0.isSequential, isFilled: $0.filledAt != nil)
      }
    }
  }

  /// Numbers accounts from now on, and older ones that have no number. The same numbering again changes nothing.
  /// - Parameters:
  ///   - digits: of an account in Canada, 7 to 12; nil for 10, and for other countries.
  ///   - isSequential: in order instead of at random. Numbers in order show how many accounts there are.
  /// - Returns: how many older accounts got a number now.
  /// - Throws: `Problem` not found; validation; conflict `numbering-taken` when another tenant has that institution and
  ///   branch, or accounts that it numbered so before; `account-numbers-used-up`.
  package func set(
    country: String, bank: String, branch: String, digits: Int?, isSequential: Bool, of tenant: Int, by actor: String
  ) async throws -> Int {
    guard let numbering = AccountNumbering(country: country, bank: bank, branch: branch, digits: digits) else {
      let countries = ([AccountNumbering.canada] + BBAN.countries).joined(separator: ", ")
      throw Problem.validation([
        .init("/numbering", "format", "Codes in the lengths of the country, which is one of \(countries).")
      ])
    }
    do {
      try await core.database.write(retrying: .outdated) { [core] tx in
        guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
        let store = AccountNumberStore(tx)
        if let known = try store.numbering(of: tenant), known.numbering == numbering,
          known.isSequential == isSequential
        {
          return
        }
        guard try !store.isTaken(numbering, besides: tenant) else { throw Self.numberingTaken }
        try store.set(numbering, isSequential: isSequential, of: tenant, at: core.world.now())
        try core.note(
          "tenant.accountNumbers", "tenant-\(tenant)", by: actor,
          [
            "country": country, "bank": bank, "branch": branch, "digits": "\(numbering.digits)",
            "order": isSequential ? "sequential" : "random",
          ], in: tx)
      }
    } catch SQLError.notUnique {
      throw Self.numberingTaken
    }
    return try await fill(tenant)
  }

  // MARK: Giving

  /// Takes serials for this node, where its openings used up what it had. Called before the transaction that opens an
  /// account, so that the tenant's row is changed in a short one of its own.
  func reserve(of tenant: Int) async throws {
    guard serials.beginsRefill(of: tenant) else { return }
    let block = try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      try AccountNumberStore(tx).takeBlock(of: tenant)
    }
    if let block { serials.put(block, of: tenant) }
  }

  /// Gives an account that was just opened its number, where its tenant numbers accounts. Given again, it has the same.
  /// - Throws: `Problem` conflict `account-numbers-used-up`.
  func give(to id: BankAccount.ID, of tenant: Int, in tx: any SQLTransaction) throws {
    let store = AccountNumberStore(tx)
    guard let known = try store.numbering(of: tenant), try store.number(of: id) == nil else { return }
    for _ in 0..<Self.triesMax {
      guard let (serial, number) = try next(known, of: tenant, store) else { break }
      if try store.insert(number, of: id, tenant: tenant, at: core.world.now()) { return }
      if known.isSequential {
        serials.skip(to: try store.passOver(serial, known.numbering, of: tenant), of: tenant)
      }
    }
    throw Self.usedUp
  }

  /// - Returns: nil when all serials are taken.
  private func next(
    _ known: AccountNumberStore.Numbering, of tenant: Int, _ store: AccountNumberStore
  ) throws -> (serial: UInt64, number: CustomerAccountNumber)? {
    let count = known.numbering.serials
    for _ in 0..<Self.serialsMax {
      let serial =
        known.isSequential
        ? try serials.take(of: tenant, known.numbering, since: known.setAt)
          ?? store.nextSerial(of: tenant, below: count)
        : core.world.number(below: count)
      guard let serial else { return nil }
      if let number = known.numbering.number(serial) { return (serial, number) }
    }
    return nil
  }

  /// Gives older accounts their numbers, a page in a transaction. After an interruption it goes on where it stopped.
  /// - Returns: how many.
  @discardableResult
  func fill(_ tenant: Int) async throws -> Int {
    guard let known = try await core.database.read({ try AccountNumberStore($0).numbering(of: tenant) }),
      known.filledAt == nil
    else { return 0 }
    let name = BankAccount.ledgerTenant(tenant)
    let began = core.world.now()
    var given = 0
    for product in try await core.database.read({ try LedgerStore($0).products(tenant: name) })
    where product.kind == .customer {
      var after: LedgerAccount.ID?
      while true {
        let (last, count) = try await core.database.write(retrying: .outdated) { [self, after] tx in
          let page = try LedgerStore(tx).accountIDs(
            tenant: name, product: product.code, after: after, limit: Ledger.pageMax)
          let numbered = try AccountNumberStore(tx).numbers(of: page)
          let missing = page.filter { numbered[$0] == nil }
          for id in missing { try give(to: id, of: tenant, in: tx) }
          return (page.count == Ledger.pageMax ? page.last : nil, missing.count)
        }
        given += count
        guard let last else { break }
        after = last
      }
    }
    if began >= known.setAt + Self.settled {
      try await core.database.write(retrying: .outdated) { [core] tx in
        try AccountNumberStore(tx).fill(tenant, since: known.setAt, at: core.world.now())
      }
    }
    return given
  }

  /// Gives the accounts of every tenant their numbers that were opened while its numbering was set.
  package func fillAll() async throws {
    var failures: [PartialFailure.Part] = []
    for tenant in try await core.database.read({ try AccountNumberStore($0).unfilled() }) {
      do { try await fill(tenant) } catch let error as CancellationError { throw error } catch {
        failures.append(.init(["tenant": "\(tenant)"], error: error))
      }
    }
    guard failures.isEmpty else { throw PartialFailure(failures) }
  }
}
