// SPDX-License-Identifier: Apache-2.0

import Activations
import HTTP
import Hummingbird
import Identity
import Kit
import PowerAuthHTTP
import Storage

/// Wultra Digital Onboarding: how a person makes a device their own, and how an institution proves who they are.
package struct WultraModule: Module {
  package static let name = "wultra"
  package static let reviewBase = "/api/v1/wultra"

  let dossiers: Dossiers
  let wultraEffects: WultraEffects
  let activations: Activations
  let serviceClients: ServiceClients
  /// The path before `/api`.
  let base: String
  let erasures: SubjectErasures

  package init(
    _ service: WultraService, activations: Activations, serviceClients: ServiceClients, erasures: SubjectErasures,
    base: String
  ) {
    (dossiers, wultraEffects, self.erasures) = (service.dossiers, service.effects, erasures)
    self.activations = activations
    self.serviceClients = serviceClients
    self.base = base
  }

  package static var settings: (any ModuleSettings.Type)? { WultraSettings.self }

  package static let migrations: [Migration] = [
    ProcessStore.migration, IdentityVerificationStore.migration, SubmittedDocumentStore.migration,
    CaptureStore.migration, ConsentStore.migration, ReviewStore.migration, ConsentStore.decisionMigration,
    ProcessStore.erasureMigration, ReviewStore.reasonMigration, ProcessTraitStore.migration,
    ProcessTraitStore.verificationMigration, ReviewStore.checksMigration,
  ]

  package static var blobReferences: BlobReferences? {
    BlobReferences(
      page: { try WultraBlobStore.kept(after: $0, limit: $1, in: $2) }, keys: { WultraBlobStore.keys(of: $0) },
      referenced: { try WultraBlobStore.referenced($0, in: $1) },
      sealed: SealedObjects("wultra_picture") { try WultraBlobStore.owner(of: $0, in: $1) })
  }

  package static let sealedColumns =
    [
      SealedColumn("wultra_process", "person", of: "id", tenant: "tenant_id", system: name),
      SealedColumn(
        "wultra_document", "filename", of: "process_id", through: .init("wultra_verification", by: "verification_id")),
      SealedColumn(
        "wultra_document", "reading", of: "process_id", through: .init("wultra_verification", by: "verification_id")),
    ] + ReviewStore.sealedColumns

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    [(Self.reviewBase, BackEndDialect())] + devicePaths.map { ($0, DeviceDialect(own: Problem.wultraNames)) }
  }

  /// What the paths begin with that devices call: all below a path of one's own, calls of later versions among them.
  private var devicePaths: [String] {
    // Without such a path `/api` has calls of other modules too.
    base.isEmpty
      ? ["/api/onboarding", "/api/identity", "/api/configuration", "/api/presence-check"] : ["\(base)/api"]
  }

  package var effects: [String: OutboxWorker.Handler] { wultraEffects.handlers }

  package var jobs: [ScheduledJob] {
    let reviews = ReviewCommands(dossiers: dossiers)
    return [
      ScheduledJob("lapsed-wultra-processes") { [wultraEffects] in try await wultraEffects.sweepLapsed() },
      // For what began to wait under a release that knew no cases.
      ScheduledJob("wultra-cases", every: .hours(6), retryAfter: .minutes(10)) { try await reviews.openCases() },
    ]
  }

  package var retention: [ScheduledJob] {
    let erasure = UserErasure(dossiers: dossiers, erasures: erasures)
    return [ScheduledJob("ended-wultra-processes") { try await erasure.sweepEnded() }]
  }

  package var exporter: (any SubjectExporter)? { UserExporter(dossiers: dossiers) }
  package var eraser: (any SubjectEraser)? { UserErasure(dossiers: dossiers, erasures: erasures) }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    WultraRoutes(
      dossiers: dossiers, activations: activations, adapter: wultraEffects.adapter, documents: wultraEffects.documents,
      presence: wultraEffects.presence
    ).add(to: root.group(RouterPath(base)))
    let servers = root.clients(at: Self.reviewBase, world: dossiers.core.world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    ReviewRoutes(commands: ReviewCommands(dossiers: dossiers)).add(to: servers)
  }
}
