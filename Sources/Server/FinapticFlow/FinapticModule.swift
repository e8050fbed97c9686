// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// Finaptic: customers of a bank, by the SDK of the app that they already have.
package struct FinapticModule: Module {
  package static let name = "finaptic"
  package static func owns(tenant name: String) -> Bool { FinapticTenantName(name) != nil }

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
    PersonKeyStore.migration, RightsStore.screeningMigration, CardStore.blockMigration, PostingPolicyStore.migration,
    FinapticUserStore.stopMigration, RefusalStore.clearedMigration, BankActStore.migration,
    FourEyesPolicyStore.migration, PostingLimitStore.migration, SettlementStore.migration,
    BankPaymentStore.migration, BankPaymentStore.repeatMigration, SettlementStore.booksMigration,
    MonthlyStatementStore.migration,
    ScheduledPostingStore.migration, SettlementStore.ordersMigration, PaymentRecallStore.migration,
    BankPaymentStore.toldMigration, IssuerMessageStore.migration, CardSuspenseStore.migration,
    CardDisputeStore.migration, ConnectorStore.issuerMigration,
    CardMatterStore.migration, CardPaymentStore.dayMigration, CardSuspenseStore.writeOffMigration,
    OutgoingMessageStore.migration, TermsChangeStore.migration, OutgoingMessageStore.handedMigration,
    TermsChangeStore.toldMigration, SettlementStore.charactersMigration,
    ConnectorStore.interacMigration, AccountNumberStore.migration,
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

  package var effects: [String: OutboxWorker.Handler] { service.effects }

  package var jobs: [ScheduledJob] {
    let (ledger, dayEnd) = (service.dependencies.ledger, service.dependencies.dayEnd)
    let (conversations, statements) = (service.dependencies.conversations, service.dependencies.statements)
    let (outgoing, changes) = (service.dependencies.outgoingPayments, service.dependencies.termsChanges)
    let numbers = service.dependencies.accountNumbers
    return [
      ScheduledJob("overdue-holds") { try await ledger.sweepHolds() },
      ScheduledJob("account-numbers") { try await numbers.fillAll() },
      ScheduledJob("ended-days") { try await dayEnd.run() },
      ScheduledJob("terms-notices") { try await changes.tell() },
      ScheduledJob("parked-messages", every: .minutes(10)) { try await outgoing.retryDeadLettered() },
      ScheduledJob("monthly-statements", every: .minutes(10), retryAfter: .hours(1)) { try await statements.run() },
      // For customers who began to wait under a release that knew no cases.
      ScheduledJob("chat-cases", every: .hours(6), retryAfter: .minutes(10)) { try await conversations.openCases() },
    ]
      + service.jobs
  }

  package var exporter: (any SubjectExporter)? { service.dependencies.exporter }
  package var eraser: (any SubjectEraser)? { service.dependencies.erasure }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    let (dependencies, calls, limits) = (service.dependencies, service.calls, service.limits)
    let (groups, world) = (FinapticRouteGroups(service, root: root), dependencies.core.world)
    let library = dependencies.library
    ConfigurationRoutes(
      core: dependencies.core, publicURL: dependencies.policy.publicURL, catalogue: library.catalogue
    ).add(to: groups)
    AuthenticationRoutes(
      calls: calls, signUp: dependencies.signUp(keeping: calls.answers), signIn: dependencies.signIn,
      sessions: dependencies.sessionCommands(keeping: calls.answers), reset: dependencies.passwordReset,
      enrolment: dependencies.enrolment, limits: limits
    ).add(to: groups)
    ReferenceDataRoutes(calls: calls, catalogue: library.catalogue).add(to: groups)
    AddressRoutes(
      calls: calls, rates: limits.rates, applications: dependencies.applications, library: library
    ).add(to: groups)
    service.onboardingRoutes.add(to: groups)
    CoreBankingRoutes(calls: calls).add(to: groups)
    CoreTransactionRoutes(calls: calls).add(to: groups)
    PersonalFinanceRoutes(calls: calls).add(to: groups)
    service.distributionRoutes.add(to: groups)
    AuthorizedUserRoutes(
      calls: calls, invitations: dependencies.invitations, removal: dependencies.authorizedUserRemoval
    ).add(to: groups)
    CardRoutes(
      calls: calls, commands: dependencies.cardCommands, signOn: dependencies.cardSignOn, limits: limits
    ).add(to: groups)
    service.fileUploadRoutes.add(to: root)
    TransferRoutes(
      calls: calls, transfers: dependencies.transfers, incomingTransfers: dependencies.incomingTransfers
    ).add(to: groups)
    InteracRoutes(
      calls: calls, registrations: dependencies.registrations, transfers: dependencies.incomingTransfers
    ).add(to: groups)
    let live = LiveEvents(database: dependencies.core.database, world: world)
    let events = ServerSentEvents(live: live, world: world.machine)
    HelpCenterRoutes(
      calls: calls, commands: dependencies.helpCenter, events: events, sessions: dependencies.sessions,
      states: Sessions.states(in: dependencies.core.database)
    ).add(to: groups)
    let servers = root.clients(at: "", world: world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    let (tenants, sandbox) = (dependencies.tenants, dependencies.sandbox)
    let statements = StatementRoutes(calls: calls, statements: dependencies.statements, tenants: tenants)
    statements.add(to: groups)
    statements.add(to: servers)
    AgentChatRoutes(
      commands: dependencies.agentChats, tenants: tenants, sandbox: sandbox, events: events
    ).add(to: servers)
    BankAccountRoutes(
      calls: calls, accounts: dependencies.bankAccounts, removal: dependencies.authorizedUserRemoval,
      cardBlocks: dependencies.cardBlocks, cards: dependencies.bankCards, termsChanges: dependencies.termsChanges,
      tenants: tenants
    ).add(to: servers)
    PostingRoutes(
      calls: calls, postings: dependencies.postings, scheduled: dependencies.scheduledPostings,
      suspense: dependencies.cardSuspense, tenants: tenants
    ).add(to: servers)
    IssuerRoutes(
      core: dependencies.core, messages: dependencies.issuerMessages, disputes: dependencies.cardDisputes,
      tenants: tenants
    ).add(to: servers)
    InteracNetworkRoutes(
      core: dependencies.core, receiver: { dependencies.receiver(of: $0, by: $1) }, tenants: tenants
    ).add(to: servers)
    PaymentMessageRoutes(
      messages: dependencies.incomingMessages, outgoing: dependencies.outgoingPayments, tenants: tenants
    ).add(to: servers)
    PaymentOrderRoutes(
      core: dependencies.core, outgoing: dependencies.outgoingPayments, tenants: tenants
    ).add(to: servers)
    BankApprovalRoutes(approvals: dependencies.bankApprovals).add(to: servers)
    guard isSandbox else { return }
    SandboxRoutes(calls: calls, controls: sandbox).add(to: servers)
    CardPaymentRoutes(calls: calls, payments: dependencies.cardPayments, sandbox: sandbox).add(to: servers)
    SimulationRoutes(calls: calls, controls: sandbox) { try dependencies.simulation(of: $0, by: $1) }.add(to: servers)
  }
}

extension FinapticService {
  var onboardingRoutes: OnboardingRoutes {
    OnboardingRoutes(
      calls: calls, commands: dependencies.onboardingCommands, files: dependencies.files,
      validation: dependencies.validation(keeping: calls.answers), finalizing: dependencies.finalizing,
      catalogue: dependencies.library.catalogue)
  }

  var distributionRoutes: DistributionRoutes {
    DistributionRoutes(
      calls: calls, channels: ChannelCommands(core: dependencies.core, sessions: dependencies.sessions))
  }

  var fileUploadRoutes: FileUploadRoutes { FileUploadRoutes(files: dependencies.files, limits: limits) }
}
