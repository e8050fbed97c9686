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
  private func erasure(_ house: WultraHouse) -> UserErasure { UserErasure(runner: house.runner) }

  /// Somebody who is verified.
  private func verified(_ house: WultraHouse, _ number: String) async throws -> Person {
    let person = try await house.activated(number)
    try await person.documentsAccepted()
    try await person.checkPresence()
    #expect(try await person.verify(house.lastCode()).verified)
    return person
  }

  private func remembered(_ house: WultraHouse) async throws -> Int {
    try await house.database.read { tx in
      try tx.first(
        "SELECT COUNT(id) AS n FROM wultra_process WHERE user_digest IS NOT NULL OR identification_digest <> ''")?
        .get("n") ?? 0
    }
  }

  @Test("a user who asks for it is forgotten: what goes on ends, pictures and activations go, others stay")
  func erase() async throws {
    let house = try await WultraHouse()
    let (done, other) = (try await verified(house, "1"), try await verified(house, "2"))
    let running = try await house.activated("1")
    try await running.begin()
    try await running.submit([(.idCard, .front, FakePicture.good)])
    let before = house.blobs.keys.count
    let outcome = try await erasure(house).erase("user-1", tenant: "acme", for: "art-17-request", by: .atCommandLine)
    #expect(outcome == UserErasure.Outcome(processes: 2, activations: 2))
    try await house.settle()
    let processes = [try await house.process(done.process), try await house.process(running.process)]
    #expect(processes.map(\.status) == [.finished, .failed])
    #expect(processes.allSatisfy { $0.person.user == nil && $0.identificationDigest.isEmpty && $0.activation == nil })
    for id in [done.activation, running.activation] {
      await #expect(throws: Problem.self) { _ = try await house.activations.find(id) }
    }
    // The pictures of the other one are those that are left.
    #expect(!house.blobs.keys.isEmpty && house.blobs.keys.count < before)
    #expect(try await house.process(other.process).person.user == "user-2")
    #expect(try await other.state() == "COMPLETED/ACCEPTED")
    #expect(try await house.actions(done.process).contains("wultra.evidence.erased"))
    #expect(try await house.actions(done.process).contains("wultra.process.forgotten"))
    #expect(try await house.auditFaults().isEmpty)
    #expect(
      try await erasure(house).erase("user-1", tenant: "acme", for: "art-17-request", by: .atCommandLine)
        == UserErasure.Outcome())
    // Nor is the same name at another institution the same person.
    #expect(
      try await erasure(house).erase("user-2", tenant: "other", for: "art-17-request", by: .atCommandLine)
        == UserErasure.Outcome())
    #expect(try await remembered(house) == 1)
  }

  @Test("what the institution was told of a process is forgotten with whose it was, and of others it is not")
  func told() async throws {
    let house = try await WultraHouse()
    let webhooks = Webhooks(
      database: house.database, vault: house.vault, world: house.clock.world,
      http: PeerHTTP { _ in .init(status: 204) })
    let hook = try SignedWebhook(
      base: "https://bank.example", secret: WebhookSecret(house.clock.world).text,
      lanes: BlockingThreadPool("adapter", width: 1), world: house.clock.world)
    let adapter = OnboardingAdapter.webhook(hook, news: webhooks, database: house.database)
    for number in ["1", "2"] {
      let process = try await verified(house, number).process
      try await adapter.tell(
        ProcessStatusNotice(processId: "\(process)", userId: "user-\(number)", status: "FINISHED", reason: nil), number)
    }
    _ = try await erasure(house).erase("user-1", tenant: "acme", for: "art-17-request", by: .atCommandLine)
    #expect(try await webhooks.log(.init()).map(\.name) == ["2"])
  }

  @Test("whose an ended process was is forgotten after its time; the activation that came of it goes on")
  func retention() async throws {
    let house = try await WultraHouse()
    let done = try await verified(house, "1")
    let canceled = try await house.activated("2")
    try await house.processes.cleanUp(canceled.process, by: house.app)
    try await house.settle()
    house.clock.advance(by: .days(30))
    try await erasure(house).sweepEnded()
    #expect(try await remembered(house) == 2)
    house.clock.advance(by: .seconds(1))
    let young = try await house.activated("3")
    try await erasure(house).sweepEnded()
    #expect(try await remembered(house) == 1)
    #expect(try await house.process(young.process).person.user == "user-3")
    #expect(try await house.process(done.process).person.user == nil)
    #expect(try await done.state() == "COMPLETED/ACCEPTED")
    #expect(try await house.activations.find(done.activation).user == "user-1")
    let audited = try await house.actions(done.process)
    try await erasure(house).sweepEnded()
    #expect(try await house.actions(done.process) == audited)
    #expect(try await house.auditFaults().isEmpty)
  }

  @Test("pictures of a verification that nobody ended go an hour after the clock did")
  func lapsed() async throws {
    let house = try await WultraHouse()
    let person = try await house.activated()
    try await person.begin()
    try await person.submit([(.idCard, .front, FakePicture.good), (.idCard, .back, FakePicture.good)])
    #expect(!house.blobs.keys.isEmpty)
    house.clock.advance(by: .hours(1))
    try await house.effects.sweepLapsed()
    try await house.settle()
    #expect(try await house.process(person.process).failure == .expiredProcessIdentityVerification)
    #expect(!house.blobs.keys.isEmpty)
    house.clock.advance(by: .hours(1))
    try await house.settle()
    #expect(house.blobs.keys.isEmpty)
    #expect(try await house.actions(person.process).contains("wultra.evidence.erased"))
  }

  @Test("a row that cannot be read keeps no other process from its end, however many there are")
  func sweepGoesOn() async throws {
    let house = try await WultraHouse()
    var processes: [String] = []
    for number in 0..<105 { processes.append(try await house.start("\(number)")) }
    let bad = processes[0]
    _ = try await house.database.write { tx in
      try tx.execute("UPDATE wultra_process SET person = \(Data("x".utf8)) WHERE id = \(bad)")
    }
    house.clock.advance(by: .minutes(5))
    await #expect(throws: (any Error).self) { try await house.effects.sweepLapsed() }
    let open = try await house.database.read { tx -> [String] in
      try tx.query("SELECT id FROM wultra_process WHERE status = 'activating'").map { try $0.get("id") }
    }
    #expect(open == [bad])
  }

  @Test("what was said to a consent stays with the text that was shown, when another one is shown later")
  func consent() async throws {
    let house = try await WultraHouse()
    let person = try await house.activated()
    try await person.approve()
    house.bank.change { $0.consent = ConsentAnswer(consentText: "<p>More?</p>", version: "8") }
    _ = try await house.consents.text(.init(processId: person.process, consentType: .gdpr), by: person.caller)
    let row = try #require(
      try await house.database.read { tx in
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
      try await house.database.read { try AuditStore($0).lines(of: person.process) }
        .first { $0.action == "wultra.consent.given" })
    #expect(line.facts["version"] == "7" && line.facts["text"] == Data(shown.utf8).sha256Hex)
  }
}
