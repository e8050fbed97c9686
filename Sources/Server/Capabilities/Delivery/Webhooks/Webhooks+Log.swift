// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What people and pages learn of endpoints and of what was sent to them. Bodies and secrets are never shown.
extension Webhooks {
  /// How an endpoint does.
  package struct Status: Sendable, Equatable {
    package let counts: [WebhookDelivery.State: Int]
    /// Until when it is left alone; nil while it is called.
    package let restsUntil: Instant?
  }

  /// An endpoint, with how it does. What was delivered is not counted.
  package struct EndpointReport: Sendable {
    package let endpoint: WebhookEndpoint
    package let status: Status
  }

  /// Endpoints, by tenant: the first `listMax` of them.
  /// - Parameter tenant: nil is every tenant.
  package func reports(tenant: TenantID? = nil) async throws -> [EndpointReport] {
    let now = world.now()
    return try await database.read { [vault] tx in
      let endpoints = try WebhookEndpointStore(tx, vault: vault).list(tenant: tenant, limit: Self.listMax)
      let counts = try WebhookLogStore(tx).openCounts(of: nil)
      let rests = try WebhookTurnStore(tx).rests(at: now)
      return endpoints.map {
        EndpointReport(endpoint: $0, status: Status(counts: counts[$0.id] ?? [:], restsUntil: rests[$0.id]))
      }
    }
  }

  /// - Throws: `Problem` not found.
  package func report(of id: WebhookEndpoint.ID) async throws -> EndpointReport {
    let now = world.now()
    return try await database.read { [vault] tx in
      guard let endpoint = try WebhookEndpointStore(tx, vault: vault).find(id) else { throw Problem.missing(.endpoint) }
      let counts = try WebhookLogStore(tx).openCounts(of: id)[id] ?? [:]
      let restsUntil = try WebhookTurnStore(tx).pace(id)?.resumesAt
      return EndpointReport(
        endpoint: endpoint, status: Status(counts: counts, restsUntil: restsUntil.flatMap { $0 > now ? $0 : nil }))
    }
  }

  /// The newest first.
  package func log(_ filter: WebhookLogStore.Filter) async throws -> [WebhookDelivery] {
    try await database.read { try WebhookLogStore($0).list(filter) }
  }

  /// A page of what one endpoint was sent, the newest first.
  /// - Parameter cursor: where the page before it ended; nil is the first.
  package func log(
    of id: WebhookEndpoint.ID, in state: WebhookDelivery.State?, before cursor: WebhookLogStore.Cursor?, limit: Int
  ) async throws -> [WebhookDelivery] {
    try await database.read { try WebhookLogStore($0).page(of: id, in: state, before: cursor, limit: limit) }
  }

  /// - Throws: `Problem` not found, also for one of another endpoint.
  package func delivery(
    _ id: WebhookDelivery.ID, to endpoint: WebhookEndpoint.ID
  ) async throws -> WebhookDelivery {
    let row = try await database.read { [vault] in try WebhookDeliveryStore($0, vault: vault).find(id) }
    guard let delivery = row?.delivery, delivery.endpoint == endpoint else { throw Problem.missing(.delivery) }
    return delivery
  }
}

extension Problem {
  package static let deliveryChanged = Problem(
    .conflict, "delivery-changed", "It has changed since you looked. This is how it stands now.")
}
