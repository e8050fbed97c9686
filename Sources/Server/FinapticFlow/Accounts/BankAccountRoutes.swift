// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Ledger
import Storage

/// `/api/v1/finaptic/accounts…`: what a bank's own systems call, with the credentials of a client of the tenant whose
/// scope is `bank` (finaptic §3.9). No app has a way there.
package struct BankAccountRoutes: Sendable {
  private typealias Context = ClientContext<ServiceClient>

  let calls: FinapticCalls
  let accounts: BankAccountService
  let removal: AuthorizedUserRemoval
  let cardBlocks: CardBlocks
  let cards: BankCards
  let termsChanges: TermsChanges
  let tenants: FinapticTenants
  private var core: CoreDependencies { calls.core }

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("accounts")
    group.post(use: open)
    let one = group.group("{id}")
    one.get(use: look)
    one.get("terms-notices", use: termsNotices)
    one.post("status", use: setStatus)
    one.post("owners") { try await add(.owner, $0, $1) }
    one.post("authorized-users") { try await add(.authorized, $0, $1) }
    one.post("removals", use: remove)
    let ofCards = servers.group(RouterPath(FinapticServerDialect.base)).group("cards")
    ofCards.post(use: createCard)
    ofCards.post("{id}/block", use: block)
  }

  @Sendable
  private func open(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, actor) = (BankAccount.ID(rawValue: core.world.randomUUID()), context.client.actor)
    let (tenant, call) = try await read(request, context, BankAccountBodies.Open.self)
    try await accounts.numbers.reserve(of: tenant.id)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(
        accounts.open(call.body, id: id, of: tenant, by: actor, in: tx), status: 201, for: call, in: tx)
    }
  }

  @Sendable
  private func look(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, tenant) = (try Self.id(context), try await tenants.find(of: context.client, scope: .bank))
    return try Response.json(try await core.database.read { try accounts.look(id, of: tenant, in: $0) })
  }

  @Sendable
  private func termsNotices(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, tenant) = (try Self.id(context), try await tenants.find(of: context.client, scope: .bank))
    let notices = try await termsChanges.notices(on: id, of: tenant.id)
    return try Response.json(BankAccountBodies.TermsNotices(notices: notices.map(BankAccountBodies.TermsNotice.init)))
  }

  @Sendable
  private func setStatus(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, actor) = (try Self.id(context), context.client.actor)
    let (tenant, call) = try await read(request, context, BankAccountBodies.Status.self)
    let once = try FinapticCalls.orderKey(request)
    let key = "\(context.client.id) \(once ?? core.world.randomUUID())"
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.earlier(call, in: tx) { return earlier }
      let outcome = try accounts.pass(call.body, of: id, tenant, key: .call(key), by: actor, in: tx)
      return try answer(outcome, call, isKeyed: once != nil, in: tx) { permit in
        try accounts.setStatus(call.body, of: id, tenant, by: actor, with: permit, in: tx)
      }
    }
  }

  private func add(_ role: LedgerRole, _ request: Request, _ context: Context) async throws -> Response {
    let (id, actor) = (try Self.id(context), context.client.actor)
    let (tenant, call) = try await read(request, context, BankAccountBodies.Party.self)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(accounts.add(call.body, as: role, to: id, of: tenant, by: actor, in: tx), for: call, in: tx)
    }
  }

  @Sendable
  private func remove(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, actor) = (try Self.id(context), context.client.actor)
    let (tenant, call) = try await read(request, context, BankAccountBodies.Removal.self)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let reason = try StopReason(given: call.body.reason)
      // The tenant is checked before the lock, so that a client cannot delay bookings of another tenant.
      guard try AccountStore(tx).find(id, tenant: tenant.id) != nil,
        try removal.remove(
          call.body.customer_id.lowercased(), from: id, of: tenant.id, by: actor, ["reason": reason.rawValue], in: tx)
      else { throw Problem.notFound }
      return try calls.keep(accounts.look(id, of: tenant, in: tx), for: call, in: tx)
    }
  }

  @Sendable
  private func createCard(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, actor) = (PaymentCard.ID(rawValue: core.world.randomUUID()), context.client.actor)
    let (tenant, call) = try await read(request, context, BankCards.Order.self)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(
        cards.create(call.body, id: id, of: tenant, by: actor, in: tx), status: 201, for: call, in: tx)
    }
  }

  @Sendable
  private func block(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, actor) = (try context.parameters.requireUUID("id"), context.client.actor)
    let (tenant, call) = try await read(request, context, BankAccountBodies.CardBlock.self)
    let once = try FinapticCalls.orderKey(request)
    let key = "\(context.client.id) \(once ?? core.world.randomUUID())"
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.earlier(call, in: tx) { return earlier }
      let outcome = try cardBlocks.pass(call.body, id, of: tenant, key: .call(key), by: actor, in: tx)
      return try answer(outcome, call, isKeyed: once != nil, in: tx) { permit in
        try cardBlocks.set(call.body, id, of: tenant, by: actor, with: permit, in: tx)
      }
    }
  }

  /// What may take a second person. An answer that one is waited for is not kept, so that the same call acts later.
  /// - Throws: `Problem` bad request for what waits without a key, under which it could not be called again.
  private func answer<Body>(
    _ outcome: FourEyesGate.Outcome, _ call: FinapticCalls.Change<Body>, isKeyed: Bool, in tx: any SQLTransaction,
    _ act: (FourEyesGate.Permit) throws -> any Encodable & Sendable
  ) throws -> Response {
    if case .waiting(let approval) = outcome {
      guard isKeyed else {
        throw Problem(.badRequest, "missing-header", "What takes a second person needs an Idempotency-Key.")
      }
      return try Response.json(PostingBodies.Waiting(approval), status: .accepted)
    }
    if let earlier = try calls.claim(call, in: tx) { return earlier }
    guard case .open(let permit) = outcome else { throw FourEyesGate.alreadyUsed }
    return try calls.keep(act(permit), for: call, in: tx)
  }

  /// Reads a call, whose answer is kept for repetitions.
  private func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type
  ) async throws -> (tenant: FinapticTenant, call: FinapticCalls.Change<Body>) {
    let tenant = try await tenants.find(of: context.client, scope: .bank)
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    return (tenant, try calls.change(request, context, content, try content.decode(as: type)))
  }

  private static func id(_ context: Context) throws -> BankAccount.ID {
    .init(rawValue: try context.parameters.requireUUID("id"))
  }
}
