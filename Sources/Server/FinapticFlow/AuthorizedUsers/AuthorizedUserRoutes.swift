// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/onboarding/…`: who else may use an account (finaptic §3.2). Invitations are decided serially: of what is
/// decided from a row that is not there, no other call may write that row meanwhile. A removal takes the account, which
/// may be one on which much is booked: it waits its turn instead of running again and again.
package struct AuthorizedUserRoutes: Sendable {
  private typealias Wire = FinapticAPI

  let calls: FinapticCalls
  let invitations: InvitationCommands
  let removal: AuthorizedUserRemoval
  private var core: CoreDependencies { calls.core }

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("onboarding")
    group.post("inviteAuthorizedUser", use: invite)
    group.post("acceptAuthorizedUserInvitation") { try await answer(.accepted, $0, $1) }
    group.post("declineAuthorizedUserInvitation") { try await answer(.declined, $0, $1) }
    group.post("confirmAuthorizedUserInvitation", use: confirm)
    group.post("removeAuthorizedUser", use: remove)
    group.post("getInvitations", use: list)
  }

  @Sendable
  private func invite(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let id = Invitation.ID(rawValue: core.world.randomUUID())
    let call = try await calls.read(request, context, Wire.InviteAuthorizedUserRequest.self)
    return try await core.database.writeOnce(.serializable) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try invitations.invite(call.body, id: id, by: FinapticCustomer(context), in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  private func answer(
    _ event: InvitationEvent, _ request: Request, _ context: FinapticCustomerContext
  ) async throws -> Response {
    let call = try await calls.read(request, context, Wire.InvitationRequest.self)
    return try await core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try invitations.answer(event, call.body, by: FinapticCustomer(context), in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let call = try await calls.read(request, context, Wire.InvitationRequest.self)
    return try await core.database.writeOnce(.serializable) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try invitations.confirm(call.body, by: FinapticCustomer(context), in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func remove(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let call = try await calls.read(request, context, Wire.RemoveAuthorizedUserRequest.self)
    return try await core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try removal.remove(call.body, by: FinapticCustomer(context), in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    _ = try await calls.body(request, EmptyBody.self)
    return try Response.json(
      try await core.database.read { try invitations.list(of: FinapticCustomer(context), in: $0) })
  }
}
