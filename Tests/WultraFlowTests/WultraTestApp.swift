// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import Delivery
import Identity
import Foundation
import WultraWire
import Kit
import Logging
import PowerAuthCore
import Storage
import TestSupport

@testable import WultraFlow

/// The flow over a real store, with real activations; the institution and what looks at pictures are played.
struct WultraTestApp: Sendable {
  static let migrations = TestDatabase.migrations(
    of: Activations.self, CaseworkModule.self, DeliveryModule.self, IdentityModule.self, WultraModule.self)

  let made: TestDatabase
  let clock = TestWorld()
  let vault: Vault
  let blobs: MemoryBlobs
  let bank = FakeBank()
  let dossiers: Dossiers
  /// With the flow among its providers.
  let activations: Activations
  let release: ReleasedApplicationVersion
  private(set) var worker: OutboxWorker
  private var documentProvider = DocumentProvider.fake
  private var presenceProvider = PresenceProvider.fake
  private let folder: TestFolder
  let cases = RecordedCases()
  /// Keeps the cases where two persons decide on reviews; nil leaves them to `cases`.
  let caseService: CaseService?
  var database: any SQLDatabase { made.database }
  var core: CoreDependencies { dossiers.core }
  var effects: WultraEffects {
    WultraEffects(dossiers: dossiers, adapter: bank.adapter, documents: documentProvider, presence: presenceProvider)
  }
  var routes: WultraRoutes {
    WultraRoutes(
      dossiers: dossiers, activations: activations, adapter: bank.adapter, documents: documentProvider,
      presence: presenceProvider)
  }

  var processes: ProcessCommands { ProcessCommands(dossiers: dossiers, adapter: bank.adapter) }
  var verifications: VerificationCommands { VerificationCommands(dossiers: dossiers) }
  var consents: ConsentCommands { ConsentCommands(dossiers: dossiers, adapter: bank.adapter) }
  var documents: DocumentCommands { DocumentCommands(dossiers: dossiers, provider: documentProvider) }
  var presence: PresenceCommands { PresenceCommands(dossiers: dossiers, provider: presenceProvider) }
  var otp: OTPCommands { OTPCommands(dossiers: dossiers) }
  var erasures: SubjectErasures { SubjectErasures(core, columns: Self.sealedColumns) }
  var erasure: UserErasure { UserErasure(dossiers: dossiers, erasures: erasures) }
  /// Those of the tables that are here.
  static let sealedColumns =
    WultraModule.sealedColumns + Activations.sealedColumns
    + [SealedColumn("webhook_message", "sealed", of: "key_subject")]
  var reviews: ReviewCommands { ReviewCommands(dossiers: dossiers) }

  /// - Parameter begun: false for an installation in which keys of persons have not begun.
  init(
    _ engine: Engine = .current, begun: Bool = true, change: (inout WultraPolicy) -> Void = { _ in }
  ) async throws {
    made = try await TestDatabase.make(engine, Self.migrations)
    folder = try TestFolder()
    let world = clock.world
    vault = try await TestVault.openWithSubjectKeys(made.database, world, in: folder, begun: begun)
    blobs = MemoryBlobs(world)
    var policy = WultraPolicy()
    policy.isSandbox = true
    change(&policy)
    caseService =
      policy.reviewsNeedTwo || policy.unblocksNeedTwo
      ? CaseService(
        database: made.database, world: world, vault: vault, policy: CaseworkPolicy(institutions: ["acme"]),
        program: "test") : nil
    let kept: any CaseRepository = caseService ?? cases
    let base = Activations(
      database: made.database, vault: vault, audit: Audit(world: world, vault: vault), world: world, cases: kept)
    dossiers = Dossiers(
      core: CoreDependencies(
        database: made.database, world: world, vault: vault, blobs: blobs.blobs, cases: kept),
      activations: base, policy: policy)
    activations = base.serving(.onboarding(dossiers))
    release = try await activations.applications.add(
      "Bank", tenant: "acme", issuesRecoveryCodes: false, protocolMin: .v30, by: .system)
    worker = OutboxWorker(
      database: made.database, world: world,
      handlers: WultraEffects(dossiers: dossiers, adapter: bank.adapter, documents: .fake, presence: .fake).handlers,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// The same with vendors of tenants.
  func using(_ vendors: Vendors) -> WultraTestApp {
    var app = self
    app.documentProvider = documentProvider.preparing(by: vendors.scanning)
    app.presenceProvider = presenceProvider.checking(by: vendors.presence)
    app.worker = OutboxWorker(
      database: made.database, world: clock.world, handlers: app.effects.handlers,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return app
  }

  /// Performs what is owed now, and what follows from it.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  // MARK: A person with a device

  var caller: ApplicationCaller { ApplicationCaller(tenant: "acme", language: "en") }

  /// - Parameter spelling: a member that the bank does not look at; nil leaves it out.
  func start(_ clientNumber: String = "1", spelling: Int? = nil) async throws -> String {
    var identification: [String: JSONValue] = ["clientNumber": .string(clientNumber)]
    identification["spelling"] = spelling.map { .integer(Int64($0)) }
    return try await processes.start(Wultra.StartRequest(identification: .object(identification)), by: caller)
      .processId
  }

  /// The code that was sent last.
  func lastCode() throws -> String {
    guard let message = bank.messages.last else { throw NoCode() }
    return message.otpCode
  }

  struct NoCode: Error {}
  struct NotCreated: Error {}

  static func wrong(_ code: String) -> String { code == "00000000" ? "00000001" : "00000000" }

  func tryActivation(_ process: String, _ code: String) async throws -> ActivationCreation {
    let key = ECPrivateKey(Randomness(clock.world.random))
    return try await activations.create(
      NewDevice(
        applicationKey: release.version.applicationKey, version: .standard, publicKey: key.publicKey),
      .custom(
        ["processId": process, "otpCode": code, "credentialsType": Wultra.credentialsType], attributes: nil))
  }

  /// A device of a new process, active and to be verified.
  func activated(_ clientNumber: String = "1") async throws -> Person {
    let process = try await start(clientNumber)
    try await settle()
    guard case .created(let created) = try await tryActivation(process, lastCode()) else { throw NotCreated() }
    try await settle()
    return Person(app: self, process: process, activation: created.activation.id)
  }

  func process(_ id: String) async throws -> OnboardingProcess {
    let vault = vault
    return try await database.read { tx in
      guard let process = try ProcessStore(tx, vault: vault).find(.init(rawValue: id)) else { throw Problem.notFound }
      return process
    }
  }

  func auditFaults() async throws -> [String] {
    try await database.read { [vault] in try AuditStore($0).verify(by: vault).faults }
  }

  func actions(_ process: String) async throws -> [String] {
    try await database.read { try AuditStore($0).lines(of: process).map(\.action) }
  }
}

/// What a problem is called; nil when there was none.
func refusal(_ body: () async throws -> Void) async throws -> String? {
  do {
    try await body()
    return nil
  } catch let problem as Problem {
    return problem.code
  }
}
