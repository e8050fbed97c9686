// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// OneAssist: phones that are covered once their owners have shown them.
package struct OneAssistModule: Module {
  package static let name = "oneassist"

  let service: OneAssistService
  let serviceClients: ServiceClients

  package init(_ service: OneAssistService, serviceClients: ServiceClients) {
    self.service = service
    self.serviceClients = serviceClients
  }

  package static var settings: (any ModuleSettings.Type)? { OneAssistSettings.self }

  package static let migrations: [Migration] = [
    PartnerStore.migration, MembershipStore.migration, TokenStore.migration, LinkStore.migration,
    DocumentStore.migration, ScreenStore.migration,
  ]

  package static var blobReferences: BlobReferences? {
    BlobReferences(
      page: { try OneAssistBlobStore.kept(after: $0, limit: $1, in: $2) },
      referenced: { try OneAssistBlobStore.referenced($0, in: $1) },
      sealed: SealedObjects(
        "oneassist_photo", subject: { try OneAssistBlobStore.keySubject(of: $0, in: $1) },
        context: { Photo.context(.init(rawValue: $0)) }))
  }

  package static let sealedColumns = [
    SealedColumn("oneassist_membership", "content", of: "id", tenant: "partner_id", system: name),
    SealedColumn("oneassist_link", "sealed", of: "membership_id"),
    SealedColumn("oneassist_screen", "sealed", of: "membership_id"),
  ]

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    OneAssistDialect.bases.map { ($0, OneAssistDialect()) } + [(ReviewDialect.base, ReviewDialect())]
  }

  package var effects: [String: OutboxWorker.Handler] { service.effects.handlers }

  package var jobs: [ScheduledJob] { service.effects.jobs }

  package var retention: [ScheduledJob] {
    let effects = service.effects
    return [ScheduledJob("lapsed-oneassist-tokens") { try await effects.sweepMemory() }]
  }

  package var exporter: (any SubjectExporter)? { service.exporter }
  package var eraser: (any SubjectEraser)? {
    MembershipEraser(memberships: service.memberships, reviews: service.reviews, erasure: service.erasure)
  }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    ActivationRoutes(service).add(to: root)
    let servers = root.clients(at: "", world: service.core.world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    PartnerRoutes(service).add(to: servers)
    ReviewRoutes(service).add(to: servers.group(RouterPath(ReviewDialect.base)))
  }
}
