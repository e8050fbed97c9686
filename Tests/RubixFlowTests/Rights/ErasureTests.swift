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
  private static let other = DeskHouse.Person(name: "Bruno", number: 2)

  /// Rows that name a customer, by table.
  private static func rows(of id: String, images: [String] = [], in house: DeskHouse) async throws -> [String: Int] {
    try await house.core.database.read { tx in
      func count(_ statement: SQL) throws -> Int { try tx.first(statement)?.get("n") ?? 0 }
      let like = "%\(id)%"
      return [
        "application": try count("SELECT COUNT(*) AS n FROM rubix_application WHERE id = \(id)"),
        "session": try count("SELECT COUNT(*) AS n FROM rubix_session WHERE application_id = \(id)"),
        "image": try count("SELECT COUNT(*) AS n FROM rubix_image WHERE application_id = \(id)"),
        "verification": try count("SELECT COUNT(*) AS n FROM rubix_verification WHERE application_id = \(id)"),
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

  private static func images(of customer: Customer, in house: DeskHouse) async throws -> [String] {
    try await house.core.database.read { [house] tx in
      try ImageStore(tx, vault: house.core.vault).ids(of: customer.id).map(\.rawValue)
    }
  }

  @Test(
    "of an erased customer no row and no picture is left in any room, of another everything is",
    arguments: Engine.available)
  func everything(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let agent = try await house.agent()
    let gone = try await house.filled(agent: agent)
    let stays = try await house.filled(Self.other, agent: agent)
    let (images, otherImages) = (
      try await Self.images(of: gone, in: house), try await Self.images(of: stays, in: house)
    )
    let before = try await Self.rows(of: gone.id.rawValue, images: images, in: house)
    #expect(before.filter { $0.value == 0 }.map(\.key) == [], "the test has something of everything to lose")
    let others = try await Self.rows(of: stays.id.rawValue, images: otherImages, in: house)

    let outcome = try await house.erasure.erase(
      gone.id, of: gone.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    #expect(outcome == .erased(images: 1, related: []))
    let after = try await Self.rows(of: gone.id.rawValue, images: images, in: house)
    #expect(after.filter { $0.value > 0 }.map(\.key) == [])
    #expect(try await Self.rows(of: stays.id.rawValue, images: otherImages, in: house) == others)
    let answers = try await house.count("SELECT COUNT(*) AS n FROM idempotency")
    #expect(answers == 3, "the other's registration and two forms")
    #expect(try await house.devOutbox.list().map(\.message.body) == [Self.other.message])

    #expect(house.blobKeys.count == 4)
    try await house.deleteImages()
    #expect(house.blobKeys == Set(otherImages.flatMap { [$0, "\($0)-portrait"] }))
    try await house.deleteImages()
    #expect(house.blobKeys.count == 2, "a repetition does no harm")
  }

  @Test(
    "the audit log verifies before and after, and says that somebody was erased, and why", arguments: Engine.available)
  func audit(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.filled(agent: try await house.agent())
    let before = try await house.core.database.read { try AuditStore($0).verify() }
    _ = try await house.erasure.erase(
      customer.id, of: customer.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    let (after, last) = try await house.core.database.read { tx in
      (
        try AuditStore(tx).verify(),
        try tx.first("SELECT actor, facts FROM audit_line WHERE action = 'subject.erased'")
      )
    }
    #expect(before.faults == [] && after.faults == [])
    #expect(after.lines == before.lines + 1 && after.cut > 3)
    #expect(try last?.get("actor") == "operator")
    #expect(try last?.get("facts", as: String.self) == #"{"images":"1","reason":"art-17-request"}"#)
  }

  @Test(
    "the same again says when it was, whoever never was there is not found, and another bank's customer neither",
    arguments: Engine.available)
  func again(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.customer(at: .collectingDocuments)
    let other = try house.rubix.tenants.find("other")
    func erase(_ id: RubixFlow.Application.ID, _ tenant: Tenant) async throws -> CustomerErasure.Outcome {
      try await house.erasure.erase(id, of: tenant, for: Self.reason, by: "operator")
    }
    #expect(try await problem { try await erase(customer.id, other) } == .notFound)
    #expect(try await erase(customer.id, customer.tenant) == .erased(images: 0, related: []))
    let erasedAt = house.clock.now
    house.clock.advance(by: .days(1))
    #expect(try await erase(customer.id, customer.tenant) == .erasedBefore(at: erasedAt))
    #expect(try await problem { try await erase(.init(house.core.world), customer.tenant) } == .notFound)
    let lines = try await house.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'subject.erased'")
    #expect(lines == 1)
  }

  @Test("of ten that erase at once one does, and nothing is owed twice", arguments: Engine.available)
  func race(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.filled(agent: try await house.agent())
    let second = try house.secondNode().erasure(devOutbox: house.devOutbox)
    let outcomes = try await RubixFlowTests.race(10) { number in
      try await (number.isMultiple(of: 2) ? house.erasure : second).erase(
        customer.id, of: customer.tenant, for: Self.reason, by: "operator", despiteDuty: true)
    }.map { try $0.get() }
    #expect(outcomes.count { $0 == .erased(images: 1, related: []) } == 1)
    #expect(try await house.effects().filter { $0 == ImageDeletion.topic }.count == 1)
    #expect(try await house.core.database.read { try AuditStore($0).verify() }.faults == [])
  }

  @Test(
    "messages go with whom they are about: those to a former address too, a stranger's to the same number not",
    arguments: Engine.available)
  func messages(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let (gone, stays) = (try await house.registered(), try await house.customer(at: .registered))
    let number = try await house.application(of: gone).applicant.contactNo
    try await house.send("former", to: "+96550009999", about: gone)
    try await house.send("current", to: number, about: gone)
    try await house.send("stranger's", to: number, about: stays)
    let open = try await house.exporter.export(gone.id, of: gone.tenant, by: "operator").customer
    #expect(open.messages.map(\.body) == ["former", "current"])
    _ = try await house.erasure.erase(gone.id, of: gone.tenant, for: Self.reason, by: "operator")
    #expect(try await house.devOutbox.list().map(\.message.body) == ["stranger's"])
  }

  @Test("a session of the erased ends, and a step that was under way changes nothing", arguments: Engine.available)
  func sessions(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.registered()
    _ = try await house.erasure.erase(customer.id, of: customer.tenant, for: Self.reason, by: "operator")
    let refusal = try await problem { try await house.contacts.send(.sms, house.request(customer)) }
    #expect(refusal?.code == "token-revoked")
    #expect(try await Self.rows(of: customer.id.rawValue, in: house).filter { $0.value > 0 }.map(\.key) == [])
  }

  @Test(
    "a file that the law may ask to keep is erased only when the operator says so",
    arguments: Engine.available, [ApplicationPhase.completed, .rejected, .reviewingScreening])
  func duty(engine: Engine, phase: ApplicationPhase) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.customer(at: phase)
    let refusal = try await problem {
      try await house.erasure.erase(customer.id, of: customer.tenant, for: Self.reason, by: "operator")
    }
    #expect(refusal?.code == "duty-to-keep")
    #expect(try await house.application(of: customer).phase == phase)
    #expect(
      try await house.erasure.erase(
        customer.id, of: customer.tenant, for: Self.reason, by: "operator", despiteDuty: true)
        == .erased(images: 0, related: []))
  }

  @Test("other applications with the same phone are named and left alone", arguments: Engine.available)
  func related(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let (one, two) = (try await house.customer(at: .registered), try await house.customer(at: .registered))
    let outcome = try await house.erasure.erase(one.id, of: one.tenant, for: Self.reason, by: "operator")
    #expect(outcome == .erased(images: 0, related: [two.id]))
    #expect(try await house.application(of: two).phase == .registered)
  }

  @Test("a reason is a code and cannot name anybody", .storeless)
  func reasons() {
    for good in ["art-17-request", "a", "gdpr17", "x2026"] { #expect(ErasureReason(rawValue: good) != nil) }
    for bad in ["", "Erika", "asked by mail", "a@b", "p-96550001234", "ü", String(repeating: "a", count: 65)] {
      #expect(ErasureReason(rawValue: bad) == nil)
    }
  }
}
