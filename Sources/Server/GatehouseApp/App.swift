// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import Console
import CryptoExtras
import Delivery
import Evidence
import FinapticFlow
import Foundation
import GatehouseWire
import HTTP
import Hummingbird
import Identity
import Kit
import Logging
import OneAssistFlow
import PowerAuthHTTP
import RubixFlow
import RubixWire
import SaltEdgeFlow
import Screening
import ServiceLifecycle
import Storage
import WultraFlow

/// The composition root: everything that runs, put together in one place, read from top to bottom.
package struct App: Sendable {
  package let settings: Settings
  package let world: World
  /// What moves the time of a sandbox; nil where there are customers.
  package let sandboxClock: SandboxClock?
  package let logger: Logger
  package let database: any SQLDatabase
  package let vault: Vault
  /// What the commands of every flow share.
  package let signer: AccessTokenSigner
  let passwordThreads: PasswordThreads
  package let staff: Staff
  /// Staff who come by their institution's identity provider.
  package let staffOpenID: StaffOpenID
  /// Devices that people made their own (PowerAuth), by every way to activate one.
  package let activations: Activations
  package let wultra: WultraService
  package let devOutbox: DevOutbox
  package let tenants: Tenants
  package let core: CoreDependencies
  /// Keeps a case for whatever waits for a person.
  package let caseService: CaseService
  /// Runs beside those who use a bucket; a folder needs none.
  let blobService: (any Service)?
  /// Makes checkpoints of the audit log; nil when the settings name no place for them.
  package let auditCheckpoints: AuditCheckpoints?
  let anchorService: (any Service)?
  package let rubix: RubixService
  let effects: RubixEffects
  package let serviceClients: ServiceClients
  package let saltEdge: SaltEdgeService
  package let saltEdgeEffects: SaltEdgeEffects
  /// Nil unless the settings name one.
  let demoBank: DemoBank?
  package let webhooks: Webhooks
  /// Nil leaves TLS to a proxy.
  let certificate: (any ServerCertificate)?
  package let oneAssist: OneAssistService
  package let finaptic: FinapticService
  /// The words of messages.
  let texts: MessageTexts
  let entries: [ModuleEntry]
  let evidence: EvidenceReader
  let telemetry: Telemetry
  /// How customers go through the flows.
  let figures: FlowFigures
  let messenger: Messenger
  /// Whether this process is on its way out.
  package let drain = Drain()
  let faces: FaceComparison
  let liveness: Liveness
  let screening: ScreeningProvider
  /// Where every search of this node finds the lists.
  package let screeningSource: ScreeningSource
  /// The lists in the store.
  package let screeningLists: ScreeningLists

  /// Opens the stores, migrates them and makes every part.
  /// - Parameters:
  ///   - messenger: makes what takes the place of the gateways that the settings name.
  ///   - makeKey: draws RSA keys, which takes long; a test gives known ones.
  ///   - modules: what the application is made of.
  package static func open(
    _ settings: Settings, database given: (any SQLDatabase)? = nil, world other: World? = nil, logger: Logger,
    passwordCost: PasswordCost = .standard, messenger: ((DevOutbox) -> Messenger)? = nil,
    makeKey: @escaping SaltEdgeService.KeyMaker = { try .generate() }, modules: [ModuleEntry] = product
  ) async throws -> App {
    let machine = other ?? settings.world
    let database = try given ?? settings.database()
    try await database.migrate(Schema.migrations(with: modules))
    let clock = try await sandboxClock(database, settings)
    let world = clock?.world(over: machine) ?? machine
    let vault = try await openVault(database, settings, world)
    try settings.makeDataFolder()
    try await beginAudit(database, Audit(world: world, vault: vault), vault, settings, logger)
    let signer = try await AccessTokenSigner.open(database, vault: vault, world: world)
    return try App(settings, database, vault, signer, world, clock, logger, passwordCost, messenger, makeKey, modules)
  }

  /// Marks the audit log of a new installation as keyed from its beginning. An older one is sealed by hand, for servers
  /// of the release before may still write to it. The key ring of one that was sealed learns so.
  private static func beginAudit(
    _ database: any SQLDatabase, _ audit: Audit, _ vault: Vault, _ settings: Settings, _ logger: Logger
  ) async throws {
    if try await !database.read(audit.hasSeal) {
      try await database.write(retrying: .outdatedOrDuplicate) { try audit.begin(in: $0) }
    }
    switch (try await database.read(audit.hasSeal), vault.isAuditSealed) {
    case (true, true): break
    case (true, false):
      do { try settings.markAuditSealed() } catch {
        logger.warning("the key ring cannot be told that the audit log is sealed", metadata: .error(error))
      }
    case (false, true): logger.error("the audit log has lost its seal: run gatehouse audit verify")
    case (false, false):
      logger.warning("the audit log is not sealed: run gatehouse audit seal when every node runs this release")
    }
  }

  private init(
    _ settings: Settings, _ database: any SQLDatabase, _ vault: Vault, _ signer: AccessTokenSigner, _ world: World,
    _ clock: SandboxClock?, _ logger: Logger, _ passwordCost: PasswordCost, _ given: ((DevOutbox) -> Messenger)?,
    _ makeKey: @escaping SaltEdgeService.KeyMaker, _ entries: [ModuleEntry]
  ) throws {
    self.settings = settings
    self.entries = entries
    self.world = world
    sandboxClock = clock
    self.database = database
    self.vault = vault
    self.signer = signer
    tenants = try settings.tenants()
    certificate = try settings.serverCertificate()
    let store = try settings.blobStore(world: world.machine)
    blobService = store.service
    let anchor = try settings.auditAnchor(world: world.machine)
    auditCheckpoints = anchor.map {
      AuditCheckpoints(database: database, vault: vault, world: world, anchor: $0.anchor)
    }
    anchorService = anchor?.service
    telemetry = try Telemetry(settings.operations, world: world.machine, logger: logger)
    let logger = telemetry.exporting(logger)
    self.logger = logger
    figures = FlowFigures(database: database, world: world, flows: FiguresRoutes.flows)
    let moves = telemetry.moves.moves.keeping(figures)
    caseService = CaseService(
      database: database, world: world, vault: vault,
      policy: try settings[CaseworkSettings.self].policy(institutions: tenants.all.map(\.id)),
      program: ProductVersion.current, moves: moves)
    let core = CoreDependencies(
      database: database, world: world, vault: vault, blobs: store.blobs, moves: moves,
      cases: caseService)
    let (audit, limits) = (core.audit, core.limits)
    func sessions(_ policy: Sessions.Policy) -> Sessions {
      Sessions(policy: policy, signer: signer, vault: vault, limits: limits, audit: audit, world: world)
    }
    self.core = core
    rubix = RubixService(
      core: core, tenants: tenants, sessions: sessions(.rubixCustomers), agentSessions: sessions(.rubixAgents),
      callPages: settings.consoleAddress, recordsCalls: settings.calls.recording?.isOn == true)
    serviceClients = ServiceClients(database: database, vault: vault, audit: audit, world: world)
    saltEdge = SaltEdgeService(
      core, policy: settings[SaltEdgeSettings.self].policy(port: settings.port), makeKey: makeKey)
    demoBank = try settings.demoBankService(core)
    passwordThreads = PasswordThreads(demoBank: demoBank?.threads)
    let providers = try settings.openIDRegistrations()
    staff = Staff(
      core: core, threads: passwordThreads.staff, cost: passwordCost,
      withoutPasswords: Set(providers.filter { !$0.provider.allowsPasswords }.map(\.provider.tenant)))
    // What a provider says is by its own clock.
    staffOpenID = StaffOpenID(staff, settings.openIDClients(providers, world: world.machine))

    let ownActivations = Activations(
      database: database, vault: vault, audit: audit, world: world, moves: moves,
      policy: settings[PowerAuthSettings.self].activationPolicy, cases: core.cases)

    evidence = EvidenceReader(settings: settings.evidence, execution: settings.evidenceExecution)
    let models =
      try settings.loadedModels
      ?? settings.modelsFolder.map { try LoadedModels(ModelFolder($0), thresholds: settings.faceThresholds) }
    faces = models?.faces(on: evidence.queue) ?? .inconclusive
    liveness = models?.liveness(on: evidence.queue) ?? .inconclusive
    screeningLists = ScreeningLists(core)
    screeningSource = try settings.screeningSource(screeningLists, logger)
    screening = .lists(screeningSource)
    devOutbox = DevOutbox(database: database, vault: vault, world: world)
    let push = settings.push.gateway(world: world, otherwise: settings.keepsMessages ? devOutbox.push : .none)
    webhooks = settings.webhooks.capability(
      database: database, vault: vault, world: world, hasDemoBank: demoBank != nil,
      ownAuthorityFile: settings[WultraSettings.self].institutionCA)
    saltEdgeEffects = SaltEdgeEffects(saltEdge, webhooks: webhooks, push: push)
    let threads = BlockingThreadPool("messages", width: 4)
    // Messages to customers hold live codes, so that they are never kept for a page.
    let kept = settings.isSandbox ? devOutbox.messenger : .absent
    let smsRules = try settings.smsRules()
    messenger =
      try
      (given?(devOutbox)
      ?? Messenger(
        sms: settings.sms.map { .http($0, world: world, threads: threads) } ?? kept.sms,
        mail: settings.smtp.map { .smtp(try $0.settings(), world: world, threads: threads) } ?? kept.mail)).within(
        smsRules, core
      ).recorded(in: .telling(logger, core))
    texts = try settings.messageTexts()
    effects = rubix.effects(evidence: evidence, messenger: messenger, texts: texts)
    wultra = try WultraService(
      settings[WultraSettings.self], isSandbox: settings.isSandbox, core: core, activations: ownActivations,
      evidence: evidence, faces: faces, liveness: liveness,
      messenger: messenger, webhooks: webhooks,
      unread: { [logger] in logger.warning("a decided picture has no digest", metadata: .error($0)) })
    activations = ownActivations.serving(wultra.provider)
    oneAssist = try OneAssistService(
      settings[OneAssistSettings.self], port: settings.port, isSandbox: settings.isSandbox,
      tenantsOfTwo: Set(tenants.all.filter(\.membershipsNeedTwo).map(\.id)), core: core,
      evidence: evidence, messenger: messenger, devOutbox: devOutbox, webhooks: webhooks,
      sealedColumns: entries.flatMap { $0.type.sealedColumns })
    let finapticSettings = settings[FinapticSettings.self]
    var finapticPolicy = finapticSettings.policy(port: settings.port, isSandbox: settings.isSandbox)
    finapticPolicy.phones = smsRules.phones
    finaptic = FinapticService(
      dependencies: FinapticDependencies(
        core: core, sessions: sessions(.finapticUsers), messenger: messenger, devOutbox: devOutbox,
        threads: passwordThreads.customers, passwordCost: passwordCost, policy: finapticPolicy,
        library: try finapticSettings.library(dataFolder: settings.dataFolder, isSandbox: settings.isSandbox),
        onboarding: try finapticSettings.onboarding(
          evidence: evidence, faces: faces, liveness: liveness, screening: screening,
          tell: .webhooks(webhooks, database: database), isSandbox: settings.isSandbox),
        cardIssuer: .http(
          .curl(threads: BlockingThreadPool("card-issuer", width: 2), timeout: .seconds(10), answerMax: 1 << 16),
          database: database, vault: vault),
        interac: .http(
          .curl(threads: BlockingThreadPool("interac", width: 2), timeout: .seconds(10), answerMax: 1 << 16),
          database: database, vault: vault),
        audience: .outside(database: database, vault: vault, world: world, webhooks: webhooks),
        bankEvents: .webhooks(webhooks), push: push, texts: texts))
  }

  // MARK: What runs

  /// Every module, those without routes too.
  package var storedModules: [any StoredModule] { entries.map { $0.make(self) } }

  /// The modules that are reached over HTTP.
  package var modules: [any Module] { storedModules.compactMap { $0 as? any Module } }

  /// Every step of the schema, ascending.
  var migrations: [Migration] { Schema.migrations(with: entries) }

  /// Performs owed effects.
  package var worker: OutboxWorker {
    let handlers = storedModules.reduce(into: [:]) { handlers, module in
      handlers.merge(module.effects) { _, _ in preconditionFailure("Two modules perform the same effect.") }
    }
    return OutboxWorker(
      database: database, world: world,
      handlers: telemetry.effects.observing(handlers, tracer: telemetry.tracer, world: world.machine), logger: logger)
  }

  /// Every route of the product.
  func router() -> Router<PublicContext> {
    let router = Router(context: PublicContext.self, options: .autoGenerateHeadEndpoints)  // RFC 9110 §9.3.2
    let methods = RouteMethods()
    // As one: Hummingbird hands a request from one that was added by itself to the next through several boxes.
    router.addMiddleware {
      if certificate != nil { StreamTaskMiddleware() }
      RequestMetricsMiddleware(telemetry.requests, world: world.machine)
      TraceMiddleware(telemetry.tracer)
      DrainMiddleware(drain)
      CorrelationMiddleware(world: world)
      if let header = settings.proxyHeader { ClientAddressMiddleware(header: header) }
      RequestLogMiddleware(world: world.machine)
      AnswerHeadersMiddleware()
      DisplayMiddleware(isSecure: settings.consoleIsSecure)
      RateLimitMiddleware()
      ProblemMiddleware(dialect: dialects, methods: methods)
      FairShareMiddleware(telemetry.costs, own: settings.operations.ownNetworks)
      TextMiddleware()
      BodyMiddleware(telemetry.bodies)
    }
    let root = router.group("")
    for path in ["health", "api/v1/onboarding/health"] { root.get(RouterPath(path), use: health) }
    root.get("health/live", use: OperationsRoutes.live)
    root.get("openapi.json") { _, _ in try await OpenAPI.published.response() }
    for module in modules { module.addRoutes(to: root) }
    methods.learn(router, answersHead: true)
    return router
  }

  /// Whether the store answers and this node stays; a load balancer asks.
  @Sendable
  private func health(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard !drain.isDraining else { throw Problem.unavailable }
    do { _ = try await database.query("SELECT 1 AS one") } catch { throw Problem.unavailable }
    return try Response.json(HealthView(status: .ok))
  }
}

extension Sessions.Policy {
  static let rubixCustomers = Sessions.Policy(
    audience: "rubix-onboarding", scope: "onboarding", refreshPrefix: "rbxr_")
  static let rubixAgents = Sessions.Policy.staff(audience: "rubix-agents", scope: "agent", refreshPrefix: "rbxa_")
}
