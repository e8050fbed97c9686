// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import FinapticFlow
@testable import Kit
@testable import Screening

@Suite("Finaptic: what the lists say of an applicant goes with the applicant")
struct ScreeningErasureTests {
  private static let hit = Screening.Hit(
    list: "test", entityID: "1", caption: "Marie Tremblay", score: 1, topics: ["sanction"], nameScore: 1,
    dateOfBirth: .exact, nationality: true, documentNumber: false)

  /// An applicant who was refused for a hit; with a user, or without an account.
  private static func refused(_ app: OnboardingTestApp, user: FinapticUser.ID? = nil) async throws
    -> OnboardingApplication.ID
  {
    app.outside.change { $0.hits = [hit] }
    var token: String?
    if let user { token = try await app.token(user, tenant: OnboardingTestApp.production) }
    let applicant = try await EvidenceTests.ready(app, token: token)
    _ = try await EvidenceTests.sent(.init(), by: applicant)
    _ = try await applicant.selfie().details()
    #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Rejected")
    return OnboardingApplication.ID(rawValue: applicant.id)
  }

  /// What is sealed in the columns of screenings, in the order of the columns.
  private static func sealed(_ app: OnboardingTestApp) async throws -> [Data] {
    try await app.database.read { tx in
      try tx.query("SELECT findings AS v FROM screening").map { try $0.get("v", as: Data.self) }
        + tx.query("SELECT particulars AS v FROM screening_case").map { try $0.get("v", as: Data.self) }
    }
  }

  private static func key(_ application: OnboardingApplication.ID, _ app: OnboardingTestApp) async throws -> String? {
    try await app.database.read { [vault = app.vault] in
      try vault.subjectKey(of: KeySubject(application.rawValue), in: $0)?.id
    }
  }

  @Test("a validation seals hit and case under the application's own key, and the erasure of the user destroys it")
  func erased() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let user = FinapticUser.ID(rawValue: app.clock.world.randomUUID())
      let application = try await Self.refused(app, user: user)
      let key = try #require(try await Self.key(application, app))
      let sealed = try await Self.sealed(app)
      #expect(sealed.count == 2 && sealed.allSatisfy { Vault.subjectKeyID(of: $0) == key })
      let copy = try await CopiedData.taken(of: app.database, Engine.current)
      #expect(copy.placesUnderDataKeys.subtracting(CopiedData.ownSecrets) == [])

