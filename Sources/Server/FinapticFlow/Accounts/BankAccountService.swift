// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// What a bank's own systems do with accounts (finaptic §3.9): open one for a customer who is there already, let it book,
/// and say who else owns or may use it. Each is one transaction of READ COMMITTED, which locks the account first.
struct BankAccountService: Sendable {
  let core: CoreDependencies
  let ledger: Ledger
  let numbers: AccountNumbers
  let bankEvents: BankEventPublisher

  /// It is inactive: nothing is booked on it before its status is changed.
  /// - Parameter id: made before, so that a transaction that runs again opens one account.
  /// - Throws: `Problem` validation.
  func open(
    _ asked: BankAccountBodies.Open, id: BankAccount.ID, of tenant: FinapticTenant, by actor: String,
    in tx: any SQLTransaction
  ) throws -> BankAccountBodies.AccountView {
    let owner = try customer(asked.customer_id, of: tenant, in: tx)
    let name = BankAccount.ledgerTenant(tenant.id)
    guard let product = try LedgerStore(tx).product(asked.account_type, tenant: name), product.kind == .customer else {
      throw Problem.validation([.init("/account_type", "unknown", "A kind of account that the tenant has.")])
    }
    let known = AccountProduct.standard.first { $0.code == product.code }?.name
    let given = asked.name?.trimmingCharacters(in: .whitespacesAndNewlines)
    let title = given.flatMap { $0.isEmpty ? nil : $0 } ?? known ?? product.code
    _ = try ledger.open(
      .init(id: id, tenant: name, product: product.code, name: title, owners: [owner]), in: tx)
    try numbers.give(to: id, of: tenant.id, in: tx)
    try ledger.stopIfBlocked(owner, on: id, tenant: tenant.id, in: tx)
    try TermsNotices(core: core).owe(onOpening: id, of: product.code, tenant.id, in: tx)
    try core.note("account.opened", "account-\(id)", by: actor, ["owner": owner, "product": product.code], in: tx)
    try bankEvents.tell(
      .accountCreated, on: id.rawValue, of: tenant.id, about: owner, world: core.world,
      { $0.status = BankAccount.Status.inactive },
      in: tx)
    return try look(id, of: tenant, in: tx)
  }

