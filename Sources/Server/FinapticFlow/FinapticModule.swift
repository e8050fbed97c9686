import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// Finaptic: customers of a bank, by the SDK of the app that they already have.
package struct FinapticModule: Module {
  package static let name = "finaptic"

  let service: FinapticService
  let serviceClients: ServiceClients
  let isSandbox: Bool

  /// - Parameter isSandbox: adds the routes that tests of banks need and that real customers must not reach.
  package init(_ service: FinapticService, serviceClients: ServiceClients, isSandbox: Bool) {
    self.service = service
    self.serviceClients = serviceClients
    self.isSandbox = isSandbox
  }

  package static var settings: (any ModuleSettings.Type)? { FinapticSettings.self }

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
      (FinapticServerDialect.base, FinapticServerDialect()),
    ]
  }

  package var effects: [String: OutboxWorker.Handler] { FinapticEffects(service).handlers }

  package var jobs: [ScheduledJob] {
    let (ledger, dayEnd) = (service.dependencies.ledger, service.dependencies.dayEnd)
    let conversations = service.dependencies.conversations
    return [
      ScheduledJob("overdue-holds") { try await ledger.sweepHolds() },
      ScheduledJob("ended-days") { try await dayEnd.run() },
      // For customers who began to wait under a release that knew no cases.
      ScheduledJob("chat-cases", every: .hours(6), retryAfter: .minutes(10)) { try await conversations.openCases() },
    ]
      + FinapticEffects(service).jobs
  }

  package var exporter: (any SubjectExporter)? { service.dependencies.exporter }
  package var eraser: (any SubjectEraser)? { service.dependencies.erasure }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    let (groups, world) = (FinapticRouteGroups(service, root: root), service.dependencies.core.world)
    ConfigurationRoutes(service).add(to: groups)
    AuthenticationRoutes(service).add(to: groups)
    ReferenceDataRoutes(service).add(to: groups)
    AddressRoutes(service).add(to: groups)
    OnboardingRoutes(service).add(to: groups)
    CoreBankingRoutes(service).add(to: groups)
    CoreTransactionRoutes(service).add(to: groups)
    PersonalFinanceRoutes(service).add(to: groups)
    DistributionRoutes(service).add(to: groups)
    AuthorizedUserRoutes(service).add(to: groups)
    CardRoutes(service).add(to: groups)
    FileUploadRoutes(service).add(to: root)
    TransferRoutes(service).add(to: groups)
    InteracRoutes(service).add(to: groups)
    let events = ServerSentEvents(
      live: LiveEvents(database: service.dependencies.core.database, world: world), world: world)
    HelpCenterRoutes(service, events: events).add(to: groups)
    let servers = root.clients(at: "", world: world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    AgentChatRoutes(service, events: events).add(to: servers)
    BankAccountRoutes(service).add(to: servers)
    guard isSandbox else { return }
    SandboxRoutes(service).add(to: servers)
    CardPaymentRoutes(service).add(to: servers)
    SimulationRoutes(service).add(to: servers)
  }
}
