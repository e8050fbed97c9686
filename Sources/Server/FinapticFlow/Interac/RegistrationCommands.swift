// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// Autodeposit registrations: made, listed, led to another account, ended (finaptic §8.8). One transaction each.
struct RegistrationCommands: Sendable {
  typealias Answer = FinapticAPI.RegistrationResponse

  /// What a registration needs before its transaction, so that a second run makes the same one.
  struct New: Sendable {
    fileprivate let id: Registration.ID
    fileprivate let token: String
  }

  /// Of one account: more than all its parties may make.
  private static let listMax = 1000

  let core: CoreDependencies
  let notices: RegistrationNotices
  let policy: FinapticPolicy
  private var rules: InteracRules { policy.interac }

  func new() -> New { New(id: .init(rawValue: core.world.randomUUID()), token: core.secret()) }

  /// A message goes to the holder of the alias, so there are limits for the customer and, over all customers, for the
  /// alias.
  /// - Throws: `Problem` failed precondition where the network is not reached; invalid argument; invalid account;
  ///   invalid mobile number or area code; count exceeded; alias in use; resource exhausted. Decided in that order.
  func create(
    _ request: FinapticAPI.CreateRegistrationRequest, _ new: New, for customer: String, of tenant: FinapticTenant,
    by actor: String, in tx: any SQLTransaction
  ) throws -> Answer {
    try InteracNotifier.require(of: tenant, core, in: tx)
    guard let given = request.registration else {
      throw Problem.finapticFields([.init("registration", "required", "This member is required.")])
    }
    let alias = try InteracAlias.checked(
      email: given.aliasEmail, phone: given.aliasPhoneNumber, path: "registration.", rules: rules)
    let account = try account(given.accountId, "registration.accountId", for: customer, of: tenant, in: tx)
    let (store, now) = (RegistrationStore(tx, vault: core.vault), core.world.now())
    let network = Registration.network(of: tenant)
    guard try store.count(of: customer, at: now) < rules.registrationsMax else { throw Self.tooMany }
    guard try isFree(alias, network: network, in: tx) else { throw Self.aliasInUse }
    if let own = try store.find(alias, askedBy: customer, network: network), own.isLapsed(at: now) {
      try expire(own, in: tx)
    }
    let registration = Registration(
      id: new.id, tenant: tenant.id, customer: customer, account: account, alias: alias, confirmedAt: nil,
      confirmUntil: now + rules.confirmLifetime, expiresAt: rules.expiry(of: alias, after: now), noticedAt: nil,
      createdAt: now, version: 0)
    guard try store.insert(registration, network: network, token: new.token) else { throw Self.aliasInUse }
    try core.limits.spend(policy.registrationsPerCustomer, by: customer, in: tx)
    let subject = "\(network) \(store.limitSubject(alias))"
    // One customer leaves messages for the others to ask for. How often these did is not told.
    try core.limits.spend(policy.registrationsPerCustomerAndAlias, by: "\(customer) \(subject)", isTold: false, in: tx)
    try core.limits.spend(policy.registrationsPerAlias, by: subject, isTold: false, in: tx)
    try notices.promise(.confirm, registration, in: tx)
    try note("created", registration, by: actor, ["account": account], in: tx)
    return Answer(registration: registration.view)
  }