  /// - Throws: `Problem` not found.
  func look(
    _ id: BankAccount.ID, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> BankAccountBodies.AccountView {
    guard let account = try AccountStore(tx).find(id, tenant: tenant.id) else { throw Problem.notFound }
    return .init(account, number: try AccountNumberStore(tx).number(of: id)?.view)
  }

  /// Whether a status may be set now: stopping, letting pay again and paying out much may take a second person.
  /// - Parameter key: of the maker and the call.
  /// - Throws: `Problem` not found; those of `FourEyesGate.pass`.
  func pass(
    _ asked: BankAccountBodies.Status, of id: BankAccount.ID, _ tenant: FinapticTenant, key: ActKey, by maker: String,
    in tx: any SQLTransaction
  ) throws -> FourEyesGate.Outcome {
    let account = try locked(id, of: tenant, in: tx)
    let policy = try FourEyesPolicyStore(tx).policy(of: tenant)
    let isFrozen = account.account.stop == .frozen
    // What is asked for, however the account stands: under one key it is the same act again after it was done.
    let action: BankAct.Action
    let isActDemanded: Bool
    switch asked.status {
    case BankAccount.Status.frozen: (action, isActDemanded) = (.freeze, policy.demands(.block))
    case BankAccount.Status.closed:
      action = .close
      isActDemanded =
        policy.demands(.block) || isFrozen && account.account.actual > 0 && policy.demands(.unblock)
        || policy.demandsSecond(for: account.account.actual, in: account.account.currency)
    case BankAccount.Status.active: (action, isActDemanded) = (.unfreeze, isFrozen && policy.demands(.unblock))
    default: (action, isActDemanded) = (.unfreeze, false)
    }
    let isDemanded = isActDemanded && asked.status != account.status
    if isDemanded, action != .unfreeze { _ = try StopReason(given: asked.reason) }
    let words = [
      "status \(asked.status)", asked.reason.map { "reason \($0)" },
      asked.payout_account_id.map { "payout to \($0)" },
    ]
    let act = FourEyesGate.ProposedAct(
      action: action, subject: id.rawValue, version: account.account.sequence,
      request: words.compactMap(\.self).joined(separator: "; "), condition: try condition(of: account, in: tx),
      person: try account.keyHolder(in: tx), chain: "account-\(id)")
    let gate = FourEyesGate(core: core)
    return try gate.pass(
      act, if: isDemanded, key: gate.key(key, of: act, tenant: tenant, by: maker, in: tx), of: tenant, by: maker,
      in: tx)
  }

  /// Also by which freeze it stands, so that no spare word for an earlier one lifts it.
  private func condition(of account: BankAccount, in tx: any SQLTransaction) throws -> String {
    let text = "account \(account.status), balance \(account.account.actualBalance.decimal)"
    guard account.account.stop == .frozen,
      let line = try BankActStore(tx).lastLine(
        of: "finaptic.account.frozen", in: "finaptic-account-\(account.id)")
    else { return text }
    return "\(text), freeze is line \(line) of its audit chain"
  }

  /// From inactive to active, from active to frozen and back, and to closed for good; what it is already changes nothing.
  /// - Throws: `Problem` not found; validation; conflict `account-active`, and those of `AccountStops`.
  func setStatus(
    _ asked: BankAccountBodies.Status, of id: BankAccount.ID, _ tenant: FinapticTenant, by actor: String,
    with permit: FourEyesGate.Permit, in tx: any SQLTransaction
  ) throws -> BankAccountBodies.AccountView {
    let account = try locked(id, of: tenant, in: tx)
    switch asked.status {
    case BankAccount.Status.frozen, BankAccount.Status.closed:
      try stops.stop(asked, account, of: tenant, by: actor, with: permit, in: tx)
    case BankAccount.Status.active where account.isActive:
      try stops.unfreeze(account, of: tenant, because: asked.reason, by: actor, in: tx)
    case BankAccount.Status.active:
      _ = try ledger.activate(id, tenant: BankAccount.ledgerTenant(tenant.id), in: tx)
      try core.note("account.activated", "account-\(id)", by: actor, in: tx)
      try bankEvents.tell(
        .accountStatusChanged, on: id.rawValue, of: tenant.id, about: account.owners.first, world: core.world,
        { $0.status = BankAccount.Status.active }, in: tx)
    case BankAccount.Status.inactive:
      guard !account.isActive else {
        throw Problem(.conflict, "account-active", "An account that is active stays so.")
      }
    default:
      throw Problem.validation([
        .init("/status", "unknown", "A status that an account can be given.")
      ])
    }
    return try look(id, of: tenant, in: tx)
  }

  /// - Throws: `Problem` not found; validation; conflict `already-party`, `too-many-owners`.
  func add(
    _ asked: BankAccountBodies.Party, as role: LedgerRole, to id: BankAccount.ID, of tenant: FinapticTenant,
    by actor: String, in tx: any SQLTransaction
  ) throws -> BankAccountBodies.AccountView {
    let account = try locked(id, of: tenant, in: tx)
    let customer = try customer(asked.customer_id, of: tenant, in: tx)
    guard role != .owner || account.owners.count < Ledger.ownersMax else {
      throw Problem(.conflict, "too-many-owners", "An account has at most \(Ledger.ownersMax) owners.")
    }
    guard
      try ledger.add(customer, as: role, to: id, tenant: BankAccount.ledgerTenant(tenant.id), in: tx)
    else { throw Problem(.conflict, "already-party", "The customer owns the account or is authorized to use it.") }
    try ledger.stopIfBlocked(customer, on: id, tenant: tenant.id, in: tx)
    let isOwner = role == .owner
    try core.note(
      isOwner ? "account.ownerAdded" : "account.authorizedUserAdded", "account-\(id)", by: actor,
      ["customer": customer], in: tx)
    try bankEvents.tell(
      isOwner ? .ownerAdded : .authorizedUserAdded, on: id.rawValue, of: tenant.id, about: customer, world: core.world,
      in: tx)
    return try look(id, of: tenant, in: tx)
  }

  private var stops: AccountStops { AccountStops(core: core, ledger: ledger, bankEvents: bankEvents) }

  private func locked(
    _ id: BankAccount.ID, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> BankAccount {
    let store = AccountStore(tx)
    // The tenant is checked before the lock, so that a client cannot delay bookings of another tenant.
    guard try store.find(id, tenant: tenant.id) != nil else { throw Problem.notFound }
    try LedgerStore(tx).lock([id])
    guard let account = try store.find(id, tenant: tenant.id) else { throw Problem.notFound }
    return account
  }

  /// An account that a call names in its body, locked.
  /// - Throws: `Problem` validation.
  func account(_ name: String, of tenant: FinapticTenant, in tx: any SQLTransaction) throws -> BankAccount {
    guard let id = name.canonicalUUID,
      try AccountStore(tx).find(.init(rawValue: id), tenant: tenant.id) != nil
    else { throw Problem.validation([.init("/account_id", "unknown", "An account of the tenant.")]) }
    return try locked(.init(rawValue: id), of: tenant, in: tx)
  }

  /// A customer of the tenant. Locks the user, so that an erasure runs before this transaction or sees what it wrote.
  func customer(_ name: String, of tenant: FinapticTenant, in tx: any SQLTransaction) throws -> String {
    let store = FinapticUserStore(tx, vault: core.vault)
    guard let id = name.canonicalUUID, try store.take(customer: id, tenant: tenant.id),
      let user = try store.find(customer: id, tenant: tenant.id)?.user, !user.profile.email.isEmpty
    else { throw Problem.validation([.init("/customer_id", "unknown", "A customer of the tenant.")]) }
    return id
  }
}

/// What a bank's systems send, and what they get. Members are in snake case and read strictly.
enum BankAccountBodies {
  struct Open: Decodable, Sendable {
    let customer_id: String
    /// As in `current_account.v39`.
    let account_type: String
    /// What its people know it by; nil for the product's own name.
    let name: String?
  }

  struct Status: Decodable, Sendable {
    let status: String
    /// Why an account is frozen or closed: a raw value of `StopReason`.
    let reason: String?
    /// Where the balance of an account that is closed goes: another account of the tenant.
    let payout_account_id: String?

    init(status: String, reason: String? = nil, payout_account_id: String? = nil) {
      (self.status, self.reason, self.payout_account_id) = (status, reason, payout_account_id)
    }
  }

  /// Who is taken off an account, and why.
  struct Removal: Decodable, Sendable {
    let customer_id: String
    let reason: String?
  }

  struct CardBlock: Decodable, Sendable {
    let is_blocked: Bool
    let reason: String?
  }

  struct CardBlockView: Encodable, Sendable {
    let card_id: String
    let is_blocked: Bool
    /// Why it is blocked still.
    let reasons: [String]
  }

  struct Party: Decodable, Sendable { let customer_id: String }

  struct AccountView: Encodable, Sendable {
    let account_id: String
    let account_type: String
    let name: String
    let status: String
    let currency: String
    let owners: [String]
    let authorized_users: [String]
    /// By which other banks name it; nil where the tenant has no numbers.
    let number: FinapticAPI.AccountNumber?

    init(_ account: BankAccount, number: FinapticAPI.AccountNumber?) {
      self.number = number
      (account_id, account_type, name) = (account.id.rawValue, account.product, account.account.name)
      status = account.status
      (currency, owners, authorized_users) = (account.account.currency, account.owners, account.authorizedUsers)
    }
  }
}
