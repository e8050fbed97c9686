// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/distribution/…`: where pushes go (finaptic §3.7).
package struct DistributionRoutes: Sendable {
  let calls: FinapticCalls
  let channels: ChannelCommands

  package func add(to groups: FinapticRouteGroups) {
    groups.customers.post("distribution/registerChannel", use: register)
  }

  @Sendable
  private func register(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let id = PushChannel.ID(calls.core.world)
    let call = try await calls.read(request, context, FinapticAPI.RegisterChannelRequest.self)
    return try await calls.core.database.writeOnce(.serializable) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      try channels.register(
        call.body, id: id, tenant: context.tenant.id, customer: context.customer, by: context.user, in: tx)
      return try calls.keep(EmptyBody(), for: call, in: tx)
    }
  }
}
