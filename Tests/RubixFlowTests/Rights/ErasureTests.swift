// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow

@Suite("Rubix: the right to erasure")
struct ErasureTests {
  static let reason = ErasureReason(rawValue: "art-17-request") ?? .retention
  private static let other = AgentTestApp.Person(name: "Bruno", number: 2)

  /// Rows that name a customer, by table.
  private static func rows(of id: String, images: [String] = [], in app: AgentTestApp) async throws -> [String: Int] {
    try await app.core.database.read { tx in
      func count(_ statement: SQL) throws -> Int { try tx.first(statement)?.get("n") ?? 0 }
      let like = "%\(id)%"
      return [
        "application": try count("SELECT COUNT(*) AS n FROM rubix_application WHERE id = \(id)"),
        "session": try count("SELECT COUNT(*) AS n FROM rubix_session WHERE application_id = \(id)"),
        "image": try count("SELECT COUNT(*) AS n FROM rubix_image WHERE application_id = \(id)"),
        "verification": try count("SELECT COUNT(*) AS n FROM rubix_verification WHERE application_id = \(id)"),
        "trait": try count("SELECT COUNT(*) AS n FROM rubix_trait WHERE application_id = \(id)"),
        "likeness": try count("SELECT COUNT(*) AS n FROM rubix_likeness WHERE application_id = \(id)"),
        "form": try count("SELECT COUNT(*) AS n FROM rubix_form WHERE application_id = \(id)"),
        "verdict": try count("SELECT COUNT(*) AS n FROM rubix_verdict WHERE application_id = \(id)"),
        "note": try count("SELECT COUNT(*) AS n FROM rubix_screening_note WHERE application_id = \(id)"),
        "screening": try count("SELECT COUNT(*) AS n FROM screening WHERE subject_id = \(id)"),
        "appointment": try count("SELECT COUNT(*) AS n FROM appointment WHERE customer_id = \(id)"),
        "passcode": try count("SELECT COUNT(*) AS n FROM passcode WHERE subject = \(id)"),
        "family": try count("SELECT COUNT(*) AS n FROM session_family WHERE subject_id = \(id)"),
        "idempotency": try count("SELECT COUNT(*) AS n FROM idempotency WHERE scope LIKE \(like)"),
        "counter": try count("SELECT COUNT(*) AS n FROM rate_counter WHERE subject LIKE \(like)"),
        "outbox": try count(
          "SELECT COUNT(*) AS n FROM outbox WHERE subject = \(id) OR subject = \(images.first ?? "") OR payload LIKE \(like)"
        ),
        "audit": try count("SELECT COUNT(*) AS n FROM audit_line WHERE chain = \(id) OR facts LIKE \(like)"),
        "head": try count("SELECT COUNT(*) AS n FROM audit_head WHERE chain = \(id)"),
      ]
    }
  }

  private static func images(of customer: Customer, in app: AgentTestApp) async throws -> [String] {
    try await app.core.database.read { [app] tx in
      try ImageStore(tx, vault: app.core.vault).ids(of: customer.id).map(\.rawValue)
    }
  }

