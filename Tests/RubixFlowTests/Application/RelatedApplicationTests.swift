import Kit
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: applications that share a phone, a device, a document or a picture")
struct RelatedApplicationTests {
  /// Swift Testing has a type of that name too.
  private typealias Trait = RubixFlow.Trait

  private static let passport = Trait.document(
    .init(id: "d", type: .passport, number: "c01 x00-t47", issuingState: "D", expiryDate: nil))

  /// An application with what it shows; its phone is the same as everyone's unless another is given.
  private func application(
    _ app: AgentTestApp, _ traits: [Trait?], phone: String = "+96550001234", tenant: String = "default"
  ) async throws -> RubixFlow.Application {
    var made = app.application(at: .awaitingReviewCall, tenant: tenant)
    made.applicant.contactNo = phone
    let (written, now) = (made, app.clock.now)
    app.clock.advance(by: .seconds(1))
    try await app.core.database.write { [core = app.core] tx in
      try ApplicationStore(tx, vault: core.vault).insert(written)
      try TraitStore(tx, vault: core.vault).note(traits.compactMap(\.self), of: written, at: now)
    }
    return made
  }

  private func related(_ app: AgentTestApp, _ of: RubixFlow.Application) async throws -> [RelatedApplication] {
    try await app.core.database.read { [core = app.core] tx in
      try RelatedApplications(tx: tx, vault: core.vault).all(of: of)
    }
  }

  @Test("what two share is told with the most first, of the same institution only", arguments: Engine.available)
  func shared(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let one = try await application(app, [.device("a"), Self.passport, .picture(sha256: "77")])
    let twin = try await application(
      app, [.device("a"), Self.passport, .picture(sha256: "77"), .picture(sha256: "78")], phone: "+96550009999")
    let caller = try await application(app, [.device("b")])
    _ = try await application(app, [.device("c"), .picture(sha256: "79")], phone: "+96550008888")
    _ = try await application(app, [.device("a"), Self.passport], tenant: "other")
    let found = try await related(app, one)
    #expect(found.map(\.id) == [twin.id, caller.id])
    #expect(found.map(\.shared) == [[.device, .document, .picture], [.phone]])
    #expect(found.allSatisfy { $0.status == .inReview })
    #expect(try await related(app, caller).map(\.id) == [one.id])
  }

  @Test("a document is its number and its State, however the number was written")
  func document() {
    func trait(_ number: String?, _ state: String?) -> Trait? {
      .document(.init(id: "d", type: .passport, number: number, issuingState: state, expiryDate: nil))
    }
    #expect(trait("C01X00T47", "D") == Self.passport)
    #expect(trait("C01X00T47", "UTO") != Self.passport)
    #expect(trait(nil, "D") == nil && trait(" - ", "D") == nil)
  }

  @Test("the row tells no value, and what is noted twice stands once", arguments: Engine.available)
  func sealed(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let one = try await application(app, [.device("device-of-erika")])
    try await app.core.database.write { [core = app.core] tx in
      try TraitStore(tx, vault: core.vault).note([.device("device-of-erika")], of: one, at: Instant(milliseconds: 5))
    }
    let rows = try await app.count("SELECT COUNT(*) AS n FROM rubix_trait")
    let plain = try await app.count("SELECT COUNT(*) AS n FROM rubix_trait WHERE digest LIKE '%erika%'")
    #expect(rows == 1 && plain == 0)
  }

  @Test("an agent who looks at a case is told of them, and a customer's registration notes the device")
  func review() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.filled(agent: agent)
    let other = try await application(app, [.device(AgentTestApp.Person().device)])
    let record = try await app.customerReader.review(customer.id, by: agent)
    #expect(record.related.map(\.id) == [other.id] && record.related.map(\.shared) == [[.device]])
    #expect(record.customer.id == customer.id.rawValue && record.images.count == 1 && record.call == nil)
    #expect(try await app.actions(of: customer).last == "customer.viewed")
    let caller = try await app.agent("caller@bank.example", may: [.attendVideo])
    #expect(
      try await problem { try await app.customerReader.review(customer.id, by: caller) }?.code == "forbidden")
  }
}
