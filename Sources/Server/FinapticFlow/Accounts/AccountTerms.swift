// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import Ledger
import Storage

/// What a tenant's kinds of account cost and bring, managed by operators. They count from the day on
/// which they are set, or from a day to come, of which their holders are told before.
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
  ///   - from: the first day on which they count; nil is today, without a notice.
  ///   - approval: the id of a second person's approval of it; nil asks for one where the tenant demands it.
  /// - Returns: what is waited for; nil when the terms are set or announced.
  /// - Throws: `Problem` not found; validation, also for a day that is nearer than the tenant's notice; conflict
  ///   `terms-change-announced` while other terms of this kind of account are announced; those of `FourEyesGate.pass`.
  @discardableResult
  package func set(
    _ code: String, of tenant: Int, yearlyInterest: Int64?, monthlyFee: Int64?, from: WireDate? = nil,
    approval: String? = nil, by actor: String
  ) async throws -> RequestedApproval? {
    let found = try await tenants.find(tenant)
    // Serializable, because it decides by announcements that are not there.
    return try await core.database.write(retrying: .outdated, .serializable) { [core, ledger] tx in
      let name = BankAccount.ledgerTenant(tenant)
      guard let known = try LedgerStore(tx).product(code, tenant: name), known.kind == .customer else {
        throw Problem.notFound
      }
      // An announcement names both halves: what is set beside it would be undone on its day.
      guard try TermsChangeStore(tx).announced(code, of: tenant) == nil else {
        throw Problem(
          .conflict, "terms-change-announced",
          "Other terms of this kind of account are announced: take them back first, or wait until they count.")
      }
      let terms = LedgerProduct(
        tenant: name, code: code, kind: .customer, currency: known.currency, availableMin: known.availableMin,
        yearlyInterestMillionths: yearlyInterest ?? known.yearlyInterestMillionths,
        monthlyFee: monthlyFee ?? known.monthlyFee)
      try Self.check(terms)
      if let from { try check(from, of: tenant, in: tx) }
      let gate = FourEyesGate(core: core)
      let asked = FourEyesGate.ProposedAct(
        action: .terms, subject: Self.subject(code, of: tenant), version: 0,
        request: Self.words(terms) + (from.map { ", from \($0) on" } ?? ""),
        condition: Self.condition(known), chain: "tenant-\(tenant)")
      let outcome = try gate.pass(
        asked, if: FourEyesPolicyStore(tx).policy(of: found).demands(.terms),
        key: gate.key(ofCommand: approval, tenant: found, in: tx), of: found, by: actor, in: tx)
      switch outcome {
      case .waiting(let approval): return approval
      case .done: throw FourEyesGate.alreadyUsed
      case .open: break
      }
      if let from {
        try announce(terms, from: from, of: tenant, by: actor, in: tx)
        return nil
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

  // MARK: The second person

  private static func subject(_ code: String, of tenant: Int) -> String {
    "\(BankAccount.ledgerTenant(tenant))/\(code)"
  }

  private static func condition(_ terms: LedgerProduct) -> String { "before \(words(terms))" }

  /// Whether terms can be set as a second person was asked: those before are the same, and no others are announced.
  static func stands(_ act: BoundAct, in tx: any SQLTransaction) throws -> Bool {
    guard let slash = act.subject.firstIndex(of: "/") else { return false }
    let (name, code) = (String(act.subject[..<slash]), String(act.subject[act.subject.index(after: slash)...]))
    guard let tenant = FinapticTenantName(name)?.tenant,
      let known = try LedgerStore(tx).product(code, tenant: name)
    else { return false }
    return try act.content.hasSuffix(condition(known))
      && TermsChangeStore(tx).announced(code, of: tenant) == nil
  }

  // MARK: To come

  private func check(_ from: WireDate, of tenant: Int, in tx: any SQLTransaction) throws {
    let notice = try TermsChangeStore(tx).noticeDays(of: tenant) ?? TermsChanges.noticeDays
    let first = Ledger.day(of: core.world.now()) + max(1, notice)
    guard (first...(first + 366)).contains(Int64(from.daysSince1970)) else {
      let day = WireDate(daysSince1970: Int(first))
      throw Problem.validation([.init("/from", "range", "From \(day) on, and at most a year later.")])
    }
  }

  private static func check(_ terms: LedgerProduct) throws {
    guard (0...1_000_000).contains(terms.yearlyInterestMillionths), terms.monthlyFee >= 0 else {
      throw Problem.validation([.init("", "range", "No rate below 0 or above 100 %, no fee below 0.")])
    }
  }

  private func announce(
    _ terms: LedgerProduct, from: WireDate, of tenant: Int, by actor: String, in tx: any SQLTransaction
  ) throws {
    let store = TermsChangeStore(tx)
    let change = TermsChange(
      id: .init(core.world), tenant: tenant, product: terms.code, currency: terms.currency,
      yearlyInterest: terms.yearlyInterestMillionths, monthlyFee: terms.monthlyFee,
      fromDay: Int64(from.daysSince1970), announcedAt: core.world.now(), state: .announced, version: 1)
    try store.insert(change)
    try store.begin(.announced, of: change.id)
    try core.note(
      "terms.announced", "tenant-\(tenant)", by: actor,
      [
        "change": change.id.rawValue, "product": terms.code, "interest": "\(change.yearlyInterest)",
        "fee": "\(change.monthlyFee)", "from": "\(from)",
      ], in: tx)
  }

  /// Lets changes count whose day has begun, from that day on, however late this is; for accounts that were not told in
  /// time from when their notice has run out. That is never before today, so that no day that was ended changes.
  func beginDue(of tenant: Int) async throws {
    let today = Ledger.day(of: core.world.now())
    let due = try await core.database.read { try TermsChangeStore($0).due(of: tenant, by: today) }
    for id in due.map(\.id) {
      try await core.database.write(retrying: .outdated) { [core, ledger] tx in
        let name = BankAccount.ledgerTenant(tenant)
        guard var change = try TermsChangeStore(tx).find(id, of: tenant), change.state == .announced,
          let known = try LedgerStore(tx).product(change.product, tenant: name)
        else { return }
        let terms = LedgerProduct(
          tenant: name, code: known.code, kind: known.kind, currency: known.currency,
          availableMin: known.availableMin, yearlyInterestMillionths: change.yearlyInterest,
          monthlyFee: change.monthlyFee)
        try ledger.put(terms, from: change.fromDay, in: tx)
        try TermsChangeStore(tx).delay(change)
        try core.mover.move(&change, on: .begun, of: TermsChangeMachine(), by: "system", in: tx)
        try TermsNotices(core: core).tellDesk(of: change, by: "system", in: tx)
      }
    }
    while try await !core.database.read({ try TermsChangeStore($0).sentLate(of: tenant, limit: 1).isEmpty }) {
      try await core.database.write(retrying: .outdated) { [core] tx in
        let late = try TermsChangeStore(tx).sentLate(of: tenant, limit: Ledger.pageMax)
        for one in late {
          try LedgerStore(tx).begin(termsFrom: one.change.fromDay, of: one.account, on: max(one.fromDay, today))
        }
        // In one order, for two nodes.
        let changes = Dictionary(late.map { ($0.change.id, $0.change) }, uniquingKeysWith: { one, _ in one }).values
        for change in changes.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
          try TermsNotices(core: core).tellDesk(of: change, by: "system", in: tx)
        }
      }
    }
  }

  private static func words(_ terms: LedgerProduct) -> String {
    let fee = Money(terms.monthlyFee, terms.currency)
    return "interest \(terms.yearlyInterestMillionths) millionths a year, fee \(fee.decimal) \(fee.currency) a month"
  }
}