  @Test(
    "of an erased customer no row and no picture is left in any room, of another everything is",
    arguments: Engine.available)
  func everything(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let agent = try await app.agent()
    let gone = try await app.filled(agent: agent)
    let stays = try await app.filled(Self.other, agent: agent)
    let (images, otherImages) = (
      try await Self.images(of: gone, in: app), try await Self.images(of: stays, in: app)
    )
    let before = try await Self.rows(of: gone.id.rawValue, images: images, in: app)
    #expect(before.filter { $0.value == 0 }.map(\.key) == [], "the test has something of everything to lose")
    let others = try await Self.rows(of: stays.id.rawValue, images: otherImages, in: app)

    let outcome = try await app.erasure.erase(
      gone.id, of: gone.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    #expect(outcome == .erased(images: 1, related: []))
    let after = try await Self.rows(of: gone.id.rawValue, images: images, in: app)
    #expect(after.filter { $0.value > 0 }.map(\.key) == [])
    #expect(try await Self.rows(of: stays.id.rawValue, images: otherImages, in: app) == others)
    let answers = try await app.count("SELECT COUNT(*) AS n FROM idempotency")
    #expect(answers == 3, "the other's registration and two forms")
    #expect(try await app.devOutbox.list().map(\.message.body) == [Self.other.message])

    #expect(app.blobKeys.count == 4)
    try await app.deleteImages()
    #expect(app.blobKeys == Set(otherImages.flatMap { [$0, "\($0)-portrait"] }))
    try await app.deleteImages()
    #expect(app.blobKeys.count == 2, "a repetition does no harm")
  }

  @Test(
    "the audit log verifies before and after, and tells that a customer was erased, and why",
    arguments: Engine.available)
  func audit(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.filled(agent: try await app.agent())
    let before = try await app.core.database.read { try AuditStore($0).verify(by: app.core.vault) }
    _ = try await app.erasure.erase(
      customer.id, of: customer.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    let (after, last) = try await app.core.database.read { tx in
      (
        try AuditStore(tx).verify(by: app.core.vault),
        try tx.first("SELECT actor, facts FROM audit_line WHERE action = 'subject.erased'")
      )
    }
    #expect(before.faults == [] && after.faults == [])
    #expect(after.lines == before.lines + 1 && after.cut > 3)
    #expect(try last?.get("actor") == "operator")
    #expect(try last?.get("facts", as: String.self) == #"{"images":"1","reason":"art-17-request"}"#)
  }

  @Test(
    "the same again says when it was, a customer who never was there is not found, and another bank's customer neither",
    arguments: Engine.available)
  func again(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.customer(at: .collectingDocuments)
    let other = try app.rubix.tenants.find("other")
    func erase(_ id: RubixFlow.Application.ID, _ tenant: Tenant) async throws -> CustomerErasure.Outcome {
      try await app.erasure.erase(id, of: tenant, for: Self.reason, by: "operator")
    }
    #expect(try await problem { try await erase(customer.id, other) } == .notFound)
    #expect(try await erase(customer.id, customer.tenant) == .erased(images: 0, related: []))
    let erasedAt = app.clock.now
    app.clock.advance(by: .days(1))
    #expect(try await erase(customer.id, customer.tenant) == .erasedBefore(at: erasedAt))
    #expect(try await problem { try await erase(.init(app.core.world), customer.tenant) } == .notFound)
    let lines = try await app.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'subject.erased'")
    #expect(lines == 1)
  }

  @Test("of ten that erase at once one does, and nothing is owed twice", arguments: Engine.available)
  func race(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.filled(agent: try await app.agent())
    let second = try app.secondNode().erasure(devOutbox: app.devOutbox)
    let outcomes = try await RubixFlowTests.race(10) { number in
      try await (number.isMultiple(of: 2) ? app.erasure : second).erase(
        customer.id, of: customer.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    }.map { try $0.get() }
    #expect(outcomes.count { $0 == .erased(images: 1, related: []) } == 1)
    #expect(try await app.effects().filter { $0 == ImageDeletion.topic }.count == 1)
    #expect(try await app.core.database.read { try AuditStore($0).verify(by: app.core.vault) }.faults == [])
  }

  @Test(
    "messages go with whom they are about: those to a former address too, a stranger's to the same number not",
    arguments: Engine.available)
  func messages(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let (gone, stays) = (try await app.registered(), try await app.customer(at: .registered))
    let number = try await app.application(of: gone).applicant.contactNo
    try await app.send("former", to: "+96550009999", about: gone)
    try await app.send("current", to: number, about: gone)
    try await app.send("stranger's", to: number, about: stays)
    let open = try await app.exporter.export(gone.id, of: gone.tenant, by: "operator").customer
    #expect(open.messages.map(\.body) == ["former", "current"])
    _ = try await app.erasure.erase(gone.id, of: gone.tenant, for: Self.reason, by: "operator")
    #expect(try await app.devOutbox.list().map(\.message.body) == ["stranger's"])
  }

  @Test("a session of the erased ends, and a step that was under way changes nothing", arguments: Engine.available)
  func sessions(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.registered()
    _ = try await app.erasure.erase(customer.id, of: customer.tenant, for: Self.reason, by: "operator")
    let refusal = try await problem { try await app.contacts.send(.sms, app.request(customer)) }
    #expect(refusal?.code == "token-revoked")
    #expect(try await Self.rows(of: customer.id.rawValue, in: app).filter { $0.value > 0 }.map(\.key) == [])
  }

  @Test(
    "a file that the law may ask to keep is erased only when the operator asks for it",
    arguments: Engine.available, [ApplicationPhase.completed, .rejected, .reviewingScreening])
  func duty(engine: Engine, phase: ApplicationPhase) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.customer(at: phase)
    let refusal = try await problem {
      try await app.erasure.erase(customer.id, of: customer.tenant, for: Self.reason, by: "operator")
    }
    #expect(refusal?.code == "duty-to-keep")
    #expect(try await app.application(of: customer).phase == phase)
    #expect(
      try await app.erasure.erase(
        customer.id, of: customer.tenant, for: Self.reason, by: "operator", despiteDuty: true)
        == .erased(images: 0, related: []))
  }

  @Test("other applications with the same phone are named and left alone", arguments: Engine.available)
  func related(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let (one, two) = (try await app.customer(at: .registered), try await app.customer(at: .registered))
    let outcome = try await app.erasure.erase(one.id, of: one.tenant, for: Self.reason, by: "operator")
    #expect(outcome == .erased(images: 0, related: [two.id]))
    #expect(try await app.application(of: two).phase == .registered)
  }

  @Test(
    "an erasure reads no table whole: neither for a customer's sessions nor for what the foreign key to them asks",
    .enabled(if: Engine.current == .sqlite))
  func plans() async throws {
    let app = try await AgentTestApp(.sqlite)
    for text in [
      "DELETE FROM rubix_session WHERE application_id = 'x'", "SELECT 1 FROM rubix_image WHERE session_id = 'x'",
    ] {
      let plan = try await app.core.database.read { tx in
        try tx.query(SQL(stringLiteral: "EXPLAIN QUERY PLAN \(text)")).map { try $0.get("detail", as: String.self) }
      }
      #expect(!plan.isEmpty && plan.allSatisfy { !$0.contains("SCAN") }, "\(plan)")
    }
  }

  @Test("what the bank was told of a hit goes with the customer, delivered or on its way", arguments: Engine.available)
  func told(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let agent = try await app.agent()
    let (gone, stays) = (try await app.filled(agent: agent), try await app.filled(Self.other, agent: agent))
    let webhooks = Webhooks(
      database: app.core.database, vault: app.core.vault, world: app.core.world,
      http: PeerHTTP { _ in .init(status: 200) })
    let bank = TenantID(RubixModule.name, gone.tenant.id)
    _ = try await webhooks.add("https://bank.example/events", tenant: bank, by: "test")
    try await app.core.database.write { tx in
      for customer in [gone.id.rawValue, stays.id.rawValue] {
        let message = WebhookMessage(
          "screening.hit_waiting", name: "hit of \(customer)", tenant: bank, body: Data("{}".utf8), about: customer)
        let published = try webhooks.publish(message, in: tx)
        #expect(published == 1)
      }
    }
    _ = try await app.erasure.erase(gone.id, of: gone.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    let left = try await app.core.database.read { tx in
      try tx.query("SELECT subject_id FROM webhook_message").map { try $0.get("subject_id", as: String.self) }
    }
    #expect(left == [stays.id.rawValue])
    #expect(try await app.count("SELECT COUNT(*) AS n FROM webhook_delivery") == 1)
  }

  @Test("the figures count an erased customer still, and keep no id of theirs", arguments: Engine.available)
  func figures(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.filled(agent: try await app.agent())
    let id = customer.id.rawValue
    try await app.core.database.write { tx in
      try tx.execute("INSERT INTO flow_place (story, flow, step, since) VALUES (\(id), 'application', 'registered', 0)")
      try tx.execute(
        """
        INSERT INTO flow_move (id, flow, from_state, event, to_state, story, is_last, at)
        VALUES ('m', 'application', 'registered', 'sessionOpened', 'capturingSelfies', \(id), 0, 0)
        """)
    }
    _ = try await app.erasure.erase(
      customer.id, of: customer.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    #expect(try await app.count("SELECT COUNT(*) AS n FROM flow_place WHERE story = \(id)") == 0)
    #expect(try await app.count("SELECT COUNT(*) AS n FROM flow_move WHERE story = \(id)") == 0)
    #expect(try await app.count("SELECT COUNT(*) AS n FROM flow_move WHERE id = 'm' AND story IS NULL") == 1)
  }

  @Test("a reason is a code and cannot name anybody", .storeless)
  func reasons() {
    for good in ["art-17-request", "a", "gdpr17", "x2026"] { #expect(ErasureReason(rawValue: good) != nil) }
    for bad in ["", "Erika", "asked by mail", "a@b", "p-96550001234", "ü", String(repeating: "a", count: 65)] {
      #expect(ErasureReason(rawValue: bad) == nil)
    }
  }
}
