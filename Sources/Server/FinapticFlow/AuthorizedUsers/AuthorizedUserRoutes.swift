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

  private let room: FinapticService
  private var parts: FinapticDependencies { room.parts }
  private var commands: InvitationCommands { parts.invitations }

  package init(_ room: FinapticService) { self.room = room }

  package func add(to doors: FinapticRouteGroups) {
    let group = doors.customers.group("onboarding")
    group.post("inviteAuthorizedUser", use: invite)
    group.post("acceptAuthorizedUserInvitation", use: accept)
    group.post("declineAuthorizedUserInvitation", use: decline)
    group.post("confirmAuthorizedUserInvitation", use: confirm)
    group.post("removeAuthorizedUser", use: remove)
    group.post("getInvitations", use: list)
  }

  @Sendable
  private func invite(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let (caller, id) = (FinapticCustomer(context), Invitation.ID(rawValue: parts.core.world.randomUUID()))
    return try await room.change(
      request, context, Wire.InviteAuthorizedUserRequest.self, isolation: .serializable
    ) { [commands] in
      try commands.invite($0, id: id, by: caller, in: $1)
    }
  }

  @Sendable
  private func accept(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await answer(.accepted, request, context)
  }

  @Sendable
  private func decline(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await answer(.declined, request, context)
  }

  private func answer(
    _ event: InvitationEvent, _ request: Request, _ context: FinapticCustomerContext
  ) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await room.change(request, context, Wire.InvitationRequest.self) { [commands] in
      try commands.answer(event, $0, by: caller, in: $1)
    }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await room.change(
      request, context, Wire.InvitationRequest.self, isolation: .serializable
    ) { [commands] in
      try commands.confirm($0, by: caller, in: $1)
    }
  }

  @Sendable
  private func remove(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await room.change(
      request, context, Wire.RemoveAuthorizedUserRequest.self, isolation: .readCommitted
    ) { [removal = parts.authorizedUserRemoval] in
      try removal.remove($0, by: caller, in: $1)
    }
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await room.ask(request, EmptyBody.self) { [parts, commands] _ in
      try await parts.core.database.read { try commands.list(of: caller, in: $0) }
    }
  }
}
