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

  private let service: FinapticService

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("onboarding")
    let (service, core) = (service, service.dependencies.core)
    let (invitations, removal) = (service.dependencies.invitations, service.dependencies.authorizedUserRemoval)
    group.post("inviteAuthorizedUser") { request, context in
      let (caller, id) = (FinapticCustomer(context), Invitation.ID(rawValue: core.world.randomUUID()))
      return try await service.change(
        request, context, Wire.InviteAuthorizedUserRequest.self, isolation: .serializable
      ) { try invitations.invite($0, id: id, by: caller, in: $1) }
    }
    for (path, event) in [
      ("acceptAuthorizedUserInvitation", InvitationEvent.accepted), ("declineAuthorizedUserInvitation", .declined),
    ] {
      group.post(RouterPath(path)) { request, context in
        let caller = FinapticCustomer(context)
        return try await service.change(request, context, Wire.InvitationRequest.self) {
          try invitations.answer(event, $0, by: caller, in: $1)
        }
      }
    }
    group.post("confirmAuthorizedUserInvitation") { request, context in
      let caller = FinapticCustomer(context)
      return try await service.change(
        request, context, Wire.InvitationRequest.self, isolation: .serializable
      ) { try invitations.confirm($0, by: caller, in: $1) }
    }
    group.post("removeAuthorizedUser") { request, context in
      let caller = FinapticCustomer(context)
      return try await service.change(
        request, context, Wire.RemoveAuthorizedUserRequest.self, isolation: .readCommitted
      ) { try removal.remove($0, by: caller, in: $1) }
    }
    group.post("getInvitations") { request, context in
      let caller = FinapticCustomer(context)
      return try await service.ask(request, EmptyBody.self) { _ in
        try await core.database.read { try invitations.list(of: caller, in: $0) }
      }
    }
  }
}
