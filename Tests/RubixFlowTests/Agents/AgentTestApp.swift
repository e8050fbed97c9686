// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import Identity
import Scheduling
import Screening
import Foundation
import GatehouseWire
import HTTP
import RubixWire
import Kit
import Storage
import Synchronization
import TestSupport

@testable import RubixFlow

/// The later half of the flow over a real store, at 2026-11-21T06:00:00Z in Kuwait: a bank with agents, and customers
/// put where a test needs them. Only the screening provider is played.
final class AgentTestApp: Sendable {
  static let passwordCost = PasswordCost(memory: 8, passes: 1)
  static let password = "correct horse battery 9"

  let clock = TestWorld()
  let store: TestDatabase
  let rubix: RubixService
  let staff: Staff
  let tenant: Tenant
  let cases = RecordedCases()
  /// Keeps the cases where two persons decide after a call; nil leaves them to `cases`.
  let caseService: CaseService?
  /// What the provider answers next, and how often it was asked.
  let provider = Mutex<(outcome: Screening.Outcome, searches: Int)>((AgentTestApp.clean, 0))

  static let clean = Screening.Outcome.screened(
    .init(lists: [.init(code: "UN", version: "2026-11-20")], threshold: 0.85, hits: []))
  static func hits(_ count: Int) -> Screening.Outcome {
    let hits = (1...count).map { number in
      Screening.Hit(
        list: "OFAC_SDN", entityID: "entity-\(number)", caption: "ERIKA LISTED", score: 0.91, topics: ["sanction"],
        nameScore: 0.95, dateOfBirth: .year, nationality: true, documentNumber: false)
    }
    return .screened(.init(lists: [.init(code: "OFAC_SDN", version: "2026-11-20")], threshold: 0.85, hits: hits))
  }

  private let blobs: MemoryBlobs
  /// Holds the epoch key.
  private let folder: TestFolder

  /// - Parameters:
  ///   - callsHere: whether calls are held on our own pages.
  ///   - recordsCalls: whether a recorder is told of them.
  ///   - verdictsNeedTwo: whether two persons decide after them.
  ///   - asksLooks: whether selfies show the face straight and to both sides.
  init(
    _ engine: Engine = .current, callsHere: Bool = false, recordsCalls: Bool = false, verdictsNeedTwo: Bool = false,
    asksLooks: Bool = false
  ) async throws {
    blobs = MemoryBlobs(clock.world)
    var tenant = Tenant.default
    tenant.timeZone = "Asia/Kuwait"
    tenant.callURL = callsHere ? CallAddress.here : "https://calls.bank.example/{room}?as={role}"
    (tenant.verdictNeedsCall, tenant.verdictsNeedTwo) = (callsHere, verdictsNeedTwo)
    tenant.asksLooks = asksLooks
    var other = tenant
    other.id = "other"
    self.tenant = tenant
    store = try await TestDatabase.make(engine, Self.migrations)
    let (database, world) = (store.database, clock.world)
    folder = try TestFolder()
    let vault = try await TestVault.openWithSubjectKeys(database, world, in: folder)
    let (audit, limits) = (Audit(world: world, vault: vault), RateLimits(world: world))
    let signer = try await AccessTokenSigner.open(database, vault: vault, world: world)
    func sessions(_ audience: String, _ prefix: String) -> Sessions {
      Sessions(
        policy: .init(audience: audience, scope: audience, refreshPrefix: prefix), signer: signer, vault: vault,
        limits: limits, audit: audit, world: world)
    }
    caseService =
      verdictsNeedTwo
      ? CaseService(
        database: database, world: world, vault: vault, policy: CaseworkPolicy(institutions: [tenant.id, other.id]),
        program: "test") : nil
    let kept: any CaseRepository = caseService ?? cases
    rubix = RubixService(
      core: CoreDependencies(database: database, world: world, vault: vault, blobs: blobs.blobs, cases: kept),
      tenants: Tenants([tenant, other]), sessions: sessions("rubix-onboarding", "rbxr_"),
      agentSessions: sessions("rubix-agents", "rbxa_"),
      callPages: "https://bank.example", recordsCalls: recordsCalls)
    staff = Staff(core: rubix.core, threads: BlockingThreadPool("hash", width: 1), cost: Self.passwordCost)
  }

