// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import WultraWire
import Kit
import Storage
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: forgetting people")
struct ForgettingTests {
  private func erasure(_ app: WultraTestApp) -> UserErasure { app.erasure }
  private static let reason = ErasureReason.ended

  /// A verified user.
  private func verified(_ app: WultraTestApp, _ number: String) async throws -> Person {
    let person = try await app.activated(number)
    try await person.documentsAccepted()
    try await person.checkPresence()
    #expect(try await person.verify(app.lastCode()).verified)
    return person
  }

  private func remembered(_ app: WultraTestApp) async throws -> Int {
    try await app.database.read { tx in
      try tx.first(
        "SELECT COUNT(id) AS n FROM wultra_process WHERE user_digest IS NOT NULL OR identification_digest <> ''")?
        .get("n") ?? 0
    }
  }

  @Test("a user who asks for it is forgotten: what goes on ends, pictures and activations go, others stay")
  func erase() async throws {
    let app = try await WultraTestApp()
    let (done, other) = (try await verified(app, "1"), try await verified(app, "2"))
    let running = try await app.activated("1")
    try await running.begin()
    try await running.submit([(.idCard, .front, FakePicture.good)])
    let before = app.blobs.keys.count
    func named(_ name: String, at tenant: String) async throws -> NamedPerson? {
      try await app.database.read { [erasure = app.erasure] in try erasure.person(name, of: tenant, in: $0) }
    }
    #expect(try await named("user-1", at: "acme")?.name == "user-1")
    for (name, tenant) in [("user-1", "other"), ("user-9", "acme")] {
      #expect(try await named(name, at: tenant) == nil)
    }
    let outcome = try await erasure(app).erase("user-1", tenant: "acme", for: Self.reason, by: .init("operator"))
    #expect(outcome == UserErasure.Outcome(processes: 2, activations: 2))
    try await app.settle()
    #expect(try await named("user-1", at: "acme") == nil)
    let processes = [try await app.process(done.process), try await app.process(running.process)]
    #expect(processes.map(\.status) == [.finished, .failed])
    #expect(processes.allSatisfy { $0.person.user == nil && $0.identificationDigest.isEmpty && $0.activation == nil })
    for id in [done.activation, running.activation] {
      await #expect(throws: Problem.self) { _ = try await app.activations.find(id) }
    }
    // The pictures of the other one are those that are left.
    #expect(!app.blobs.keys.isEmpty && app.blobs.keys.count < before)
    #expect(try await app.process(other.process).person.user == "user-2")
    #expect(try await other.state() == "COMPLETED/ACCEPTED")
    #expect(try await app.actions(done.process).contains("wultra.evidence.erased"))
    #expect(try await app.actions(done.process).contains("wultra.process.forgotten"))
    #expect(try await app.auditFaults().isEmpty)
    #expect(
      try await erasure(app).erase("user-1", tenant: "acme", for: Self.reason, by: .init("operator"))
        == UserErasure.Outcome())
    // Nor is the same name at another institution the same person.
    #expect(
      try await erasure(app).erase("user-2", tenant: "other", for: Self.reason, by: .init("operator"))
        == UserErasure.Outcome())
    #expect(try await remembered(app) == 1)
    // Of whom a key alone is left, as after a retention, something is left to be erased.
    _ = try await app.database.write { [app] tx in
      try app.vault.subjectKey(of: app.activations.keySubject(of: "user-9", tenant: "acme"), in: tx)
    }
    #expect(try await named("user-9", at: "acme") != nil)
    _ = try await erasure(app).erase("user-9", tenant: "acme", for: Self.reason, by: .init("operator"))
    #expect(try await named("user-9", at: "acme") == nil)
  }

  @Test("an erasure tells how many of the user's processes it has come through, and how many there are")
  func progress() async throws {
    let app = try await WultraTestApp()
    for number in ["1", "2"] { _ = try await verified(app, number) }
    _ = try await app.activated("1")
    let progress = WorkProgress()
    let words = try await erasure(app).erase(
      .init("user-1", of: "acme", by: "operator"), for: Self.reason, despiteDuty: false, progress: progress)
    #expect(words.count == 1 && words[0].hasPrefix("Forgotten: 2 processes"))
    #expect(progress.part == WorkProgress.Part(name: "processes", done: 2, all: 2))
  }

  @Test("what the institution was told of a process is forgotten with whose it was, and of others it is not")
  func told() async throws {
    let app = try await WultraTestApp()
    let webhooks = Webhooks(
      database: app.database, vault: app.vault, world: app.clock.world,
      http: PeerHTTP { _ in .init(status: 204) })
    let hook = try SignedWebhook(
      base: "https://bank.example", secret: WebhookSecret(app.clock.world).text,
      threads: BlockingThreadPool("adapter", width: 1), world: app.clock.world)
    let adapter = OnboardingAdapter.webhook(hook, through: webhooks, database: app.database)
    for number in ["1", "2"] {
      let process = try await verified(app, number).process
      try await adapter.tell(
        ProcessStatusNotice(processId: "\(process)", userId: "user-\(number)", status: "FINISHED", reason: nil), number)
    }
    _ = try await erasure(app).erase("user-1", tenant: "acme", for: Self.reason, by: .init("operator"))
    #expect(try await webhooks.log(.init()).map(\.name) == ["2"])
  }

  @Test("of a process that was forgotten the institution is told nothing, also not what had waited to be told")
  func notTold() async throws {
    let app = try await WultraTestApp()
    let (process, other) = (try await app.start("1"), try await app.start("2"))
    try await app.settle()
    for (process, user) in [(process, "user-1"), (other, "user-2")] {
      let message = try #require(app.bank.messages.first { $0.userId == user })
      _ = try await app.tryActivation(process, message.otpCode)
    }
    _ = try await erasure(app).erase("user-1", tenant: "acme", for: Self.reason, by: .init("operator"))
    try await app.settle()
    #expect(try await app.process(process).status == .failed)
    #expect(app.bank.notices == ["user-2 verifying -"])
  }

  @Test("nor is it told what was said to a consent")
  func consentNotTold() async throws {
    let app = try await WultraTestApp()
    for person in [try await app.activated("1"), try await app.activated("2")] { try await person.approve() }
    _ = try await erasure(app).erase("user-1", tenant: "acme", for: Self.reason, by: .init("operator"))
    try await app.settle()
    #expect(app.bank.decisions.map(\.userId) == ["user-2"])
  }

  @Test("whose an ended process was is forgotten after its time; the activation that came of it goes on")
  func retention() async throws {
    let app = try await WultraTestApp()
    let done = try await verified(app, "1")
    let canceled = try await app.activated("2")
    try await app.processes.cleanUp(canceled.process, by: app.caller)
    try await app.settle()
    app.clock.advance(by: .days(30))
    try await erasure(app).sweepEnded()
    #expect(try await remembered(app) == 2)
    app.clock.advance(by: .seconds(1))
    let young = try await app.activated("3")
    try await erasure(app).sweepEnded()
    #expect(try await remembered(app) == 1)
    #expect(try await app.process(young.process).person.user == "user-3")
    #expect(try await app.process(done.process).person.user == nil)
    #expect(try await done.state() == "COMPLETED/ACCEPTED")
    #expect(try await app.activations.find(done.activation).user == "user-1")
    let audited = try await app.actions(done.process)
    try await erasure(app).sweepEnded()
    #expect(try await app.actions(done.process) == audited)
    #expect(try await app.auditFaults().isEmpty)
  }

  @Test("of two nodes that find one process one forgets it, and the log tells it once", arguments: Engine.available)
  func retentionOfTwo(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let done = try await verified(app, "1")
    try await app.settle()
    app.clock.advance(by: .days(31))
    let (core, faster) = (app.core, app.erasure)
    let overtaken = OvertakenDatabase(app.database) { try await faster.sweepEnded() }
    let slower = UserErasure(
      dossiers: Dossiers(
        core: CoreDependencies(
          database: overtaken, world: core.world, vault: core.vault, blobs: core.blobs, cases: core.cases),
        activations: app.activations, policy: app.dossiers.policy),
      erasures: app.erasures)
    try await slower.sweepEnded()
    #expect(try await app.process(done.process).person.user == nil)
    #expect(try await app.actions(done.process).count { $0 == "wultra.process.forgotten" } == 1)
    #expect(try await app.auditFaults().isEmpty)
  }

  @Test("pictures of an abandoned verification go an hour after the clock did")
  func lapsed() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    try await person.submit([(.idCard, .front, FakePicture.good), (.idCard, .back, FakePicture.good)])
    #expect(!app.blobs.keys.isEmpty)
    app.clock.advance(by: .hours(1))
    try await app.effects.sweepLapsed()
    try await app.settle()
    #expect(try await app.process(person.process).failure == .expiredProcessIdentityVerification)
    #expect(!app.blobs.keys.isEmpty)
    app.clock.advance(by: .hours(1))
    try await app.settle()
    #expect(app.blobs.keys.isEmpty)
    #expect(try await app.actions(person.process).contains("wultra.evidence.erased"))
  }

  @Test("a row that cannot be read keeps no other process from its end, however many there are")
  func sweepGoesOn() async throws {
    let app = try await WultraTestApp()
    var processes: [String] = []
    for number in 0..<105 { processes.append(try await app.start("\(number)")) }
    let bad = processes[0]
    _ = try await app.database.write { tx in
      try tx.execute("UPDATE wultra_process SET person = \(Data("x".utf8)) WHERE id = \(bad)")
    }
    app.clock.advance(by: .minutes(5))
    await #expect(throws: (any Error).self) { try await app.effects.sweepLapsed() }
    let open = try await app.database.read { tx -> [String] in
      try tx.query("SELECT id FROM wultra_process WHERE status = 'activating'").map { try $0.get("id") }
    }
    #expect(open == [bad])
  }

  @Test("what was said to a consent stays with the text that was shown, when another one is shown later")
  func consent() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.approve()
    app.bank.change { $0.consent = ConsentAnswer(consentText: "<p>More?</p>", version: "8") }
    _ = try await app.consents.text(.init(processId: person.process, consentType: .gdpr), by: person.caller)
    let row = try #require(
      try await app.database.read { tx in
        try tx.first(
          """
          SELECT text_version, decided_version, decided_digest, decided_language FROM wultra_consent
          WHERE process_id = \(person.process)
          """)
      })
    #expect(try row.get("text_version", as: String.self) == "8")
    #expect(try row.get("decided_version", as: String.self) == "7")
    #expect(try row.get("decided_language", as: String.self) == "en")
    let shown = FakeBank.State().consent.consentText
    #expect(try row.get("decided_digest", as: String.self) == Data(shown.utf8).sha256Hex)
    let line = try #require(
      try await app.database.read { try AuditStore($0).lines(of: person.process) }
        .first { $0.action == "wultra.consent.given" })
    #expect(line.facts["version"] == "7" && line.facts["text"] == Data(shown.utf8).sha256Hex)
  }
}
