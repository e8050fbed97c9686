import FinapticWire
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/distribution/…`: where pushes go (finaptic §3.7).
package struct DistributionRoutes: Sendable {
  private let room: FinapticService

  package init(_ room: FinapticService) { self.room = room }

  package func add(to doors: FinapticRouteGroups) {
    doors.customers.post("distribution/registerChannel", use: register)
  }

  @Sendable
  private func register(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let id = PushChannel.ID(room.parts.core.world)
    return try await room.change(
      request, context, FinapticAPI.RegisterChannelRequest.self, isolation: .serializable
    ) { [core = room.parts.core] body, tx in
      try ChannelCommands(core: core).register(
        body, id: id, tenant: context.tenant.id, customer: context.customer, by: context.actor, in: tx)
      return EmptyBody()
    }
  }
}
