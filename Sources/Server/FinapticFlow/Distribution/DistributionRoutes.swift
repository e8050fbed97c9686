import FinapticWire
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/distribution/…`: where pushes go (finaptic §3.7).
package struct DistributionRoutes: Sendable {
  private let service: FinapticService

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    groups.customers.post("distribution/registerChannel") { [service] request, context in
      let (core, id) = (service.dependencies.core, PushChannel.ID(service.dependencies.core.world))
      return try await service.change(
        request, context, FinapticAPI.RegisterChannelRequest.self, isolation: .serializable
      ) { body, tx in
        try ChannelCommands(core: core).register(
          body, id: id, tenant: context.tenant.id, customer: context.customer, by: context.actor, in: tx)
        return EmptyBody()
      }
    }
  }
}
