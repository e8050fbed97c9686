// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// Salt Edge: banks whose customers confirm with the Authenticator.
package struct SaltEdgeModule: Module {
  package static let name = "saltedge"

  let service: SaltEdgeService
  let saltEdgeEffects: SaltEdgeEffects
  let serviceClients: ServiceClients
  let idempotency: Idempotency
  let approvalPage: @Sendable () throws -> Response

  /// - Parameter approvalPage: what a device shows until its link is allowed.
  package init(
    _ service: SaltEdgeService, effects: SaltEdgeEffects, serviceClients: ServiceClients, idempotency: Idempotency,
    approvalPage: @escaping @Sendable () throws -> Response
  ) {
    (self.service, self.approvalPage) = (service, approvalPage)
    saltEdgeEffects = effects
    self.serviceClients = serviceClients
    self.idempotency = idempotency
  }

  package static var settings: (any ModuleSettings.Type)? { SaltEdgeSettings.self }

  package static let migrations: [Migration] = [
    ProviderStore.migration, ProviderStore.suspensionMigration, ProviderStore.returnMigration,
    ConnectionStore.migration, ConnectionStore.retentionMigration, ConnectionStore.expiryMigration,
    AuthorizationStore.migration, AuthorizationStore.decidedMigration,
    AuthorizationStore.additionMigration,
    ConsentStore.migration, OperationStore.migration, LinkStore.approvalMigration,
    LinkStore.userMigration, SpentStore.migration, OperationStore.createdMigration,
  ]

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    SaltEdgeDialect.bases.map { ($0, SaltEdgeDialect()) } + [(ProviderDialect.base, ProviderDialect())]
  }

  package var effects: [String: OutboxWorker.Handler] { saltEdgeEffects.handlers }

  package var jobs: [ScheduledJob] { saltEdgeEffects.jobs }

  package var retention: [ScheduledJob] {
    [ScheduledJob("spent-saltedge-requests") { [saltEdgeEffects] in try await saltEdgeEffects.sweepMemory() }]
  }

  package var exporter: (any SubjectExporter)? { UserExporter(service.core) }
  package var eraser: (any SubjectEraser)? { UserErasure(service.core) }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    V1Routes(service).add(to: root)
    LinkApprovalRoutes(service, page: approvalPage).add(to: root)
    V2Routes(service).add(to: root.group("api/authenticator/v2"))
    BankRoutes(service).add(to: root.group("api/sca/v1"))
    let servers = root.clients(at: ProviderDialect.base, world: service.core.world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    ProviderRoutes(service, idempotency: idempotency).add(to: servers)
  }
}