  private static let migrations = TestDatabase.migrations(
    of: CaseworkModule.self, DeliveryModule.self, IdentityModule.self, RubixModule.self, SchedulingModule.self,
    ScreeningModule.self)

  var core: CoreDependencies { rubix.core }
  /// Keys of every object that is stored.
  var blobKeys: Set<String> { blobs.keys }
  var forms: FormCommands { rubix.forms }
  var calls: AppointmentCommands { rubix.calls(staff: staff) }
  var verdicts: SingleVerdicts { SingleVerdicts(commands: rubix.verdicts) }
  var decisions: ScreeningDecisions { rubix.screeningDecisions }
  var queue: CustomerQueue { rubix.queue }
  var access: AgentAccess { rubix.agentAccess(staff: staff) }
  var customerReader: CustomerReader { rubix.customerReader }
  var screenings: ScreeningCommands {
    rubix.screenings(
      provider: ScreeningProvider { [self] _ in
        provider.withLock { state in
          state.searches += 1
          return state.outcome
        }
      })
  }

  // MARK: People

  /// A customer whose application stands there.
  func customer(
    at phase: ApplicationPhase, email: String = "erika@example.com", verified: Bool = true, tenant id: String? = nil
  ) async throws -> Customer {
    let tenant = try rubix.tenants.find(id)
    let application = application(at: phase, email: email, verified: verified, tenant: tenant.id)
    let family = try await core.database.write { [self] tx in
      try ApplicationStore(tx, vault: core.vault).insert(application)
      // Inserting begins at the beginning; the rest of the row follows.
      _ = try ApplicationStore(tx, vault: core.vault).update(application, at: clock.now)
      return try rubix.sessions.open(
        subject: application.id.rawValue, tenant: tenant.id, device: "device-0123456789", in: tx
      ).family
    }
    return Customer(identity: try await identity(family, rubix.sessions), tenant: tenant)
  }

  /// A member of staff, signed in.
  func agent(
    _ email: String = "agent@bank.example",
    may permissions: Set<StaffPermission> = [.attendVideo, .readCustomers, .decideAML], tenant id: String? = nil
  ) async throws -> Agent {
    let tenant = try rubix.tenants.find(id)
    let member = try await staff.add(
      NewStaffMember(
        tenant: tenant.id, email: email, name: "Ada Agent", gender: .female, languages: ["en", "ar"],
        permissions: permissions, password: Self.password), by: "operator")
    let family = try await core.database.write { [self] tx in
      try rubix.agentSessions.open(subject: member.id.rawValue, tenant: tenant.id, device: "desk", in: tx).family
    }
    return Agent(member: member, identity: try await identity(family, rubix.agentSessions), tenant: tenant)
  }

  /// Sets an authenticator app up for a member.
  /// - Returns: the app's secret, and the recovery codes.
  func enrol(_ member: StaffMember) async throws -> (secret: Data, recoveryCodes: [String]) {
    let factors = staff.factors
    let session = try await core.database.write { [self] tx in
      try rubix.agentSessions.open(subject: member.id.rawValue, tenant: member.tenant, device: "desk", in: tx).family.id
    }
    let secret = Data(base32: try await factors.enrolment(of: member, in: session, issuer: "Bank").secret)
    let enrolmentCode = try await core.database.write {
      try factors.issueEnrolmentCode(for: member.id, by: "operator", in: $0).text
    }
    let code = TimeCode.code(secret, step: TimeCode.step(at: clock.now))
    let outcome = try await factors.confirm(code, enrolmentCode: enrolmentCode, of: member, in: session)
    guard case .confirmed(let recoveryCodes) = outcome else { throw Problem.unexpected }
    return (secret, recoveryCodes)
  }

