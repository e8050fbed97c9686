import Evidence
import HTTP
import Hummingbird
import Identity
import Kit
import Screening
import Storage

/// Rubix: the onboarding of an institution's customers, and the institution's agents.
package struct RubixModule: Module {
  package static let name = "rubix"
  private static let base = RouterPath("api/v1/onboarding")

  let registration: RegistrationCommands
  let evidence: EvidenceReader
  let faces: FaceComparison
  let liveness: Liveness
  let screening: ScreeningProvider
  let partner: PartnerCredentials?
  let staff: Staff
  let rubixEffects: RubixEffects
  let erasure: CustomerErasure
  let addAgentRoutes: @Sendable (RouterGroup<AgentContext>) -> Void
  private var runner: StepRunner { erasure.runner }
  private var parts: RubixDependencies { runner.parts }

  /// - Parameters:
  ///   - partner: may report the late answers of a screening provider; nil where no provider answers late.
  ///   - addAgentRoutes: adds what agents may do in other modules.
  package init(
    registration: RegistrationCommands, evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness,
    screening: ScreeningProvider, partner: PartnerCredentials?, staff: Staff, effects: RubixEffects,
    erasure: CustomerErasure, addAgentRoutes: @escaping @Sendable (RouterGroup<AgentContext>) -> Void
  ) {
    self.registration = registration
    self.evidence = evidence
    self.faces = faces
    self.liveness = liveness
    self.screening = screening
    self.partner = partner
    self.staff = staff
    rubixEffects = effects
    self.erasure = erasure
    self.addAgentRoutes = addAgentRoutes
  }

  package static let migrations: [Migration] = [
    ApplicationStore.migration, ImageStore.migration, VerificationStore.migration, FormStore.migration,
    VerdictStore.migration, ScreeningNoteStore.migration, ImageStore.erasureMigration, ErasureStore.migration,
  ]

  package static var blobReferences: BlobReferences? {
    BlobReferences(
      page: { try ImageStore.kept(after: $0, limit: $1, in: $2) },
      keys: { CapturedImage.blobKeys(.init(rawValue: $0)) }, referenced: { try ImageStore.referenced($0, in: $1) })
  }

  package var effects: [String: OutboxWorker.Handler] { rubixEffects.handlers }

  package var jobs: [ScheduledJob] {
    let (effects, missed) = (rubixEffects, MissedCalls(runner: runner))
    return [
      ScheduledJob("lapsed-applications") { try await effects.sweepLapsed() },
      ScheduledJob("missed-calls") { try await missed.sweep() },
    ]
  }

  package var retention: [ScheduledJob] {
    let sweep = RetentionSweep(erasure: erasure)
    return [ScheduledJob("retention") { try await sweep.run() }]
  }

  package var exporter: (any SubjectExporter)? { CustomerExporter(runner: runner, devOutbox: erasure.devOutbox) }
  package var eraser: (any SubjectEraser)? { erasure }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    let open = root.group(Self.base)
    let screenings = ScreeningCommands(runner: runner, provider: screening)
    RegistrationRoutes(commands: registration, tenants: parts.tenants).add(to: open)
    ReferenceRoutes().add(to: open)
    ScreeningCallbackRoutes(callback: ScreeningCallback(screenings: screenings, partner: partner)).add(to: open)
    AgentAccessRoutes(access: AgentAccess(runner: runner, staff: staff)).add(to: open)
    let customers = open.group(context: IdentifiedContext.self)
      .add(middleware: TokenMiddleware(sessions: parts.sessions, tenants: parts.tenants))
      .group(context: CustomerContext.self)
    addCustomerRoutes(to: customers, screenings)
    addAgentRoutes(below: open)
  }

  private func addCustomerRoutes(to customers: RouterGroup<CustomerContext>, _ screenings: ScreeningCommands) {
    CustomerRoutes(
      registration: registration,
      capture: CaptureCommands(runner: runner, evidence: evidence, liveness: liveness),
      documents: DocumentCommands(runner: runner, evidence: evidence),
      verification: VerificationCommands(runner: runner, faces: faces), contacts: ContactCommands(runner: runner)
    ).add(to: customers)
    ScreeningRoutes(commands: screenings).add(to: customers)
    FormRoutes(commands: FormCommands(runner: runner)).add(to: customers)
    AppointmentRoutes(commands: AppointmentCommands(runner: runner, staff: staff)).add(to: customers)
  }

  private func addAgentRoutes(below open: RouterGroup<PublicContext>) {
    let (database, staff, sessions) = (parts.database, staff, parts.agentSessions)
    let agents = open.group(context: IdentifiedContext.self)
      .add(
        middleware: TokenMiddleware(sessions: sessions, tenants: parts.tenants) { identity in
          try await database.read { tx in
            try sessions.requireLive(identity, in: tx)
            let member = try staff.find(.init(rawValue: identity.subject), in: tx)
            return member?.tenant == identity.tenant ? member : nil
          }
        }
      )
      .group(context: AgentContext.self)
    AgentAccessRoutes(access: AgentAccess(runner: runner, staff: staff)).add(to: agents)
    AgentRoutes(
      verdicts: VerdictCommands(runner: runner), desk: CustomerDesk(runner: runner, evidence: .live(parts)),
      queue: CustomerQueue(runner: runner)
    ).add(to: agents)
    ScreeningDecisionRoutes(decisions: ScreeningDecisions(runner: runner)).add(to: agents)
    addAgentRoutes(agents)
  }
}