  /// - Throws: `Problem` invalid account.
  func list(
    _ request: FinapticAPI.AccountRequest, for customer: String, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> FinapticAPI.RegistrationsResponse {
    let account = try account(request.accountId, "accountId", for: customer, of: tenant, in: tx)
    let now = core.world.now()
    let all = try RegistrationStore(tx, vault: core.vault).all(account: account, limit: Self.listMax)
    return .init(registrations: all.filter { !$0.isLapsed(at: now) }.map(\.view))
  }

  /// - Throws: `Problem` unauthorized; invalid account.
  func update(
    _ request: FinapticAPI.UpdateRegistrationRequest, for customer: String, of tenant: FinapticTenant,
    by actor: String, in tx: any SQLTransaction
  ) throws -> Answer {
    var registration = try own(request.registrationId, customer, in: tx)
    registration.account = try account(request.accountId, "accountId", for: customer, of: tenant, in: tx)
    try RegistrationStore(tx, vault: core.vault).advance(registration)
    try note("updated", registration, by: actor, ["account": registration.account], in: tx)
    return Answer(registration: registration.view)
  }

  /// Its alias can be registered anew at once.
  /// - Throws: `Problem` unauthorized.
  func delete(
    _ request: FinapticAPI.DeleteRegistrationRequest, for customer: String, by actor: String,
    in tx: any SQLTransaction
  ) throws -> Answer {
    let registration = try own(request.registrationId, customer, in: tx)
    try RegistrationStore(tx, vault: core.vault).delete(registration)
    try note("deleted", registration, by: actor, in: tx)
    return Answer(registration: registration.view)
  }

  /// Deletes one that lapsed.
  func expire(_ registration: Registration, in tx: any SQLTransaction) throws {
    try RegistrationStore(tx, vault: core.vault).delete(registration)
    try note("expired", registration, by: "worker", in: tx)
  }

  // MARK: Time

  /// Deletes the registrations that were not used for too long, and those that were not confirmed in time.
  func sweep() async throws {
    try await core.database.writeEachDue(retrying: .outdated) { [core] page, tx in
      try RegistrationStore(tx, vault: core.vault).lapsed(
        at: core.world.now(), besides: page.failed, limit: page.limit)
    } do: { [self] id, tx in
      guard let registration = try RegistrationStore(tx, vault: core.vault).find(id),
        registration.isLapsed(at: core.world.now())
      else { return }
      try expire(registration, in: tx)
    }
  }

  /// Tells the holders of registrations that end within the notice period.
  func warn() async throws {
    let horizon = core.world.now() + rules.noticeAhead
    try await core.database.writeEachDue(retrying: .outdated) { [core] page, tx in
      try RegistrationStore(tx, vault: core.vault).ending(before: horizon, besides: page.failed, limit: page.limit)
    } do: { [self] id, tx in
      let store = RegistrationStore(tx, vault: core.vault)
      guard var registration = try store.find(id), registration.noticedAt == nil, registration.expiresAt <= horizon
      else { return }
      registration.noticedAt = core.world.now()
      try store.advance(registration)
      try notices.promise(.renew, registration, in: tx)
    }
  }

  // MARK: What all of them look at

  /// Whether no confirmed registration has the alias. One that lapsed ends here, and so does one that a program before
  /// wrote in the alias's place although it is not confirmed.
  func isFree(_ alias: InteracAlias, network: String, in tx: any SQLTransaction) throws -> Bool {
    guard let former = try RegistrationStore(tx, vault: core.vault).find(alias, network: network) else { return true }
    guard former.confirmedAt == nil || former.isLapsed(at: core.world.now()) else { return false }
    try expire(former, in: tx)
    return true
  }

  private func own(_ name: String?, _ customer: String, in tx: any SQLTransaction) throws -> Registration {
    var check = InputCheck()
    let id = check.id(name, "registrationId")
    try check.end()
    let found = try id.flatMap { try RegistrationStore(tx, vault: core.vault).find(.init(rawValue: $0)) }
    guard let registration = found, registration.customer == customer, !registration.isLapsed(at: core.world.now())
    else { throw Problem.finaptic(.unauthorized, "There is no such registration of yours.") }
    return registration
  }

  /// One that the customer may use.
  private func account(
    _ name: String?, _ path: String, for customer: String, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> String {
    var check = InputCheck()
    let id = check.id(name, path)
    try check.end()
    guard let id,
      try AccountAccess(tx, tenant: tenant.id, customer: customer).find(.init(rawValue: id)) != nil
    else { throw Problem.interacInvalidAccount(path) }
    return id
  }

  /// The network knows a registration once it is confirmed.
  func note(
    _ action: String, _ registration: Registration, by actor: String, _ facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try core.note(
      "autodeposit.\(action)", "customer-\(registration.customer)", by: actor,
      facts.merging(["registration": registration.id.rawValue]) { one, _ in one }, in: tx)
    guard registration.confirmedAt != nil || action == "confirmed" else { return }
    try InteracNotifier.owe(
      .registration, registration.id.rawValue, at: registration.version, of: registration.tenant, core, in: tx)
  }

  private static let aliasInUse = Problem.finaptic(.transInteracAliasInUse, "The alias is registered already.")
  private static let tooMany = Problem.finaptic(
    .transInteracRegCountExceeded, "There are as many registrations as a customer may have; delete one first.")
}

extension Problem {
  /// An account that does not exist, or that the caller may not use: which of the two is not told.
  static func interacInvalidAccount(_ path: String) -> Problem {
    finaptic(
      .transInteracInvalidAccount, "The account is not one of yours.",
      fields: [.init(path, "account", "An account that you may use.")])
  }
}