      let erasure = app.dependencies.erasure
      _ = try await erasure.erase(
        user.rawValue, tenant: OnboardingTestApp.production, reason: .ended, by: "test", despiteDuty: true)
      #expect(try await Self.sealed(app) == [])
      let left = try await app.database.read { try SubjectKeyStore($0).all(after: "", limit: 100).map(\.id) }
      #expect(copy.subjectKeys.isDisjoint(with: left))
      let name = FinapticErasure.proofName(user.rawValue, tenant: OnboardingTestApp.production)
      let document = try #require(try await app.database.read { try erasure.erasures.proof(of: name, in: $0) })
      let proof = try ErasureProof(document, by: app.vault)
      let part = try #require(proof.parts.first { $0.key?.id == key })
      #expect(part.values == ["screening.findings": 1, "screening_case.particulars": 1])
    }
  }

  @Test("a user with a hit that a change of a list brought is erased only when the operator asks for it")
  func duty() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let user = FinapticUser.ID(rawValue: app.clock.world.randomUUID())
      let token = try await app.token(user, tenant: OnboardingTestApp.production)
      let id = try await EvidenceTests.ready(app, token: token).id
      let (screening, erasure) = (Screening(app.dependencies.core), app.dependencies.erasure)
      let subject = Screening.Subject(
        names: ["Marie Tremblay"], dateOfBirth: nil, nationalities: [], documentNumbers: [])
      _ = try await app.database.write { tx in
        try screening.record(
          .screened(.init(lists: [.init(code: "test", version: "1")], threshold: 0.8, hits: [Self.hit])),
          of: subject, for: id, origin: .listChange, in: tx)
      }
      func erase() async throws -> FinapticErasure.Outcome {
        try await erasure.erase(
          user.rawValue, tenant: OnboardingTestApp.production, reason: .ended, by: "test")
      }
      await #expect(throws: FinapticErasure.dutyToKeep) { _ = try await erase() }
      try await app.database.write { tx in
        let item = try #require(try screening.cases(of: id, in: tx).first)
        try screening.judge(
          item, .init(.falsePositive, reason: .nameOnly, text: "Another person."), needsTwo: false, by: "agent:1",
          in: tx)
      }
      #expect(try await erase().applications == 1)
    }
  }

  @Test("an application without an account loses them with its content, and a proof is found by its id")
  func retention() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let application = try await Self.refused(app)
      let key = try #require(try await Self.key(application, app))
      app.clock.advance(by: .days(91))
      #expect(try await app.dependencies.retention.run() == 1)
      #expect(try await Self.sealed(app) == [])
      #expect(try await Self.key(application, app) == nil)
      let name = FinapticErasure.proofName(application.rawValue, tenant: OnboardingTestApp.production)
      let document = try #require(
        try await app.database.read { try app.dependencies.erasure.erasures.proof(of: name, in: $0) })
      let proof = try ErasureProof(document, by: app.vault)
      #expect(proof.keys.map(\.id) == [key] && proof.reason == ErasureReason.retention.rawValue)
    }
  }

  private static func clear(_ application: OnboardingApplication.ID, _ app: OnboardingTestApp) async throws {
    let core = app.dependencies.core
    try await core.database.write { tx in
      let screening = Screening(core)
      for item in try screening.cases(of: application.rawValue, in: tx) where item.state.isWaiting {
        try screening.judge(
          item, .init(.falsePositive, text: "Looked at."), needsTwo: false, by: "agent:1", in: tx)
      }
      #expect(try screening.isCleared(application.rawValue, in: tx))
    }
  }

  private static func refusals(_ app: OnboardingTestApp) async throws -> Int {
    try await app.database.read { try $0.query("SELECT application_id FROM finaptic_refusal").count }
  }

  @Test("who was cleared may apply again after retention, and who was not may not", arguments: [true, false])
  func cleared(_ isCleared: Bool) async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let application = try await Self.refused(app)
      if isCleared { try await Self.clear(application, app) }
      app.clock.advance(by: .days(91))
      #expect(try await app.dependencies.retention.run() == 1)
      #expect(try await Self.refusals(app) == (isCleared ? 0 : 1))
      app.outside.change { $0.hits = [] }
      let applicant = try await EvidenceTests.ready(app)
      _ = try await EvidenceTests.sent(.init(), by: applicant)
      _ = try await applicant.selfie().details()
      let status = try await applicant.validate().details().onboardingApplicationStatus
      #expect(status == (isCleared ? "KYC Success" : "KYC Rejected"))
    }
  }

  @Test("the migration ends refusals of who was cleared, of emptied applications only", arguments: [true, false])
  func clearedBefore(_ isCleared: Bool) async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let application = try await Self.refused(app)
      if isCleared { try await Self.clear(application, app) }
      let step = RefusalStore.clearedMigration
      #expect(step.id < RightsStore.screeningMigration.id)
      for isEmptied in [false, true] {
        try await app.database.write { tx in
          if isEmptied { _ = try tx.execute("UPDATE finaptic_application SET emptied_at = 1") }
          _ = try tx.execute(SQL(stringLiteral: String(step.statements.dropLast())))
        }
        #expect(try await Self.refusals(app) == (isCleared && isEmptied ? 0 : 1))
      }
    }
  }

  /// Remembers whom it was to forget.
  private final class RememberedCases: CaseRepository {
    let forgotten = Mutex<[String]>([])

    func open(
      _ work: AwaitedWork, formerly former: AwaitedWork?, by actor: String, in tx: any SQLTransaction
    ) throws {}
    func conclude(
      _ work: AwaitedWork, outcome: String, on basis: DecisionBasis, by actor: String, in tx: any SQLTransaction
    ) throws {}
    func forget(person: String, in tx: any SQLTransaction) throws { forgotten.withLock { $0.append(person) } }
    func propose(
      _ act: BoundAct, under rule: FourEyes, tenant: String, person: String, by maker: String,
      in tx: any SQLTransaction
    ) throws -> String { throw Problem.approvalRequired }
    func spend(
      _ approval: String?, on act: BoundAct, under rule: FourEyes, by actor: String, in tx: any SQLTransaction
    ) throws { throw Problem.approvalRequired }
    func asked(_ approval: String, in tx: any SQLTransaction) throws -> RequestedApproval? { nil }
    func decide(
      _ approval: String, agreeing: Bool, by checker: String, holding permission: String, in tx: any SQLTransaction
    ) throws -> RequestedApproval { throw Problem.notFound }
  }

  @Test("work that waits for a decision on an emptied application's hit is forgotten with it")
  func waitingWork() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let application = try await Self.refused(app)
      let (parts, cases) = (app.dependencies, RememberedCases())
      let core = CoreDependencies(
        database: app.database, world: app.clock.world, vault: app.vault, blobs: parts.core.blobs, cases: cases)
      let retention = FinapticRetention(
        core: core, applications: parts.applications, policy: parts.policy, erasure: parts.erasure)
      app.clock.advance(by: .days(91))
      #expect(try await retention.run() == 1)
      #expect(cases.forgotten.withLock { $0 } == [application.rawValue])
    }
  }

  @Test("what data keys sealed before applications had keys is sealed again under them")
  func before() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let application = try await Self.refused(app)
      let vault = app.vault
      // As the release before wrote it.
      try await app.database.write { tx in
        for (table, column) in [("screening", "findings"), ("screening_case", "particulars")] {
          for row in try tx.query(SQL(stringLiteral: "SELECT id, \(column) AS v FROM \(table)")) {
            let (id, sealed) = (try row.get("id", as: String.self), try row.get("v", as: Data.self))
            let context = "\(table).\(column):\(id)"
            let old = try vault.seal(vault.open(sealed, context: context, in: tx), context: context)
            if table == "screening" {
              try tx.execute("UPDATE screening SET findings = \(old) WHERE id = \(id)")
            } else {
              try tx.execute("UPDATE screening_case SET particulars = \(old) WHERE id = \(id)")
            }
          }
        }
        _ = try vault.destroySubjectKey(of: application.rawValue, in: tx)
      }
      let columns = ScreeningModule.sealedColumns + FinapticModule.sealedColumns
      let report = try await SubjectReseal(app.dependencies.core, columns: columns, objects: []).run()
      #expect(report.unreadable == 0 && report.values >= 2)
      let key = try #require(try await Self.key(application, app))
      let sealed = try await Self.sealed(app)
      #expect(sealed.count == 2 && sealed.allSatisfy { Vault.subjectKeyID(of: $0) == key })
      let screening = Screening(app.dependencies.core)
      let found = try await app.database.read { try screening.latest(for: application.rawValue, in: $0) }
      #expect(found?.hits.map(\.caption) == ["Marie Tremblay"])
    }
  }

  @Test("after an erasure the bank is told of no hit any more")
  func toldLate() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let user = FinapticUser.ID(rawValue: app.clock.world.randomUUID())
      let application = try await Self.refused(app, user: user)
      let (database, vault) = (app.database, app.vault)
      let found = try await database.read { try ScreeningCaseStore($0, vault).all(of: application.rawValue, limit: 9) }
      let alert = ScreeningAlert(
        caseID: try #require(found.first?.id), version: 1, customerID: application.rawValue, tenant: nil,
        waitsSince: try #require(found.first?.waitsSince))
      #expect(try await database.write { try alert.stillWaits(in: $0, vault: vault) })
      _ = try await app.dependencies.erasure.erase(
        user.rawValue, tenant: OnboardingTestApp.production, reason: .ended, by: "test", despiteDuty: true)
      #expect(try await database.write { try !alert.stillWaits(in: $0, vault: vault) })
      #expect(try await Self.key(application, app) == nil)
    }
  }

  @Test("what the bank is told of a hit that waits is sealed under the application's key")
  func told() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let application = try await Self.refused(app)
      let key = try #require(try await Self.key(application, app))
      let (database, vault, world) = (app.database, app.vault, app.clock.world)
      let webhooks = Webhooks(
        database: database, vault: vault, world: world, http: PeerHTTP { _ in .init(status: 200) })
      let tenant = FinapticTenant.webhooks(OnboardingTestApp.production)
      _ = try await webhooks.add("https://bank.example/events", tenant: tenant, by: "test")
      let message = WebhookMessage(
        "screening.hit_waiting", name: "one", tenant: tenant, body: Data("{}".utf8), about: application.rawValue)
      #expect(try await database.write { try webhooks.publish(message, in: $0) } == 1)
      let bodies = try await database.read { tx in
        try tx.query("SELECT sealed FROM webhook_message").map { try $0.get("sealed", as: Data.self) }
      }
      #expect(bodies.map { Vault.subjectKeyID(of: $0) } == [key])
      app.clock.advance(by: .days(91))
      #expect(try await app.dependencies.retention.run() == 1)
      #expect(try await database.read { try $0.query("SELECT id FROM webhook_message") }.isEmpty)
    }
  }
}
