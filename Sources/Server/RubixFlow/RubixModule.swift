// SPDX-License-Identifier: Apache-2.0

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

  let service: RubixService
  let registration: RegistrationCommands
  let evidence: EvidenceReader
  let faces: FaceComparison
  let liveness: Liveness
  let screening: ScreeningProvider
  let settings: RubixSettings
  let staff: Staff
  let rubixEffects: RubixEffects
  let erasure: CustomerErasure
  let addAgentRoutes: @Sendable (RouterGroup<AgentContext>) -> Void

  /// - Parameters:
  ///   - addAgentRoutes: adds what agents may do in other modules.
  package init(
    _ service: RubixService, settings: RubixSettings, isSandbox: Bool, evidence: EvidenceReader, faces: FaceComparison,
    liveness: Liveness, screening: ScreeningProvider, staff: Staff, effects: RubixEffects, erasure: CustomerErasure,
    addAgentRoutes: @escaping @Sendable (RouterGroup<AgentContext>) -> Void
  ) {
    (self.service, self.settings) = (service, settings)
    registration = service.registration(limits: settings.registrationLimits(isSandbox: isSandbox))
    (self.evidence, self.faces, self.liveness) = (evidence, faces, liveness)
    (self.screening, self.staff) = (screening, staff)
    (rubixEffects, self.erasure, self.addAgentRoutes) = (effects, erasure, addAgentRoutes)
  }

  package static var settings: (any ModuleSettings.Type)? { RubixSettings.self }

  package static let migrations: [Migration] = [
    ApplicationStore.migration, ImageStore.migration, VerificationStore.migration, FormStore.migration,
    VerdictStore.migration, ScreeningNoteStore.migration, ImageStore.erasureMigration, ErasureStore.migration,
    TraitStore.migration, TraitStore.likenessMigration, ImageStore.sessionMigration,
  ]

  package static var blobReferences: BlobReferences? {
    BlobReferences(
      page: { try ImageStore.kept(after: $0, limit: $1, in: $2) },
      keys: { CapturedImage.blobKeys(.init(rawValue: $0)) }, referenced: { try ImageStore.referenced($0, in: $1) },
      sealed: SealedObjects(
        "rubix_image", subject: { try ImageStore.keySubject(of: $0, in: $1) }, context: CapturedImage.context))
  }

  package static let sealedColumns = [
    SealedColumn("rubix_application", "applicant", of: "id", tenant: "tenant_id", system: name),
    SealedColumn("rubix_form", "submission", of: "application_id"),
    SealedColumn("rubix_image", "client_hints", of: "application_id"),
    SealedColumn("rubix_image", "reading", of: "application_id"),
    SealedColumn("rubix_screening_note", "notes", of: "application_id"),
    SealedColumn("rubix_verdict", "particulars", of: "application_id"),
    SealedColumn("rubix_verification", "outcome", of: "application_id"),
  ]

  package var effects: [String: OutboxWorker.Handler] { rubixEffects.handlers }

  package var jobs: [ScheduledJob] {
    let (effects, missed, waiting) = (rubixEffects, service.missedCalls, service.waiting)
    return [
      ScheduledJob("lapsed-applications") { try await effects.sweepLapsed() },
      ScheduledJob("missed-calls") { try await missed.sweep() },
      // For what began to wait under a release that knew no cases.
      ScheduledJob("rubix-cases", every: .hours(6), retryAfter: .minutes(10)) { try await waiting.catchUp() },
    ]
  }

  package var retention: [ScheduledJob] {
    let sweep = service.retention(erasure: erasure)
    return [ScheduledJob("retention") { try await sweep.run() }]
  }

  package var exporter: (any SubjectExporter)? { service.exporter(devOutbox: erasure.devOutbox) }
  package var eraser: (any SubjectEraser)? { erasure }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    let (open, tenants) = (root.group(Self.base), service.tenants)
    let screenings = service.screenings(provider: screening)
    RegistrationRoutes(commands: registration, tenants: tenants).add(to: open)
    ReferenceRoutes().add(to: open)
    ScreeningCallbackRoutes(callback: service.screeningCallback(screenings, partner: settings.partner)).add(to: open)
    let access = AgentAccessRoutes(access: service.agentAccess(staff: staff), tenants: tenants)
    access.add(to: open)
    let customers = open.group(context: IdentifiedContext.self)
      .add(middleware: TokenMiddleware(sessions: service.sessions, tenants: tenants))
      .group(context: CustomerContext.self)
    CustomerRoutes(
      registration: registration, views: service.views(limitTimes: settings.limitFactor ?? 1),
      capture: service.capture(evidence: evidence, liveness: liveness),
      documents: service.documents(evidence: evidence),
      verification: service.verification(faces: faces, looks: liveness.looks), contacts: service.contacts
    ).add(to: customers)
    ScreeningRoutes(commands: screenings).add(to: customers)
    FormRoutes(commands: service.forms).add(to: customers)
    AppointmentRoutes(commands: service.calls(staff: staff)).add(to: customers)
    let agents = agents(below: open)
    access.add(to: agents)
    AgentRoutes(
      verdicts: service.verdicts, retakes: service.retakes, calls: service.agentCalls, reader: service.customerReader,
      queue: service.queue
    ).add(to: agents)
    AgentCalendarRoutes(
      calendar: service.agentCalendar(staff: staff), schedule: service.agentSchedule(staff: staff)
    ).add(to: agents)
    ScreeningDecisionRoutes(decisions: service.screeningDecisions, approvals: service.screeningApprovals).add(
      to: agents)
    addAgentRoutes(agents)
  }

  private func agents(below open: RouterGroup<PublicContext>) -> RouterGroup<AgentContext> {
    let (database, staff, sessions) = (service.core.database, staff, service.agentSessions)
    return open.group(context: IdentifiedContext.self)
      .add(
        middleware: TokenMiddleware(sessions: sessions, tenants: service.tenants) { identity in
          try await database.read { tx in
            try sessions.requireLive(identity, in: tx)
            let member = try staff.find(.init(rawValue: identity.subject), in: tx)
            return member?.tenant == identity.tenant ? member : nil
          }
        }
      )
      .group(context: AgentContext.self)
  }
}