  /// As the token middleware would have found it.
  private func identity(_ family: SessionFamily, _ sessions: Sessions) async throws -> AccessIdentity {
    try await sessions.verify(sessions.accessToken(for: family).token, tenant: family.tenant)
  }

  // MARK: Requests and what they left

  func request(_ customer: Customer, _ body: some Encodable = EmptyBody(), key: String? = nil) throws -> StepRequest {
    Self.request(customer, try Self.content(body), key: key)
  }

  static func request(_ customer: Customer, _ body: RequestContent, key: String? = nil) -> StepRequest {
    StepRequest(customer: customer, idempotencyKey: key, correlationID: "", isLarge: false) { body }
  }

  static func content(_ body: some Encodable) throws -> RequestContent {
    RequestContent(bytes: try WireJSON.encode(body))
  }

  func application(of customer: Customer) async throws -> RubixFlow.Application {
    try await core.database.read { [self] tx in
      try ApplicationStore(tx, vault: core.vault).find(customer.id, tenant: customer.tenant.id)
    }
  }

  func actions(of customer: Customer) async throws -> [String] {
    try await core.database.read { try AuditStore($0).lines(of: customer.id.rawValue).map(\.action) }
  }

  func effects() async throws -> [String] {
    try await core.database.read { try OutboxStore($0).pending().map(\.topic) }
  }

  /// A quarter of an hour tomorrow, 08:00 UTC and so many slots later.
  static func slot(_ number: Int = 0) -> WireInstant {
    WireInstant(millisecondsSince1970: 1_795_334_400_000 + Int64(number) * 900_000)
  }

  /// Of a call that an agent held at once, instead of waiting for its time.
  static let callRecord = CallRecord(
    startedAt: WireInstant(millisecondsSince1970: 1_795_240_800_000),
    endedAt: WireInstant(millisecondsSince1970: 1_795_240_860_000))

  func application(
    at phase: ApplicationPhase, email: String = "erika@example.com", verified: Bool = true, tenant: String = "default"
  ) -> RubixFlow.Application {
    var applicant = Applicant(
      deviceID: "device-0123456789", platform: "ios", contactNo: "+96550001234", email: email, consents: [])
    if verified {
      applicant.verified = .init(
        familyName: "MUSTERMANN", givenNames: "ERIKA", namesMayBeTruncated: false,
        dateOfBirth: ComplianceSamples.birth, nationality: "DEU",
        documents: [.init(id: "d", type: .passport, number: "C01X00T47", issuingState: "D", expiryDate: nil)])
    }
    return RubixFlow.Application(
      id: .init(clock.world), tenant: tenant, phase: phase, lastStep: .registrationInitiated,
      completedSteps: [.registrationInitiated], sms: .confirmed, email: .confirmed, evaluation: nil,
      verificationAttempts: 0, undeterminedCount: 0, callRequired: false, agentAccepted: false, screenedAt: nil,
      reviewReason: nil, retake: [], applicant: applicant, createdAt: clock.now, updatedAt: clock.now,
      expiresAt: clock.now + .days(90), version: 1)
  }
}

/// Verdicts where one person decides.
struct SingleVerdicts {
  let commands: VerdictCommands

  func decide(_ body: RequestContent, by agent: Agent) async throws -> AgentVerificationView {
    guard case .decided(let view) = try await commands.decide(body, by: agent) else { throw Problem.approvalRequired }
    return view
  }
}

/// The problem that a call ends with; nil when it does not.
func problem(_ body: () async throws -> some Any) async throws -> Problem? {
  do {
    _ = try await body()
    return nil
  } catch let problem as Problem {
    return problem
  }
}

extension StepAnswer {
  var status: Int { answer.status }
  var text: String { String(decoding: answer.body, as: UTF8.self) }
  func view<View: Decodable>(_ type: View.Type) throws -> View { try WireJSON.decode(type, from: answer.body) }
}
