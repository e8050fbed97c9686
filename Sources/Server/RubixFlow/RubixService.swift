// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import HTTP
import Identity
import Kit
import Scheduling
import Screening
import Storage

/// The composition of Rubix: makes its commands, each with what it uses.
package struct RubixService: Sendable {
  package let core: CoreDependencies
  package let tenants: Tenants
  package let sessions: Sessions
  package let agentSessions: Sessions
  package let passcodes: Passcodes
  package let applications: Applications
  /// One for the process, which remembers what it read.
  package let delistings: Delistings
  private let answers: IdempotentAnswers
  private let steps: Steps

  /// - Parameters:
  ///   - callPages: where browsers reach the pages of this server, without a slash at its end.
  ///   - recordsCalls: whether the institution's recorder is told of calls on them.
  package init(
    core: CoreDependencies, tenants: Tenants, sessions: Sessions, agentSessions: Sessions,
    callPages: String = "http://localhost:8080", recordsCalls: Bool = false
  ) {
    (self.core, self.tenants, self.sessions, self.agentSessions) = (core, tenants, sessions, agentSessions)
    passcodes = Passcodes(vault: core.vault, world: core.world)
    delistings = Delistings(core)
    applications = Applications(
      core: core, tenants: tenants, callPages: callPages, recordsCalls: recordsCalls)
    answers = IdempotentAnswers(database: core.database, idempotency: core.idempotency, world: core.world)
    steps = Steps(core: core, sessions: sessions, applications: applications, answers: answers)
  }

  package func registration(limits: RegistrationCommands.Limits) -> RegistrationCommands {
    RegistrationCommands(
      core: core, sessions: sessions, passcodes: passcodes, applications: applications, answers: answers,
      limits: limits)
  }

  /// Every call makes a new cache.
  /// - Parameter factor: multiplies how often a customer may read.
  func views(limitTimes factor: Int = 1) -> CustomerViews {
    CustomerViews(core: core, sessions: sessions, applications: applications, limitTimes: factor)
  }

  func capture(evidence: EvidenceReader, liveness: Liveness) -> CaptureCommands {
    CaptureCommands(
      core: core, sessions: sessions, applications: applications, steps: steps, evidence: evidence, liveness: liveness)
  }

  func documents(evidence: EvidenceReader) -> DocumentCommands {
    DocumentCommands(core: core, sessions: sessions, applications: applications, steps: steps, evidence: evidence)
  }

  func verification(faces: FaceComparison, looks: FaceDirectionDetector? = nil) -> VerificationCommands {
    VerificationCommands(core: core, applications: applications, steps: steps, faces: faces, looks: looks)
  }

  var contacts: ContactCommands {
    ContactCommands(core: core, passcodes: passcodes, applications: applications, steps: steps)
  }

  func screenings(provider: ScreeningProvider) -> ScreeningCommands {
    ScreeningCommands(
      core: core, sessions: sessions, applications: applications, steps: steps, provider: provider,
      screened: screened)
  }

  /// What follows for applications from searches and decisions.
  package var screened: ScreenedApplications { ScreenedApplications(core: core, applications: applications) }

  func screeningCallback(_ screenings: ScreeningCommands, partner: PartnerCredentials?) -> ScreeningCallback {
    ScreeningCallback(core: core, applications: applications, screenings: screenings, partner: partner)
  }

  var screeningDecisions: ScreeningDecisions {
    ScreeningDecisions(core: core, agentSessions: agentSessions, applications: applications, screened: screened)
  }

  var screeningApprovals: ScreeningApprovals {
    ScreeningApprovals(
      core: core, agentSessions: agentSessions, applications: applications, screened: screened, delistings: delistings)
  }

  var forms: FormCommands {
    FormCommands(core: core, sessions: sessions, applications: applications, steps: steps)
  }

  func calls(staff: Staff) -> AppointmentCommands {
    AppointmentCommands(core: core, sessions: sessions, applications: applications, steps: steps, staff: staff)
  }

  package func agentAccess(staff: Staff) -> AgentAccess {
    AgentAccess(core: core, agentSessions: agentSessions, staff: staff)
  }

  package var verdicts: VerdictCommands {
    VerdictCommands(core: core, agentSessions: agentSessions, applications: applications)
  }

  package var retakes: RetakeCommands {
    RetakeCommands(core: core, agentSessions: agentSessions, applications: applications)
  }

  package var customerReader: CustomerReader {
    CustomerReader(core: core, agentSessions: agentSessions, applications: applications)
  }

  package var queue: CustomerQueue {
    CustomerQueue(core: core, agentSessions: agentSessions, applications: applications)
  }

  package var agentCalls: AgentCalls {
    AgentCalls(core: core, agentSessions: agentSessions, applications: applications)
  }

  package func agentCalendar(staff: Staff) -> AgentCalendar {
    AgentCalendar(core: core, agentSessions: agentSessions, applications: applications, staff: staff)
  }

  package func agentSchedule(staff: Staff) -> AgentScheduleCommands {
    AgentScheduleCommands(core: core, agentSessions: agentSessions, applications: applications, staff: staff)
  }

  /// Calls on the pages of this server.
  package func browserCalls(staff: Staff) -> BrowserCalls {
    BrowserCalls(
      core, isRecorded: applications.recordsCalls,
      admitter: CallAdmission(core: core, applications: applications, staff: staff))
  }

  /// A member of staff at work on the pages of the console.
  /// - Parameter session: the browser's, which was checked.
  /// - Throws: `Problem` not-found for a member of an institution that is not here.
  package func agent(_ member: StaffMember, session: SessionFamily) throws -> Agent {
    Agent(member: member, identity: AccessIdentity(session, scope: "agent"), tenant: try tenants.find(member.tenant))
  }

  package func snapshots(evidence: EvidenceReader) -> SnapshotCommands {
    SnapshotCommands(core: core, applications: applications, evidence: evidence)
  }

  var missedCalls: MissedCalls { MissedCalls(core: core, applications: applications) }
  var waiting: WaitingApplications { WaitingApplications(core: core, applications: applications) }

  package func effects(evidence: EvidenceReader, messenger: Messenger, texts: MessageTexts) -> RubixEffects {
    RubixEffects(
      core: core, tenants: tenants, passcodes: passcodes, applications: applications, evidence: evidence,
      messenger: messenger, texts: texts)
  }

  package func exporter(devOutbox: DevOutbox) -> CustomerExporter {
    CustomerExporter(
      core: core, tenants: tenants, sessions: sessions, passcodes: passcodes, applications: applications,
      devOutbox: devOutbox)
  }

  func retention(erasure: CustomerErasure) -> RetentionSweep {
    RetentionSweep(core: core, tenants: tenants, erasure: erasure)
  }

  /// - Parameters:
  ///   - sealedColumns: of all modules, which a proof of the erasure counts.
  ///   - other: a flow that may know the customer, too, and erases them in the same transaction.
  package func erasure(
    devOutbox: DevOutbox, sealedColumns: [SealedColumn] = RubixModule.sealedColumns,
    alsoIn other: (any CustomerForgetting)? = nil
  ) -> CustomerErasure {
    CustomerErasure(
      core: core, tenants: tenants, sessions: sessions, passcodes: passcodes, applications: applications,
      devOutbox: devOutbox, erasures: SubjectErasures(core, columns: sealedColumns), other: other)
  }
}
