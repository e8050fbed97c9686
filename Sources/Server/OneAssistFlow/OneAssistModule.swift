import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// OneAssist: phones that are covered once their owners have shown them.
package struct OneAssistModule: Module {
  package static let name = "oneassist"

  let room: OneAssistService
  let serviceClients: ServiceClients

  package init(_ room: OneAssistService, serviceClients: ServiceClients) {
    self.room = room
    self.serviceClients = serviceClients
  }

  package static let migrations: [Migration] = [
    PartnerStore.migration, MembershipStore.migration, TokenStore.migration, LinkStore.migration,
    DocumentStore.migration, ScreenStore.migration,
  ]

  package static var blobReferences: BlobReferences? {
    BlobReferences(
      page: { try OneAssistBlobStore.kept(after: $0, limit: $1, in: $2) },
      referenced: { try OneAssistBlobStore.referenced($0, in: $1) })
  }

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    OneAssistDialect.bases.map { ($0, OneAssistDialect()) } + [(ReviewDialect.base, ReviewDialect())]
  }

  package var effects: [String: OutboxWorker.Handler] { OneAssistEffects(room).handlers }

  package var jobs: [ScheduledJob] { OneAssistEffects(room).jobs }

  package var retention: [ScheduledJob] {
    let effects = OneAssistEffects(room)
    return [ScheduledJob("lapsed-oneassist-tokens") { try await effects.sweepMemory() }]
  }

  package var exporter: (any SubjectExporter)? { MembershipExporter(room.parts) }
  package var eraser: (any SubjectEraser)? {
    MembershipEraser(reviews: ReviewCommands(room), erasure: MembershipErasure(room.parts))
  }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    ActivationRoutes(room).add(to: root)
    let servers = root.clients(at: "", world: room.parts.world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    PartnerRoutes(room).add(to: servers)
    ReviewRoutes(room).add(to: servers.group(RouterPath(ReviewDialect.base)))
  }
}
