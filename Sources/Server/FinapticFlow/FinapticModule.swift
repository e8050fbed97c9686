import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// Finaptic: customers of a bank, by the SDK of the app that they already have.
package struct FinapticModule: Module {
  package static let name = "finaptic"

  let room: FinapticService
  let serviceClients: ServiceClients
  let isSandbox: Bool

  /// - Parameter isSandbox: adds the routes that tests of banks need and that real customers must not reach.
  package init(_ room: FinapticService, serviceClients: ServiceClients, isSandbox: Bool) {
    self.room = room
    self.serviceClients = serviceClients
    self.isSandbox = isSandbox
  }

  package static let migrations: [Migration] = [
    TenantStore.migration, FinapticUserStore.migration, AccountLinkStore.migration, SecondFactorStore.migration,
    OnboardingStore.migration, ClientProfileStore.migration, OpenedProductStore.migration, FileStore.migration,
    RefusalStore.migration, EventEndpointStore.migration, BundleStore.migration, FaultStore.migration,
    RegistrationStore.migration, IncomingTransferStore.migration, BankTransactionStore.migration,
    DayEndStore.migration, RightsStore.migration, EventEndpointStore.movingMigration, PushChannelStore.migration,
    InvitationStore.migration, CardStore.migration, CardTokenStore.migration, CardPaymentStore.migration,
  ]

  package static var blobReferences: BlobReferences? {
    BlobReferences(
      page: { try FinapticBlobStore.kept(after: $0, limit: $1, in: $2) },
      referenced: { try FinapticBlobStore.referenced($0, in: $1) })
  }

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    [
      (FinapticDialect.base, FinapticDialect()), (SandboxDialect.base, SandboxDialect()),
      (ChatDeskDialect.base, ChatDeskDialect()),
    ]
  }

  package var effects: [String: OutboxWorker.Handler] { FinapticEffects(room).handlers }

  package var jobs: [ScheduledJob] {
    let (ledger, dayEnd) = (room.parts.ledger, DayEnd(room))
    return [
      ScheduledJob("overdue-holds") { try await ledger.sweepHolds() },
      ScheduledJob("ended-days") { try await dayEnd.run() },
    ]
      + FinapticEffects(room).jobs
  }

  package var exporter: (any SubjectExporter)? { FinapticExporter(room) }
  package var eraser: (any SubjectEraser)? { FinapticErasure(room) }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    let (doors, world) = (FinapticRouteGroups(room, root: root), room.parts.world)
    ConfigurationRoutes(room).add(to: doors)
    AuthenticationRoutes(room).add(to: doors)
    ReferenceDataRoutes(room).add(to: doors)
    AddressRoutes(room, admit: OnboardingRoutes.admission(room)).add(to: doors)
    OnboardingRoutes(room).add(to: doors)
    CoreBankingRoutes(room).add(to: doors)
    CoreTransactionRoutes(room).add(to: doors)
    PersonalFinanceRoutes(room).add(to: doors)
    DistributionRoutes(room).add(to: doors)
    AuthorizedUserRoutes(room).add(to: doors)
    CardRoutes(room).add(to: doors)
    FileUploadRoutes(room).add(to: root)
    TransferRoutes(room).add(to: doors)
    InteracRoutes(room).add(to: doors)
    let events = ServerSentEvents(live: LiveEvents(database: room.parts.database, world: world), world: world)
    HelpCenterRoutes(room, events: events).add(to: doors)
    let servers = root.clients(at: "", world: world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    ChatDeskRoutes(room, events: events).add(to: servers)
    BankDeskRoutes(room).add(to: servers)
    guard isSandbox else { return }
    SandboxRoutes(room).add(to: servers)
    CardPaymentRoutes(room).add(to: servers)
    SimulationRoutes(room).add(to: servers)
  }
}
