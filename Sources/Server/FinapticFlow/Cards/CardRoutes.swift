// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/finaptic/v1/coreCard/…` (finaptic §3.5), and the card processor's one call.
package struct CardRoutes: Sendable {
  private typealias Wire = FinapticAPI

  let calls: FinapticCalls
  let commands: CardCommands
  let signOn: CardSignOn
  let limits: NetworkLimits
  private var core: CoreDependencies { calls.core }

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("coreCard")
    group.post("getCard", use: get)
    group.post("listCards", use: list)
    group.post("createCardSDKSignOnToken", use: makeToken)
    group.post("createAuthorizedUserCard", use: create)
    group.post("lockCard") { try await setLocked(true, $0, $1) }
    group.post("unlockCard") { try await setLocked(false, $0, $1) }
    groups.keyed.group("cardProcessor").post("showCard", use: show)
  }

  @Sendable
  private func get(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, Wire.CardRequest.self)
    return try Response.json(
      try await core.database.read { try commands.get(asked, for: FinapticCustomer(context), in: $0) })
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, Wire.PageRequest.self)
    return try Response.json(
      try await core.database.read { try commands.list(asked, for: FinapticCustomer(context), in: $0) })
  }

  @Sendable
  private func create(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let id = PaymentCard.ID(rawValue: core.world.randomUUID())
    let call = try await calls.read(request, context, Wire.CreateAuthorizedUserCardRequest.self)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try commands.create(call.body, id: id, by: FinapticCustomer(context), in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  private func setLocked(
    _ isLocked: Bool, _ request: Request, _ context: FinapticCustomerContext
  ) async throws -> Response {
    let call = try await calls.read(request, context, Wire.CardRequest.self)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try commands.setLocked(isLocked, call.body, by: FinapticCustomer(context), in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  // MARK: Showing the number

  @Sendable
  private func makeToken(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let token = "fnc_" + core.secret()
    let call = try await calls.read(request, context, Wire.CardRequest.self)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try signOn.make(call.body, token: token, by: FinapticCustomer(context), key: context.key, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  /// Never remembered for a repetition, whatever its headers say: the answer is a card's number.
  @Sendable
  private func show(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await limits.guardingLinks(of: context.clientAddress) {
      let asked = try await calls.body(request, Wire.ShowCardRequest.self)
      var response = try Response.json(try await signOn.show(asked, key: context.key))
      response.headers[.cacheControl] = "no-store"
      return response
    }
  }
}
